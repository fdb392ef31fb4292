import { compileOnce } from '../platform/machine-code.ts';
import type { Project } from '../project/open.ts';
import { headOf } from '../projections/bounds.ts';
import { looseSentencesOf } from '../projections/clauses.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { EvidenceState } from '../projections/folds/evidence.ts';
import { namesWhere } from '../projections/folds/evidence-names.ts';
import { isGone } from '../projections/folds/files.ts';
import { standing } from '../projections/folds/revocations.ts';
import { oneLine } from '../projections/safe-text.ts';
import { TELLING } from '../projections/sentence-patterns.ts';
import { Excluding } from '../projections/without-excluded.ts';
import { withBriefs } from './brief.ts';
import { commandItems, withRuns } from './command-items.ts';
import { fileItems } from './file-items.ts';
import { byTime, type ChangedOnDisk, type Found, type Item, type Kind } from './item.ts';
import { mentionItems, namesByHome } from './name-items.ts';
import { Topics } from './topics.ts';
import { isAnswer, lastPrompts, noteItems, promptItems } from './word-items.ts';

const LINE_CHARS = 300;
const AGENT_CHARS = 8;

export function findItems(
  { excludedBy }: Pick<Project, 'excludedBy'>,
  recorded: ContextState,
  known: EvidenceState,
  onDisk: readonly ChangedOnDisk[] = [],
): Omit<Item, 'worth'>[] {
  compileOnce(TELLING);
  const excluding = new Excluding(recorded, excludedBy);
  const state = excluding.context(recorded);
  const evidence = withoutCleared(excluding.evidence(known), state);
  const inside = pathShortener(state.directory);
  const topics = new Topics(evidence.names);
  const there = Object.values(state.files.files).filter((file) => !isGone(file));
  const homes = namesByHome(
    evidence,
    there.map(({ path }) => path),
    inside,
  );
  const found: Found[] = [
    ...disk(onDisk, inside),
    ...saidLast(state, preferences(state, evidence, topics)),
    ...tasks(state),
    ...commandItems(state, evidence, inside),
    ...promptItems(state, evidence),
    ...noteItems(state, evidence, topics, inside),
    ...fileItems(state, evidence, homes, inside),
    ...subagents(state, evidence),
    ...mentionItems(homes),
  ];
  return withKeys(withRuns(withBriefs(found, topics), evidence));
}

/** Rules and corrections in the last prompt are part of it. */
function saidLast(state: ContextState, found: readonly Found[]): Found[] {
  const last = new Set(lastPrompts(state).map(({ seq }) => seq));
  return found.map((item) => (last.has(item.seq) ? { ...item, sure: true } : item));
}

function withKeys(found: readonly Found[]): Omit<Item, 'worth'>[] {
  const counts = new Map<string, number>();
  return found.map((item) => {
    const name = `${item.kind}@${item.seq}`;
    const n = (counts.get(name) ?? 0) + 1;
    counts.set(name, n);
    return { ...item, key: n === 1 ? name : `${name}.${n}` };
  });
}

/** Equal for the same thing in different sessions. */
export const sameThing = ({ kind, text, identity = text }: Found): string => `${kind} ${identity}`;

/** `Wrong one.` says nothing without its context. */
const OUTCRY_WEIGHT = 0.2;

function preferences(
  { preferences: { rules, tools, corrections } }: ContextState,
  { notes }: EvidenceState,
  topics: Topics,
): Found[] {
  const said = (kind: Kind, list: typeof rules) =>
    list.map(({ text, seq, at, count }): Found => {
      return { kind, text, seq, at, reuse: count - 1 };
    });
  const own = said('correction', corrections).filter((item) => !isAnswer(item, notes));
  const corrected = own.map((item) =>
    topics.isAbout(item.text) ? item : { ...item, weight: OUTCRY_WEIGHT },
  );
  return [...said('rule', standing([...rules, ...tools])), ...corrected];
}

/** A longer list, as after a pull, says no more than its length. */
const DISK_MAX = 12;

function disk(onDisk: readonly ChangedOnDisk[], inside: (text: string) => string): Found[] {
  const newest = onDisk.toSorted(byTime).slice(-DISK_MAX);
  const found = newest.map(({ path, status, seq, at }): Found => {
    return { kind: 'disk', text: `${headOf(inside(path), LINE_CHARS)} ${status}`, seq, at };
  });
  const [first] = newest;
  const more = onDisk.length - newest.length;
  if (first !== undefined && more > 0)
    found.unshift({ ...first, kind: 'disk', text: `… and ${more} more: ben10 diff lists them` });
  return found;
}

const MARKS = {
  pending: '[ ]',
  in_progress: '[in progress]',
  completed: '[done]',
  deleted: '[gone]',
};
const DONE_WEIGHT = 0.2;

function tasks({ tasks }: ContextState): Found[] {
  return Object.values(tasks.tasks).map(({ id, subject, description, status, seq, at }) => {
    const more =
      description === '' || description === subject ? '' : ` (${headOf(description, 160)})`;
    const weight = status === 'pending' || status === 'in_progress' ? 1 : DONE_WEIGHT;
    return { kind: 'task', text: `${MARKS[status]} #${id} ${subject}${more}`, seq, at, weight };
  });
}

/** What a report says after its beginning is for room that nothing better takes. */
const FURTHER_WEIGHT = 0.2;

/** Reports without the findings that have lines of their own, in several lines if they are long. */
function subagents({ conversation }: ContextState, { notes }: EvidenceState): Found[] {
  const reported = notes.flatMap(({ kind, text }) => (kind === 'reported' ? [text] : []));
  return conversation.subagents.flatMap(({ agent, toolCalls, result, seq, at }): Found[] => {
    const sentences = result.split('\n').flatMap((line) => looseSentencesOf(line).map(oneLine));
    const rest = sentences.filter(
      (one) => /\p{L}/u.test(one) && !reported.some((line) => one.includes(line)),
    );
    if (rest.length === 0) return [];
    const who = agent.slice(0, AGENT_CHARS);
    return inParts(rest).map((part, n): Found => {
      const text = n === 0 ? `${who} (${toolCalls} tool calls): ${part}` : `${who}: ${part}`;
      return { kind: 'subagent', text, seq, at, weight: n === 0 ? 1 : FURTHER_WEIGHT };
    });
  });
}

/** Whole sentences, joined to lines. */
function inParts(sentences: readonly string[]): string[] {
  const parts: string[] = [];
  for (const sentence of sentences.map((one) => headOf(one, LINE_CHARS))) {
    const joined = `${parts.at(-1) ?? ''} ${sentence}`.trim();
    if (parts.length > 0 && joined.length <= LINE_CHARS) parts[parts.length - 1] = joined;
    else parts.push(sentence);
  }
  return parts;
}

/** Shows paths relative to the project. */
export function pathShortener(directory: string | null): (text: string) => string {
  const prefix = directory === null || directory.length < 2 ? undefined : `${directory}/`;
  return (text) => (prefix === undefined ? text : text.replaceAll(prefix, ''));
}

/** Without what is older than a clear, even if read from the transcript later. Names have no time, so their step decides. */
export function withoutCleared(evidence: EvidenceState, { cleared }: ContextState): EvidenceState {
  if (cleared === null) return evidence;
  const { upto, at: clearedAt } = cleared;
  const isLater = ({ seq, at }: { seq: number; at: number }) => seq > upto && at > clearedAt;
  const { notes, names, outcomes } = evidence;
  const earlier = [...notes, ...Object.values(outcomes)].filter((one) => !isLater(one));
  const step = earlier.reduce((last, { tick }) => Math.max(last, tick), 0);
  return {
    ...evidence,
    notes: notes.filter(isLater),
    names: namesWhere(names, ({ seq, tick }) => seq > upto && tick > step),
    outcomes: Object.fromEntries(Object.entries(outcomes).filter(([, one]) => isLater(one))),
  };
}
