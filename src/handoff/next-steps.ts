import type { CheckpointBegun } from '../events/types.ts';
import { textOf } from '../projections/tools-text.ts';
import type { Weighed } from '../recall/worth.ts';
import type { Clean } from '../workspace/clean.ts';
import { type Statement, SUBJECT_CHARS, statementOf, todoStatements } from './claims.ts';
import { endedAt, type Gathered } from './gather.ts';

const STEPS_MAX = 8;
const STEP_CHARS = 220;

/** What comes next: the user's note, then the agent's own words, else what its todos, failures and the last prompt tell. */
export function nextStepsOf(
  gathered: Gathered,
  begun: CheckpointBegun & { seq: number },
): Statement[] {
  const { seq, note, nextSteps = [] } = begun;
  const given = said('next', seq, [textIn(note), ...nextSteps], gathered.clean);
  const words = gathered.work?.notes ? saved(gathered) : [];
  const known = words.length > 0 ? words : derived(gathered);
  return [...given, ...(nextSteps.length > 0 ? [] : known)].slice(0, STEPS_MAX);
}

/** The todos that were saved open, and are not done since; the words that were saved with them. */
function saved({ work, tasks, clean }: Gathered): Statement[] {
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

function derived(gathered: Gathered): Statement[] {
  const todos = todoStatements(gathered);
  const as = (verb: string, status: string) =>
    todos
      .filter(({ fact }) => fact === status)
      .map((todo) => ({ ...todo, basis: 'derived' as const, text: `${verb}${todo.text}` }));
  const now = as('Go on with: ', 'in_progress');
  const then = as('Then: ', 'pending');
  const isPlanned = now.length + then.length > 0;
  const words = isPlanned || !isInTurn(gathered) ? [] : lastWords(gathered);
  return [
    ...now,
    ...words,
    ...failing(gathered),
    ...then,
    ...(todos.length > 0 ? [] : saved(gathered)),
    ...(isPlanned ? [] : lastAsked(gathered)),
  ];
}

const lastOf = ({ state }: Gathered) =>
  state.conversation.messages.findLast(
    ({ role, content }) => role === 'assistant' && content.trim() !== '',
  );

/** It called tools behind its last words: they tell what it is at. */
const isInTurn = (gathered: Gathered): boolean =>
  (lastOf(gathered)?.metadata.toolCalls.length ?? 0) > 0;

/** What the agent said last: what it was about to do, or its report. */
export function lastWords(gathered: Gathered): Statement[] {
  const last = lastOf(gathered);
  if (last === undefined) return [];
  const parts = last.content.trim().split(/\n\s*\n/);
  const subject = gathered.clean(
    (isInTurn(gathered) ? parts.at(-1) : parts[0]) ?? '',
    SUBJECT_CHARS,
  );
  const text = `The agent said last: ${subject}`;
  return [{ kind: 'words', seq: last.seq, basis: 'said', subject, fact: '', text }];
}

function failing(gathered: Gathered): Statement[] {
  const errors = gathered.items.filter(
    (item) => isOpen(item) && endedAt(gathered, item.seq)?.name === 'Bash',
  );
  const [worst] = errors.toSorted((a, b) => b.worth - a.worth);
  const statement = worst && statementOf(gathered, worst);
  if (statement === undefined || statement.fact === '') return [];
  return [{ ...statement, basis: 'derived', text: `Run again what fails: ${statement.text}` }];
}

/** The user's last prompt that asks for something. */
export const isAsked = ({ kind, sure }: Weighed): boolean => kind === 'prompt' && sure === true;

/** Recall's weight of a file that was not there, or of a look that found nothing, is less. */
const OPEN_WEIGHT_MIN = 0.6;

/** A failure that somebody has to see to. */
export const isOpen = ({ kind, parts }: Weighed): boolean =>
  kind === 'error' && parts.weight >= OPEN_WEIGHT_MIN;

function lastAsked({ items, clean }: Gathered): Statement[] {
  const last = items.findLast(isAsked);
  if (last === undefined) return [];
  const subject = clean(last.text, SUBJECT_CHARS);
  const text = `Go on with what was asked last: ${clean(last.text, STEP_CHARS)}`;
  return [{ kind: 'prompt', seq: last.seq, basis: 'derived', subject, fact: '', text }];
}

/** Of an event that the agent or the user gave along. */
export const textIn = (given: CheckpointBegun['note']): string => textOf(given) ?? '';
