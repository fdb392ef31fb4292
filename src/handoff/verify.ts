import type { Claim, HandoffCreated } from '../events/types.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import { commitOf, type Frame } from '../journal/format/frame.ts';
import { JournalReader } from '../journal/read/reader.ts';
import type { Project } from '../project/open.ts';
import type { Handoff } from '../projections/folds/handoffs.ts';
import { ERASED } from '../projections/safe-text.ts';
import { textOf } from '../projections/tools-text.ts';
import { chainOf, eventAt } from './at-seq.ts';
import { isDerivable, RUNS } from './claims.ts';
import { editsOf } from './edits.ts';
import { type Gathered, gather } from './gather.ts';
import { changeOf, sinceOf } from './since.ts';
import type { Tree } from './tree.ts';

export const VERDICTS = ['holds', 'changed', 'gone', 'erased', 'false', 'foreign journal'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Checked {
  claim: Claim;
  verdict: Verdict;
  /** Who or what changed it, and how; empty if it holds. */
  why: string;
}

export interface Verification {
  handoff: string;
  file: string;
  checked: Checked[];
  /** Lines of the document that were edited by hand. */
  edited: number[];
  /** There is no file that can be read; the journal still has its text. */
  isGone: boolean;
  /** Everything holds, and the document is as it was written. */
  holds: boolean;
}

export const heldIn = ({ checked }: Verification): number =>
  checked.filter(({ verdict }) => verdict === 'holds').length;

/**
 * Derives each claim again from the journal as it was at the handoff, then asks the tree, and later work, whether it is still so.
 * @param document the text to verify; by default the file that was written
 */
export function verifyHandoff(
  project: Project,
  { handoff, checkpoint, session, worktree, wip }: Handoff,
  document?: string,
): Verification {
  const { upto, file } = handoff;
  const data = eventAt(project, handoff.seq)?.data as Partial<HandoffCreated> | undefined;
  const { claims = [] } = data ?? {};
  const written = textOf(data?.text);
  const foreign = foreignOf(project, upto, handoff.chain);
  if (foreign !== undefined) return asWhole(file, 'foreign journal', foreign, checkpoint);
  if (written === ERASED) return asWhole(file, 'erased', 'its words were erased', checkpoint);
  const gathered = gather(project, { session: session ?? '', worktree, upto });
  const now = document ?? gathered.tree.textOf(file);
  const edits = editsOf(written, now);
  const head = claims.find(({ kind }) => kind === 'head')?.fact;
  const since = sinceOf(gathered, head, wip);
  const raw = new JournalReader(project.ports, project.root, project.decoders);
  const verdictOn = (claim: Claim): readonly [Verdict, why: string] => {
    const { n, seq } = claim;
    const state = stateOf(raw, seq);
    if (state === 'gone') return ['gone', `event @${seq} cannot be read any more`];
    if (state === 'forged') return ['false', `event @${seq} is not what was written`];
    if (!isDerivable(gathered, claim) && !says(gathered, claim))
      return state === 'erased'
        ? ['erased', `event @${seq} was erased`]
        : ['false', `@${seq} does not say so`];
    if (edits.claims.has(n)) return ['false', `${wordsOf(claim)}; edited by hand`];
    return changeOf(claim, since) ?? ['holds', ''];
  };
  const checked = claims.map((claim): Checked => {
    const [verdict, why] = verdictOn(claim);
    return { claim, verdict, why };
  });
  const isWritten = claims.length > 0 && edits.lines.length === 0 && now !== undefined;
  return {
    handoff: checkpoint,
    file,
    checked,
    edited: edits.lines,
    isGone: now === undefined,
    holds: isWritten && checked.every(({ verdict }) => verdict === 'holds'),
  };
}

/** What the journal has in the place of an edited line. */
const wordsOf = ({ seq, kind, fact, subject }: Claim): string =>
  RUNS.has(kind) ? `@${seq} ended with ${fact}` : `@${seq} says: ${fact || subject}`;

/** A document that the journal does not know, or not any more. */
export const unknownDocument = (project: Project, file: string, text: string): Verification =>
  wasErased(project, text)
    ? asWhole(file, 'erased', 'its checkpoint was erased')
    : asWhole(file, 'foreign journal', 'this journal did not write it, or its end was cut off');

/** Where no claim can be checked by itself. */
function asWhole(file: string, verdict: Verdict, why: string, handoff = ''): Verification {
  const claim = { n: 0, kind: 'document', seq: 0, basis: 'seen', subject: file, fact: '' } as const;
  const checked = [{ claim, verdict, why }];
  return { handoff, file, checked, edited: [], isGone: false, holds: false };
}

const NEAR = 16;

/** Whether the journal is the one that a document was written from, and has lost an event of that time. */
function wasErased(project: Project, text: string): boolean {
  const [, seq = ''] = /^seq: (\d{1,15})$/m.exec(text) ?? [];
  const [, chain = ''] = /^chain: "([0-9a-f]{64})"$/m.exec(text) ?? [];
  const at = Number(seq);
  if (seq === '' || foreignOf(project, at, chain) !== undefined) return false;
  const raw = new JournalReader(project.ports, project.root, project.decoders);
  const near = Array.from({ length: 2 * NEAR }, (_, index) => at - NEAR + index);
  return near.some((one) => one > 0 && stateOf(raw, one) === 'erased');
}

const ANCHOR = /^([0-9a-f]{16}) @(\d{1,15}) ([0-9a-f]{64})$/;

/**
 * What the newest commit knows where the journal knows of no handoff: a commit of work in progress names the journal's chain at its time.
 * @returns undefined if it names none, or what is there
 */
export function foreignCommit(project: Project, tree: Tree): Verification | undefined {
  const commit = tree.head();
  if (commit === undefined) return undefined;
  const format = '--format=%(trailers:key=Ben10-Checkpoint,valueonly)';
  const said = tree.git('log', '-1', '--no-show-signature', format, commit)?.trim() ?? '';
  const [, , seq, chain] = ANCHOR.exec(said) ?? [];
  const why = chain === undefined ? undefined : foreignOf(project, Number(seq), chain);
  return why === undefined
    ? undefined
    : asWhole(`commit ${commit.slice(0, 12)}`, 'foreign journal', why);
}

/** Why the journal is not the one that the document was written from; undefined if it is. */
function foreignOf(project: Project, upto: number, chain: string): string | undefined {
  const now = chainOf(project, upto);
  if (now === undefined) return `the journal has no event @${upto}: its end was cut off`;
  return now === chain ? undefined : `the journal up to @${upto} is another one`;
}

/** An event as it lies in the journal, not as something stands for it. */
function stateOf(raw: JournalReader, seq: number): 'there' | 'erased' | 'gone' | 'forged' {
  for (const { entry } of raw.entries(seq, seq)) {
    if (entry === undefined) continue;
    if (entry.kind === FRAME_KIND.tombstone) return 'erased';
    const { salt, payload, commit } = entry;
    const isWhole =
      (entry as Partial<Frame>).isCommitted?.() ?? commitOf(salt, payload).equals(commit);
    return isWhole ? 'there' : 'forged';
  }
  return 'gone';
}

/** Whether an event has these words, wherever: for what no state keeps, and for states of another version. */
function says({ project, clean }: Gathered, { seq, kind, subject, fact }: Claim): boolean {
  if (kind === 'section' || kind === 'head') return true;
  if (kind === 'file' || kind === 'todo' || RUNS.has(kind)) return false;
  const wanted = kind === 'wip' ? fact : kind === 'checkpoint' ? fact.split(' ')[0]! : subject;
  const words = wanted.replace(/…$/, '');
  return textsIn(eventAt(project, seq)?.data).some((text) =>
    clean(text, Number.POSITIVE_INFINITY).includes(words),
  );
}

const DEPTH_MAX = 6;

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}
