import type { Claim, HandoffCreated } from '../events/types.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import { commitOf, type Frame } from '../journal/format/frame.ts';
import { chainAt } from '../journal/read/chain-at.ts';
import { JournalReader } from '../journal/read/reader.ts';
import type { Project } from '../project/open.ts';
import type { Handoff } from '../projections/folds/handoffs.ts';
import { ERASED } from '../projections/safe-text.ts';
import { textOf } from '../projections/tools-text.ts';
import { cleaner } from '../workspace/clean.ts';
import { isDerivable, RUNS, TAG } from './claims.ts';
import { editsOf } from './edits.ts';
import { eventAt } from './files.ts';
import { gather } from './gather.ts';
import { Since } from './since.ts';
import { Tree } from './tree.ts';
import { claimInTree } from './verify-tree.ts';

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
  title: string;
  checked: Checked[];
  /** Lines of the document that were edited by hand. */
  edited: number[];
  /** There is no file that can be read; the journal still has its text. */
  isGone: boolean;
  /** Everything holds, and the document is as it was written. */
  holds: boolean;
}

export const countOf = ({ checked }: Verification, verdict: Verdict): number =>
  checked.filter((one) => one.verdict === verdict).length;

/**
 * Derives each claim again from the journal as it was at the handoff, then asks the tree, and later work, whether it is still so.
 * @param document the text to verify; by default the file that was written
 */
export function verifyHandoff(
  project: Project,
  { handoff, checkpoint, session, worktree, wip }: Handoff,
  document?: string,
): Verification {
  const data = eventAt(project, handoff.seq)?.data as Partial<HandoffCreated> | undefined;
  const { claims = [], upto = handoff.upto, file = handoff.file } = data ?? {};
  const tree = new Tree(project, worktree);
  const clean = cleaner(project.redact);
  const found = document ?? tree.read(file);
  const isGone = typeof found !== 'object' && document === undefined;
  const written = textOf(data?.text);
  const edits =
    written === undefined || isGone || found === undefined
      ? { lines: [], claims: new Set<number>() }
      : editsOf(written, found.toString());
  if (written === ERASED)
    return { ...unknownDocument(project, file, found?.toString() ?? ''), handoff: checkpoint };
  const foreign = foreignOf(project, upto, handoff.chain);
  const gathered = gather(project, { session: session ?? '', worktree, upto });
  const journal = new JournalSide(project);
  const since = new Since(project, tree, {
    upto,
    head: claims.find(({ kind }) => kind === 'head')?.fact,
    wip,
  });
  const checked = claims.map((claim): Checked => {
    if (foreign !== undefined) return { claim, verdict: 'foreign journal', why: foreign };
    const is = journal.stateOf(claim.seq);
    if (is === 'gone') return gone(claim, `event @${claim.seq} cannot be read any more`);
    if (is === 'forged') return falseOf(claim, `event @${claim.seq} is not what was written`);
    if (!isDerivable(gathered, claim, clean, tree) && !journal.says(claim))
      return is === 'erased'
        ? { claim, verdict: 'erased', why: `event @${claim.seq} was erased` }
        : falseOf(claim, `@${claim.seq} does not say so`);
    if (edits.claims.has(claim.n)) return falseOf(claim, otherwise(claim));
    return claimInTree(claim, tree, since) ?? { claim, verdict: 'holds', why: '' };
  });
  const anchor = foreign === undefined ? anchorProblem(project, tree, wip?.commit) : undefined;
  const all = checked.map(
    (one): Checked =>
      anchor !== undefined && one.claim.kind === 'wip'
        ? { claim: one.claim, verdict: 'foreign journal', why: anchor }
        : one,
  );
  const holds = all.every(({ verdict }) => verdict === 'holds');
  return {
    handoff: checkpoint,
    file,
    title: handoff.title,
    checked: all,
    edited: edits.lines,
    isGone,
    holds: holds && edits.lines.length === 0 && !isGone && data !== undefined,
  };
}

/** A document that the journal does not know, or not any more. */
export function unknownDocument(project: Project, file: string, text: string): Verification {
  const isErased = wasErased(project, text);
  const verdict = isErased ? 'erased' : 'foreign journal';
  const why = isErased
    ? 'its checkpoint was erased'
    : 'this journal did not write it, or its end was cut off';
  const checked = text.split(/\r?\n/).flatMap((line): Checked[] => {
    const [tag, n, seq, basis] = TAG.exec(line) ?? [];
    if (tag === undefined) return [];
    const subject = line
      .slice(0, -tag.length)
      .replace(/^(?:- |\d+\. )/, '')
      .trim();
    const known = { n: Number(n), seq: Number(seq), basis: basis as Claim['basis'] };
    return [{ claim: { ...known, kind: 'line', subject, fact: '' }, verdict, why }];
  });
  return { handoff: '', file, title: '', checked, edited: [], isGone: false, holds: false };
}

const NEAR = 16;

/** Whether the journal is the one that a document was written from, and has lost an event of that time. */
function wasErased(project: Project, text: string): boolean {
  const [, seq = ''] = /^seq: (\d{1,15})$/m.exec(text) ?? [];
  const [, chain = ''] = /^chain: "([0-9a-f]{64})"$/m.exec(text) ?? [];
  const at = Number(seq);
  if (seq === '' || foreignOf(project, at, chain) !== undefined) return false;
  const journal = new JournalSide(project);
  const near = Array.from({ length: 2 * NEAR }, (_, index) => at - NEAR + index);
  return near.some((one) => one > 0 && journal.stateOf(one) === 'erased');
}

/** What the newest commit knows where the journal knows of no handoff: its end was cut off. Undefined if it names none, or what is there. */
export function foreignCommit(project: Project, tree: Tree): Verification | undefined {
  const commit = tree.head();
  const why = anchorProblem(project, tree, commit);
  if (commit === undefined || why === undefined) return undefined;
  const claim = {
    n: 1,
    kind: 'wip',
    seq: 0,
    basis: 'seen',
    subject: 'HEAD',
    fact: commit,
  } as const;
  const checked: Checked[] = [{ claim, verdict: 'foreign journal', why }];
  const none = { handoff: '', title: '', edited: [], isGone: false, holds: false };
  return { ...none, file: `commit ${commit.slice(0, 12)}`, checked };
}

const gone = (claim: Claim, why: string): Checked => ({ claim, verdict: 'gone', why });
const falseOf = (claim: Claim, why: string): Checked => ({ claim, verdict: 'false', why });

/** What the journal has in the place of an edited line. */
const otherwise = ({ seq, kind, fact, subject }: Claim): string => {
  if (RUNS.has(kind)) return `@${seq} ended with ${fact}; edited by hand`;
  return `@${seq} says: ${fact === '' ? subject : fact}; edited by hand`;
};

/** Why the journal is not the one that the document was written from; undefined if it is. */
function foreignOf(project: Project, upto: number, chain: string): string | undefined {
  const now = chainOf(project, upto);
  if (now === undefined) return `the journal has no event @${upto}: its end was cut off`;
  return now === chain ? undefined : `the journal up to @${upto} is another one`;
}

const ANCHOR = /^([0-9a-f]{16}) @(\d{1,15}) ([0-9a-f]{64})$/;

/** A commit of work in progress names the journal's chain at its time: a journal that lost its end and grew again has another one. */
function anchorProblem(project: Project, tree: Tree, commit: string | undefined) {
  if (commit === undefined) return undefined;
  const format = '--format=%(trailers:key=Ben10-Checkpoint,valueonly)';
  const said = tree.git('log', '-1', '--no-show-signature', format, commit)?.trim() ?? '';
  const [, , seq, chain] = ANCHOR.exec(said) ?? [];
  return chain === undefined ? undefined : foreignOf(project, Number(seq), chain);
}

export const chainOf = (
  { ports, layout, decoders, reader }: Project,
  seq: number,
): string | undefined => chainAt(ports, layout, seq, decoders, reader.files)?.toString('hex');

type State = 'there' | 'erased' | 'gone' | 'forged';

/** The events that claims name, as they lie in the journal, not as something stands for them. */
class JournalSide {
  readonly #project: Project;
  readonly #raw: JournalReader;
  readonly #known = new Map<number, State>();

  constructor(project: Project) {
    this.#project = project;
    this.#raw = new JournalReader(project.ports, project.root, project.decoders);
  }

  stateOf(seq: number): State {
    const known = this.#known.get(seq) ?? this.#look(seq);
    this.#known.set(seq, known);
    return known;
  }

  #look(seq: number): State {
    for (const { entry } of this.#raw.entries(seq, seq)) {
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
  says({ seq, kind, subject, fact }: Claim): boolean {
    if (kind === 'section' || kind === 'head') return true;
    if (kind === 'file' || kind === 'todo' || RUNS.has(kind)) return false;
    const clean = cleaner(this.#project.redact);
    const wanted = kind === 'wip' ? fact : kind === 'checkpoint' ? fact.split(' ')[0]! : subject;
    const words = wanted.replace(/…$/, '');
    return textsIn(eventAt(this.#project, seq)?.data).some((text) =>
      clean(text, Number.POSITIVE_INFINITY).includes(words),
    );
  }
}

const DEPTH_MAX = 6;

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}
