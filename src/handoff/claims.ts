import type { Claim } from '../events/types.ts';
import type { Item } from '../recall/item.ts';
import { changedIn, readStatement } from './files.ts';
import { endedAt, type Gathered } from './gather.ts';

/** A claim without its number, and how the document words it. */
export interface Statement extends Omit<Claim, 'n'> {
  text: string;
}

export const SUBJECT_CHARS = 300;
const FACT_CHARS = 120;
/** About what a line takes besides its words. */
export const TAG_CHARS = 24;

/** Kinds of recall's items that are runs; everything else is somebody's words. */
export const RUNS: ReadonlySet<string> = new Set(['command', 'error']);

/** @param shown the item as it was chosen: it may be shorter */
export function statementOf(gathered: Gathered, item: Item, shown: string = item.text): Statement {
  const { clean } = gathered;
  const { kind, seq, text, cites = [] } = item;
  const ended = RUNS.has(kind) ? endedAt(gathered, seq) : undefined;
  const isDerived = ended === undefined && cites.length > 0;
  return {
    kind,
    seq,
    basis: ended !== undefined ? 'seen' : isDerived ? 'derived' : 'said',
    subject: clean(ended?.command ?? text, SUBJECT_CHARS),
    fact: clean(ended?.how ?? '', FACT_CHARS),
    text: clean(shown, SUBJECT_CHARS),
  };
}

export function todoStatements({ tasks, clean }: Gathered): Statement[] {
  return tasks.map(({ subject, status, seq }) => ({
    kind: 'todo',
    seq,
    basis: 'seen',
    subject: clean(subject, SUBJECT_CHARS),
    fact: status,
    text: clean(subject, 160),
  }));
}

/**
 * Whether the journal at that point says what is claimed. Of a file it is asked whether the session changed it then; its content is the
 * tree's matter.
 */
export function isDerivable(gathered: Gathered, claim: Claim): boolean {
  const { kind, seq, subject, fact } = claim;
  const { state, tree, clean } = gathered;
  const is = (one: Statement) => one.seq === seq && one.subject === subject && one.fact === fact;
  if (kind === 'file')
    return changedIn(tree, state.files).some(
      (file) => file.seq === seq && clean(file.name, SUBJECT_CHARS) === subject,
    );
  if (kind === 'read') return readStatement(gathered).some(is);
  if (kind === 'todo') return todoStatements(gathered).some(is);
  return gathered.items.some(
    (item) => item.kind === kind && item.seq === seq && is(statementOf(gathered, item)),
  );
}

/** As it stands behind a line. Nothing that is quoted can look like one. */
export const tagOf = ({ n, seq, basis }: Pick<Claim, 'n' | 'seq' | 'basis'>): string =>
  `[C${n} @${seq} ${basis}]`;

/** Of a document whose title was erased. */
export const HEADING = '# Session Handoff';
/** At the end of a line. */
export const TAG = /\[C(\d+) @(\d+) (seen|said|derived)\]$/;

export const withoutTags = (text: string): string => text.replace(/\[C(?=\d+ @)/g, '(C');
