import type { ToolSucceeded } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { type FileRecord, type FilesState, isGone } from '../projections/folds/files.ts';
import { isObject } from '../projections/tools-text.ts';
import { eventAt } from './at-seq.ts';
import { type Statement, SUBJECT_CHARS } from './claims.ts';
import type { Gathered } from './gather.ts';
import type { Tree } from './tree.ts';

const FILES_MAX = 40;

/** Files of the tree that a session changed, the last one first, with the event of the last change. */
export const changedIn = (tree: Tree, { files }: FilesState) =>
  Object.values(files)
    .filter((file) => file.edits > 0 && file.changedSeq !== null && !isGone(file))
    .sort((a, b) => b.changedSeq! - a.changedSeq!)
    .slice(0, FILES_MAX)
    .flatMap((file) => {
      const name = tree.nameOf(file.path);
      return name === undefined ? [] : [{ file, name, seq: file.changedSeq! }];
    });

/** As a document names them, with the lines of the last change and what is in them now. */
export function fileStatements({ project, tree, state, clean }: Gathered): Statement[] {
  return changedIn(tree, state.files).map(({ file, name, seq }): Statement => {
    const fact = tree.contentOf(name);
    const gone = fact === 'gone' ? ', not there any more' : '';
    const ranges = linesChanged(project, seq);
    const lines = ranges.length === 0 ? '' : `, lines ${ranges.join(', ')}`;
    const text = `${clean(name, SUBJECT_CHARS)}: ${done(file)}${lines}${gone}`;
    const subject = clean(name, SUBJECT_CHARS);
    return { kind: 'file', seq, basis: 'seen', subject, fact, text };
  });
}

/** Files of the tree that were only read, the last one first: what they say may be needed again. */
export function readStatement({ tree, state, clean }: Gathered): Statement[] {
  const read = Object.values(state.files.files)
    .filter(({ edits, reads }) => edits === 0 && reads > 0)
    .sort((a, b) => b.lastSeq - a.lastSeq)
    .slice(0, FILES_MAX);
  const names = read.flatMap(({ path }) => clean(tree.nameOf(path) ?? '', SUBJECT_CHARS) || []);
  while (names.join(', ').length > SUBJECT_CHARS) names.pop();
  if (names.length === 0) return [];
  const subject = names.join(', ');
  const text = `Only read, the last one first: ${subject}`;
  return [{ kind: 'read', seq: read[0]!.lastSeq, basis: 'derived', subject, fact: '', text }];
}

function done({ lastAction, edits, linesAdded, linesRemoved }: FileRecord): string {
  const times = edits > 1 ? ` ${edits} times` : '';
  const lines = linesAdded + linesRemoved === 0 ? '' : `, +${linesAdded} −${linesRemoved}`;
  return `${lastAction}${times}${lines}`;
}

const RANGES_MAX = 3;

/** From the client's patch of a change: `45–120`. */
export function linesChanged(project: Project, seq: number): string[] {
  const { response } = (eventAt(project, seq)?.data ?? {}) as Partial<ToolSucceeded>;
  const hunks = isObject(response) ? response.structuredPatch : undefined;
  const ranges = (Array.isArray(hunks) ? hunks : []).flatMap((hunk): string[] => {
    if (!isObject(hunk)) return [];
    const { newStart: from, newLines: count } = hunk;
    if (typeof from !== 'number' || typeof count !== 'number' || count < 1) return [];
    return [count === 1 ? `${from}` : `${from}–${from + count - 1}`];
  });
  return ranges.slice(-RANGES_MAX);
}
