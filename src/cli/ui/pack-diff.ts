import type { Cause } from '../../packs/causes.ts';
import type { ItemDifference } from '../../packs/compare.ts';
import { nameOfSnapshot } from '../../packs/kept/snapshots.ts';
import type { Staleness } from '../../packs/kept/stale.ts';
import type { LockedItem } from '../../packs/portable/portable.ts';
import type { Reason } from '../../packs/render/pack.ts';
import { shellWord } from '../../platform/shell-word.ts';
import type { PackSnapshotRecord } from '../../projections/folds/packs.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { columnsOf, pad, padLeft } from './columns.ts';
import { count } from './format.ts';
import type { Colours } from './terminal.ts';

interface Compared {
  name: string;
  tokens: number;
  renderHash: string;
  record?: PackSnapshotRecord;
}

interface Row extends ItemDifference {
  cause: Cause | undefined;
  /** The event that added its source, or ran its command, if that was since. */
  added?: number | undefined;
  captured?: number | undefined;
  /** Why it is not there now. */
  reason: Reason | undefined;
  patch?: string;
  noPatch?: string;
}

/** The keys are the contract with programs. */
export const diffJson = (before: Compared, after: Compared, items: readonly Row[]) => ({
  before: sideJson(before),
  after: sideJson(after),
  tokens: after.tokens - before.tokens,
  items: items.map(({ label, status, tokens, cause, reason, patch, noPatch, ...item }) => ({
    label,
    status,
    path: (item.after ?? item.before)?.path ?? null,
    tokens_before: item.before?.tokens ?? null,
    tokens_after: item.after?.tokens ?? null,
    tokens,
    cause: cause === undefined ? null : causeJson(cause),
    ...(reason !== undefined && { reason }),
    ...(patch !== undefined && { patch }),
    ...(noPatch !== undefined && { no_patch: noPatch }),
  })),
});

const sideJson = ({ name, tokens, renderHash, record }: Compared) => ({
  name,
  snapshot: record?.id ?? null,
  tokens,
  render_hash: renderHash,
});

const causeJson = ({ seq, tool, session, at, prompt, isOutside }: Cause) => ({
  seq,
  tool,
  session,
  at,
  outside: isOutside === true,
  prompt:
    prompt === undefined ? null : { number: prompt.number, seq: prompt.seq, text: prompt.text },
});

/** `src/auth/session.ts   5,310 → 5,722   +412   changed by Edit @5188 ("rotate on refresh", @prompt:3)` */
export function diffLines(
  before: Compared,
  after: Compared,
  items: readonly Row[],
  { colours }: { colours: Colours },
): string[] {
  const sides = `${before.name} → ${after.name}`;
  if (items.length === 0) {
    const order =
      before.renderHash === after.renderHash ? '' : ', but their order or policy differs';
    return [`${sides}: the same${order}, ${count(after.tokens)} tokens`];
  }
  const lines = itemLines(items, whyOf);
  return [
    `${sides}: ${differing(items.length)}, ${signed(after.tokens - before.tokens)} tokens`,
    ...items.flatMap((one, n) => [lines[n]!, ...patchLines(one, colours)]),
  ];
}

const SIGNS = { changed: '~', added: '+', removed: '-' } as const;

/** ` ~ src/auth/session.ts   5,310 → 5,722   +412`, and why. */
export function itemLines<T extends ItemDifference<LockedItem>>(
  items: readonly T[],
  whyOf: (one: T) => string = () => '',
): string[] {
  const cells = items.map((one) => [
    ` ${SIGNS[one.status]} ${one.label}`,
    `${countOf(one.before)} → ${countOf(one.after)}`,
    signed(one.tokens),
  ]);
  const [label, tokens, delta] = [0, 1, 2].map((n) =>
    Math.max(...cells.map((row) => columnsOf(row[n]!))),
  ) as [number, number, number];
  return cells.map(([name, counts, more], n) =>
    [pad(name!, label), padLeft(counts!, tokens), padLeft(more!, delta), whyOf(items[n]!)]
      .join('   ')
      .trimEnd(),
  );
}

const countOf = (item: { tokens: number } | undefined): string =>
  item === undefined ? '–' : count(item.tokens);

const signed = (tokens: number): string =>
  tokens < 0 ? `-${count(-tokens)}` : `+${count(tokens)}`;

function whyOf({ status, cause, added, captured, reason, after }: Row): string {
  if (status === 'removed') return reason === undefined ? 'not in it any more' : `now ${reason}`;
  if (cause !== undefined) {
    const verb = cause.tool === 'Write' ? 'written' : `changed by ${cause.tool}`;
    const outside = cause.isOutside ? ', and then by something that was not recorded' : '';
    return `${status === 'added' ? 'new, ' : ''}${verb} @${cause.seq}${promptOf(cause)}${outside}`;
  }
  if (captured !== undefined) return `run again @${captured}`;
  if (status === 'added')
    return added === undefined ? 'new' : `new, its source was added @${added}`;
  return after?.path === undefined ? '' : 'no recorded change';
}

function promptOf({ prompt }: Cause): string {
  if (prompt === undefined) return '';
  const { number, seq, text, isOfLastSession } = prompt;
  // That point means the session that was active last.
  return ` ("${text}", ${isOfLastSession ? `@prompt:${number}` : `@${seq}`})`;
}

function patchLines({ patch, noPatch }: Row, { green, red, dim }: Colours): string[] {
  if (patch === undefined) return noPatch === undefined ? [] : [dim(`   no diff: ${noPatch}`)];
  return patch
    .trimEnd()
    .split('\n')
    .map((line) => (line.startsWith('+') ? green(line) : line.startsWith('-') ? red(line) : line));
}

/** `2 items differ from snapshot v1.0 (+730 tokens): ben10 pack diff auth` */
export function staleLine({ snapshot, items, tokens }: Staleness): string {
  const name = nameOfSnapshot(snapshot);
  if (items === 0) return `The same as snapshot ${name}.`;
  const given = snapshot.packs.length === 1 ? snapshot.packs[0]! : name;
  return `${differing(items)} from snapshot ${name} (${signed(tokens)} tokens): ben10 pack diff ${shellWord(oneLine(given))}`;
}

export const staleJson = ({ snapshot, items, tokens }: Staleness) => ({
  snapshot: nameOfSnapshot(snapshot),
  items,
  tokens,
});

const differing = (items: number): string =>
  items === 1 ? '1 item differs' : `${count(items)} items differ`;
