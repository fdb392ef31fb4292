import type { CheckpointBegun } from '../events/types.ts';
import { textOf } from '../projections/tools-text.ts';
import type { Clean } from '../workspace/clean.ts';
import { type Statement, SUBJECT_CHARS, statementOf, todoStatements } from './claims.ts';
import { endedAt, type Gathered } from './gather.ts';

const STEPS_MAX = 8;
const STEP_CHARS = 220;

/** What comes next: in the agent's own words, else what its todos, failures and the last prompt tell. */
export function nextStepsOf(
  gathered: Gathered,
  begun: CheckpointBegun & { seq: number },
  clean: Clean,
): Statement[] {
  const own = said('next', begun.seq, begun.nextSteps ?? [], clean);
  if (own.length > 0) return own.slice(0, STEPS_MAX);
  const words = gathered.work?.notes ? saved(gathered, clean) : [];
  return (words.length > 0 ? words : derived(gathered, clean)).slice(0, STEPS_MAX);
}

/** The todos that were saved open, and are not done since; the words that were saved with them. */
function saved({ work, tasks }: Gathered, clean: Clean): Statement[] {
  if (work === null) return [];
  const done = new Set(tasks.filter((one) => one.status === 'completed').map((one) => one.subject));
  const open = work.todos.filter((one) => one.status !== 'completed' && !done.has(one.content));
  const words = work.notes ? [work.notes] : [];
  return said('saved', work.seq, [...open.map(({ content }) => content), ...words], clean);
}

export const said = (
  kind: string,
  seq: number,
  all: readonly string[],
  clean: Clean,
): Statement[] =>
  all
    .map((one) => clean(one, SUBJECT_CHARS))
    .filter((one) => one !== '')
    .map((subject) => {
      return { kind, seq, basis: 'said', subject, fact: '', text: clean(subject, STEP_CHARS) };
    });

function derived(gathered: Gathered, clean: Clean): Statement[] {
  const todos = todoStatements(gathered, clean);
  const as = (verb: string, status: string) =>
    todos
      .filter(({ fact }) => fact === status)
      .map((todo) => ({ ...todo, basis: 'derived' as const, text: `${verb}${todo.text}` }));
  const steps = [
    ...as('Go on with: ', 'in_progress'),
    ...failing(gathered, clean),
    ...as('Then: ', 'pending'),
    ...(todos.length > 0 ? [] : saved(gathered, clean)),
  ];
  return steps.length > 0 ? steps : lastAsked(gathered, clean);
}

function failing(gathered: Gathered, clean: Clean): Statement[] {
  // A file that could not be read is nothing to run again.
  const errors = gathered.items.filter(
    ({ kind, seq }) => kind === 'error' && endedAt(gathered, seq)?.name === 'Bash',
  );
  const [worst] = errors.toSorted((a, b) => b.worth - a.worth);
  const statement = worst && statementOf(gathered, worst, clean);
  if (statement === undefined || statement.fact === '') return [];
  return [{ ...statement, basis: 'derived', text: `Run again what fails: ${statement.text}` }];
}

function lastAsked({ items }: Gathered, clean: Clean): Statement[] {
  const last = items.findLast(({ kind, sure }) => kind === 'prompt' && sure === true);
  if (last === undefined) return [];
  const subject = clean(last.text, SUBJECT_CHARS);
  const text = `Go on with what was asked last: ${clean(last.text, STEP_CHARS)}`;
  return [{ kind: 'prompt', seq: last.seq, basis: 'derived', subject, fact: '', text }];
}

/** Of an event that the agent or the user gave along. */
export const textIn = (given: CheckpointBegun['note']): string => textOf(given) ?? '';
