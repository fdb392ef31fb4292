import type { Claim } from '../events/types.ts';
import { RUNS } from './claims.ts';
import { sectionsOf } from './reload.ts';
import type { Since } from './since.ts';
import type { Tree } from './tree.ts';
import type { Checked } from './verify.ts';

/** Whether what was so at the handoff is so no more; undefined if nothing speaks against it. */
export function claimInTree(claim: Claim, tree: Tree, since: Since): Checked | undefined {
  const { kind, subject, fact } = claim;
  const changed = (why: string | undefined): Checked | undefined =>
    why === undefined ? undefined : { claim, verdict: 'changed', why };
  const gone = (why: string): Checked => ({ claim, verdict: 'gone', why });
  if (kind === 'file') {
    const now = tree.contentOf(subject);
    if (now === fact) return undefined;
    // Too large, no file any more, or no time: nobody is said to have changed it.
    if (now === '') return changed('it could not be read');
    return now === 'gone' ? gone(since.changedBy(subject)) : changed(since.changedBy(subject));
  }
  if (kind === 'section') {
    const file = subject.slice(0, subject.lastIndexOf('.md#') + 3);
    const all = sectionsOf(tree, file);
    if (all.some(({ hash }) => hash === fact)) return undefined;
    const isThere = all.some(({ heading }) => since.clean(`${file}#${heading}`, 300) === subject);
    return isThere ? changed(since.changedBy(file)) : gone('the section is not there any more');
  }
  if (kind === 'head') {
    const now = tree.head();
    if (now === undefined) return changed('git did not answer');
    return now === fact ? undefined : changed(`it is ${now.slice(0, 12)} now`);
  }
  if (kind === 'wip') {
    if (since.wip?.isUndone === true) return changed('it was taken back');
    const isThere = tree.git('cat-file', '-e', `${fact}^{commit}`) !== undefined;
    if (!isThere) return gone('not in this repository any more');
    const holds = tree.git('merge-base', '--is-ancestor', fact, subject) !== undefined;
    return holds ? undefined : gone(`not on ${subject} any more`);
  }
  if (kind === 'todo') return changed(since.todo(subject, fact));
  if (RUNS.has(kind)) return changed(since.run(subject, fact));
  return since.isRetracted(subject) ? changed('it was retracted') : undefined;
}
