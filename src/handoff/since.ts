import type { Claim, PreferenceRetracted } from '../events/types.ts';
import { readEvents } from '../projections/events.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { evidence } from '../projections/folds/evidence.ts';
import type { Handoff } from '../projections/folds/handoffs.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { runKey } from '../projections/outcome/passes.ts';
import { outcomeText } from '../projections/outcome/words.ts';
import { RUNS, SUBJECT_CHARS } from './claims.ts';
import type { Gathered } from './gather.ts';
import { sectionsOf } from './reload.ts';

/** Each is folded. */
const SESSIONS_MAX = 5;
const ID_CHARS = 8;
const OUTSIDE = 'outside of the agent';

interface Later {
  session: string;
  state: ContextState;
}

/** What happened after a handoff: other sessions' work, commits, what was taken back. */
export interface Since extends Gathered {
  /** The commit that was checked out. */
  head: string | undefined;
  wip: Handoff['wip'];
  /** Sessions that were active since, the last one first. */
  later: Later[];
  retracted: ReadonlySet<string>;
}

export function sinceOf(gathered: Gathered, head: Since['head'], wip: Since['wip']): Since {
  const { project, clean, upto } = gathered;
  const { states, reader, ports } = project;
  const later = Object.values(states.at(recentSessions, null).state.sessions)
    .filter(({ lastSeq }) => lastSeq > upto)
    .sort((a, b) => b.lastAt - a.lastAt)
    .slice(0, SESSIONS_MAX)
    .map(({ session }) => ({ session, state: states.at(context, session).state }));
  const query = { from: upto + 1, types: ['preference.retracted'] };
  const retracted = new Set<string>();
  for (const { data } of readEvents(reader, ports.xxh64, query))
    retracted.add(clean((data as PreferenceRetracted).text ?? '', SUBJECT_CHARS));
  return { ...gathered, head, wip, later, retracted };
}

/** Why what was so at the handoff is so no more: changed, or gone. */
export type Change = readonly ['changed' | 'gone', why: string];

/** Asks the tree and the journal. @returns undefined if nothing speaks against the claim */
export function changeOf({ kind, subject, fact }: Claim, since: Since): Change | undefined {
  const changed = (why: string | undefined): Change | undefined =>
    why === undefined ? undefined : ['changed', why];
  if (kind === 'file') return fileChange(since, subject, fact);
  if (kind === 'section') return sectionChange(since, subject, fact);
  if (kind === 'head') {
    const now = since.tree.head();
    if (now === undefined) return ['changed', 'git did not answer'];
    return now === fact ? undefined : ['changed', `it is ${now.slice(0, 12)} now`];
  }
  if (kind === 'wip') return wipChange(since, subject, fact);
  if (kind === 'todo') return changed(todoChange(since, subject, fact));
  if (RUNS.has(kind)) return changed(runChange(since, subject, fact));
  return since.retracted.has(subject) ? ['changed', 'it was retracted'] : undefined;
}

function fileChange(since: Since, name: string, fact: string): Change | undefined {
  const now = since.tree.contentOf(name);
  if (now === fact) return undefined;
  // Too large, no file any more, or no time: nobody is said to have changed it.
  if (now === '') return ['changed', 'it could not be read'];
  return [now === 'gone' ? 'gone' : 'changed', changedBy(since, name)];
}

function sectionChange(since: Since, subject: string, fact: string): Change | undefined {
  const file = subject.slice(0, subject.lastIndexOf('.md#') + 3);
  const all = sectionsOf(since.tree, file);
  if (all.some(({ hash }) => hash === fact)) return undefined;
  const isThere = all.some(
    ({ heading }) => since.clean(`${file}#${heading}`, SUBJECT_CHARS) === subject,
  );
  return isThere
    ? ['changed', changedBy(since, file)]
    : ['gone', 'the section is not there any more'];
}

function wipChange({ tree, wip }: Since, ref: string, commit: string): Change | undefined {
  if (wip?.isUndone === true) return ['changed', 'it was taken back'];
  if (tree.git('cat-file', '-e', `${commit}^{commit}`) === undefined)
    return ['gone', 'not in this repository any more'];
  const holds = tree.git('merge-base', '--is-ancestor', commit, ref) !== undefined;
  return holds ? undefined : ['gone', `not on ${ref} any more`];
}

/** Who changed a file, as far as that is known. */
function changedBy({ later, upto, tree, head }: Since, name: string): string {
  for (const { session, state } of later) {
    const file = Object.values(state.files.files).find(
      (one) => (one.changedSeq ?? 0) > upto && tree.nameOf(one.path) === name,
    );
    if (file !== undefined) return by(session, file.changedSeq!);
  }
  if (head === undefined) return OUTSIDE;
  const range = [`${head}..HEAD`, '--', `:(top,literal)${name}`];
  const commit = tree.git('log', '-1', '--no-show-signature', '--format=%H', ...range);
  return commit ? `by commit ${commit.slice(0, 12)}` : OUTSIDE;
}

/** What became of a todo. */
function todoChange({ later, upto, clean }: Since, subject: string, status: string) {
  for (const { session, state } of later) {
    const task = Object.values(state.tasks.tasks).find(
      (one) => one.seq > upto && clean(one.subject, SUBJECT_CHARS) === subject,
    );
    if (task !== undefined)
      return task.status === status ? undefined : `${task.status} ${by(session, task.seq)}`;
  }
  return undefined;
}

/** How a command ended when it last ran since. */
function runChange({ later, upto, clean, project }: Since, command: string, how: string) {
  const key = runKey(command);
  for (const { session } of later) {
    const { outcomes } = project.states.at(evidence, session).state;
    const last = Object.values(outcomes).findLast(
      ({ seq, about, name }) =>
        seq > upto &&
        (name === 'Bash' ? runKey(about) === key : clean(about, SUBJECT_CHARS) === command),
    );
    if (last === undefined) continue;
    const now = outcomeText(last.verdict, last.exitCode);
    return now === how ? undefined : `${now} ${by(session, last.seq)}`;
  }
  return undefined;
}

const by = (session: string, seq: number): string =>
  `by session ${session.slice(0, ID_CHARS)} at @${seq}`;
