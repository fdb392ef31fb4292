import type { RedactionCount } from '../../capture/redaction/index.ts';
import type { Staleness } from '../../packs/kept/stale.ts';
import type { Item } from '../../packs/render/block.ts';
import type { Artifact, Candidate, Reason } from '../../packs/render/pack.ts';
import type { Excluded, Rendered } from '../../packs/render/render.ts';
import { cutTo, pad, padLeft } from './columns.ts';
import { count, plural } from './format.ts';
import { staleLine } from './pack-diff.ts';
import { SOURCE_COLUMNS, shownSource } from './packs.ts';
import type { Colours } from './terminal.ts';

interface Layout {
  /** With bars and the largest files. */
  isLong: boolean;
  colours: Colours;
  width: number;
  stale: Staleness | undefined;
}

/** What is in it, a line an artifact, then sums. */
export function previewLines(rendered: Rendered, names: string, layout: Layout): string[] {
  const { dim } = layout.colours;
  const [sum, ...rest] = sumLines(rendered, names);
  const { stale } = layout;
  const about = stale === undefined ? '' : `  ${staleLine(stale)}`;
  return [
    sum!,
    ...artifactRows(rendered, layout),
    ...rest,
    `${dim(`render ${rendered.renderHash.slice(0, 16)}…`)}${about}`,
  ];
}

/** Tokens, redactions, what is left out, and what was done to contents. */
export function sumLines(rendered: Rendered, names: string): string[] {
  const { policy, tokens, redactions, excluded, included } = rendered;
  const limit = policy.budgetTokens === null ? '' : ` of ${count(policy.budgetTokens)}`;
  const refused = rendered.payload.length === 0 ? '; it does not fit, so nothing is rendered' : '';
  const cleaned = included.flatMap(changeOf);
  return [
    `${names}   ${count(tokens)}${limit} tokens (${policy.tokenizer})${refused}`,
    ...(Object.keys(redactions).length === 0 ? [] : [`Redacted: ${countsOf(redactions)}`]),
    ...(excluded.length === 0 ? [] : [`Left out: ${leftOf(excluded)}`]),
    ...(cleaned.length === 0 ? [] : [`Changed: ${firstOf(cleaned)}`]),
  ];
}

const NAMED_MAX = 3;

const firstOf = (names: readonly string[]): string => {
  const more = names.length - NAMED_MAX;
  return [...names.slice(0, NAMED_MAX), ...(more > 0 ? [`${count(more)} more`] : [])].join(', ');
};

const countsOf = (counts: RedactionCount): string =>
  Object.entries(counts)
    .map(([rule, times]) => `${rule} ${count(times)}`)
    .join(', ');

function leftOf(excluded: readonly Excluded[]): string {
  const labels = new Map<Reason, string[]>();
  for (const { reason, candidate } of excluded)
    labels.set(reason, [...(labels.get(reason) ?? []), candidate.label]);
  return Array.from(
    labels,
    ([reason, all]) => `${count(all.length)} ${reason} (${firstOf(all)})`,
  ).join(', ');
}

function changeOf({ candidate, changes, lines }: Item): string[] {
  const { badBytes = 0, cleaned = 0, isCut = false } = changes;
  const said = [
    ...(badBytes > 0 ? [`${plural(badBytes, 'bad byte')}`] : []),
    ...(cleaned > 0 ? [`${plural(cleaned, 'unsafe character')} out`] : []),
    ...(isCut ? [`ends at line ${lines?.to}`] : []),
  ];
  return said.length === 0 ? [] : [`${candidate.label}: ${said.join(', ')}`];
}

interface Part {
  included: Item[];
  excluded: Excluded[];
}

const BAR_COLUMNS = 10;
const LARGEST = 3;

function artifactRows(rendered: Rendered, { isLong, colours, width }: Layout): string[] {
  const parts = new Map<Artifact, Part>();
  const partOf = ({ artifact }: Candidate): Part => {
    const part = parts.get(artifact) ?? { included: [], excluded: [] };
    parts.set(artifact, part);
    return part;
  };
  for (const item of rendered.included) partOf(item.candidate).included.push(item);
  for (const one of rendered.excluded) partOf(one.candidate).excluded.push(one);
  const rows = Array.from(parts, ([artifact, part]) => rowOf(artifact, part, rendered));
  const most = Math.max(1, ...rows.map(({ isIn, tokens }) => (isIn ? tokens : 0)));
  const columns = (texts: readonly string[]) => Math.max(0, ...texts.map(({ length }) => length));
  const sourceColumns = columns(rows.map(({ source }) => source));
  const filesColumns = columns(rows.map(({ files }) => files));
  const countColumns = columns(rows.map(({ counted }) => counted));
  return rows.map(({ artifact, isIn, source, files, counted, tokens, about, largest }) => {
    const bar = '▇'.repeat(isLong && isIn ? Math.round((tokens / most) * BAR_COLUMNS) : 0);
    const cells = [
      ` ${isIn ? 'in ' : 'out'}`,
      padLeft(String(artifact.priority), 5),
      ` ${pad(artifact.kind, 7)}`,
      ` ${pad(source, sourceColumns)}`,
      `  ${pad(files, filesColumns)}`,
      `  ${padLeft(counted, countColumns)}`,
    ].join('');
    const tail = [about, bar, ...(isLong ? largest : [])].filter(Boolean);
    // A name without its number says nothing: what does not fit is left out whole.
    const lines = [...tail.keys()].map((at) => [cells, ...tail.slice(0, at + 1)].join('  '));
    const line = lines.findLast((one) => one.length <= width) ?? cutTo(cells, width);
    return isIn ? line : colours.dim(line);
  });
}

function rowOf(artifact: Artifact, { included, excluded }: Part, { found }: Rendered) {
  const isIn = included.length > 0;
  const of = Math.max(included.length + excluded.length, found.get(artifact) ?? 0);
  const sum = (all: readonly { tokens?: number }[]) =>
    all.reduce((tokens, one) => tokens + (one.tokens ?? 0), 0);
  const tokens = sum(isIn ? included : excluded);
  const isGuess = !isIn && excluded.some(({ isEstimate }) => isEstimate);
  const ranked = included.toSorted((a, b) => b.tokens - a.tokens);
  const named = ranked
    .slice(0, LARGEST)
    .map((one) => `${nameOf(one.candidate)} ${count(one.tokens)}`);
  const more = ranked.length - LARGEST;
  const isDiff = artifact.kind === 'git';
  const [first] = [...included, ...excluded];
  const areFiles = [...included, ...excluded].some((one) => one.candidate.path !== undefined);
  return {
    artifact,
    isIn,
    source: isDiff ? cutTo(first!.candidate.label, SOURCE_COLUMNS) : shownSource(artifact),
    files:
      found.has(artifact) || (of > 1 && !isDiff)
        ? `${count(included.length)} of ${plural(of, areFiles ? 'file' : 'command')}`
        : '',
    tokens,
    counted: tokens === 0 ? '' : `${isGuess ? '~' : ''}${count(tokens)}`,
    about: isIn ? '' : excluded[0]!.reason,
    largest:
      ranked.length < 2 && artifact.kind !== 'journal'
        ? []
        : [...named, ...(more > 0 ? [`${more} more`] : [])],
  };
}

/** With the event of the journal that tells of it. */
function nameOf({ label, path, events = [] }: Candidate): string {
  const name = path === undefined ? label : label.slice(label.lastIndexOf('/') + 1);
  return events.length === 0 ? name : `${name} @${events.at(-1)}`;
}
