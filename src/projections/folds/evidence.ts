import type { SubagentStopped, ToolCalled, ToolFailed, ToolSucceeded } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keyOf } from '../bounds.ts';
import type { Fact, Projection } from '../contract.ts';
import type { Asked } from '../exchanges.ts';
import type { Noteworthy } from '../noteworthy.ts';
import { askedOf } from '../outcome/command.ts';
import { outcomeOf } from '../outcome/of-call.ts';
import { DELEGATES, figuresIn, reportedIn } from '../reported.ts';
import {
  aboutOf,
  answerText,
  fileOf,
  isObject,
  isOwnTool,
  patchLines,
  textOf,
  wordsOf,
} from '../tools-text.ts';
import { refusalOf } from '../user-answers.ts';
import { writtenDown } from '../written-down.ts';
import { chosenBy, refused } from './evidence-answers.ts';
import { type Edit, type Mended, noteMended, type Suspicion } from './evidence-mended.ts';
import { type Names, namesWhere, noNames } from './evidence-names.ts';
import { type Note, withNotes } from './evidence-notes.ts';
import { type OpenCall, type OutcomeRecord, withOutcome } from './evidence-outcomes.ts';
import { clipped, learn, said } from './evidence-said.ts';
import { standAgain } from './refuted.ts';
import { mainPosition, REWINDING, rewoundTo } from './rewind.ts';

/** What later work may need again, from a session's start on. What is worth least is dropped first, whatever its age. */
export interface EvidenceState {
  /** Messages and calls so far. */
  tick: number;
  names: Names;
  notes: Note[];
  /** By tool and what the call was about. */
  outcomes: Record<string, OutcomeRecord>;
  open: Record<string, OpenCall>;
  /** Files changed since the last outcome, newest last. */
  changed: string[];
  /** Newest last. */
  edits: Edit[];
  /** The last command that passed after it had failed. */
  mended: Mended | null;
  /** The last possible cause that the agent named. */
  suspected: Suspicion | null;
  /** The question that the other side may answer next. */
  asked: Asked | null;
  /** The tick of the newest prompt. */
  prompted: number;
  /** Start of the last message known from a turn's end; null where a transcript has the messages. */
  said: string | null;
}

const OPEN_MAX = 100;
const ABOUT_CHARS = 300;
const PATH_CHARS = 300;
const CHANGED_MAX = 20;
/** Tools that answer with file contents, whose figures are no results. */
const READS = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Glob', 'Grep', 'LS']);
/** Calls about the client's own lists. */
const SILENT = /^(?:TodoWrite|TaskCreate|TaskUpdate|TaskList|TaskGet|ToolSearch)$/;
/** Tools whose answers are the user's. */
const ASKING = /^(?:AskUserQuestion|ExitPlanMode)$/;

export const evidence: Projection<EvidenceState> = {
  name: 'evidence',
  version: 15,
  scope: 'session',
  types: [
    'tool.called',
    'tool.succeeded',
    'tool.failed',
    'subagent.stopped',
    'turn.ended',
    ...REWINDING,
  ],
  initial: () => ({
    tick: 0,
    names: noNames(),
    notes: [],
    outcomes: {},
    open: {},
    changed: [],
    edits: [],
    mended: null,
    suspected: null,
    asked: null,
    prompted: 0,
    said: '',
  }),
  apply(state, fact) {
    const to = rewoundTo(fact);
    if (to !== undefined) rewind(state, to);
    if (mainPosition(fact) !== null) state.said = null;
    if (fact.type === 'tool.called') called(state, fact as Fact<ToolCalled>);
    else if (fact.type.startsWith('tool.'))
      finished(state, fact as Fact<ToolSucceeded | ToolFailed>);
    else if (fact.type === 'subagent.stopped') reported(state, fact as Fact<SubagentStopped>);
    else if (fact.agent === null) said(state, fact);
    return state;
  },
};

/** @param to last byte offset on the live branch */
function rewind(state: EvidenceState, to: number): void {
  const isLive = ({ pos }: { pos: number | null }) => pos === null || pos <= to;
  const live = <T extends { pos: number | null }>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([, one]) => isLive(one)));
  state.notes = state.notes.filter(isLive).map((one) => standAgain(one, to));
  state.names = namesWhere(state.names, isLive);
  state.outcomes = live(state.outcomes);
}

/** A sub-agent's last message; a task that waits for it has it as its answer, too. */
function reported(state: EvidenceState, fact: Fact<SubagentStopped>): void {
  const own = clipped(textOf(fact.data.lastMessage) ?? '');
  state.notes = withNotes(state.notes, foundIn(own), fact, state.tick);
}

const foundIn = (report: string): Noteworthy[] => [...figuresIn(report), ...reportedIn(report)];

function called(state: EvidenceState, fact: Fact<ToolCalled>): void {
  const { name, input, toolUseId } = fact.data;
  if (isOwnTool(name)) return;
  const written = writtenDown(name, input);
  if (written.length > 0) state.notes = withNotes(state.notes, written, fact, state.tick);
  if (SILENT.test(name)) return;
  state.tick += 1;
  // An agent that goes on working no longer waits for an answer.
  if (state.asked?.by === 'agent' && fact.agent === null) state.asked = null;
  const file = fileOf(input) ?? null;
  const home = file === null ? null : headOf(file, PATH_CHARS);
  const { agent } = fact;
  const whole = aboutOf(input);
  const about = headOf(whole, ABOUT_CHARS);
  const asked = name === 'Bash' ? askedOf(whole) : null;
  state.open[keyOf(toolUseId)] = { name, about, file: home, agent, pos: mainPosition(fact), asked };
  dropOldest(state.open, OPEN_MAX);
  learn(state, clipped(wordsOf(input)), 'input', fact, home);
}

function finished(state: EvidenceState, fact: Fact<ToolSucceeded | ToolFailed>): void {
  const { toolUseId } = fact.data;
  const call = fieldOf(state.open, toolUseId);
  if (call === undefined) return;
  delete state.open[keyOf(toolUseId)];
  const failed = fact.type === 'tool.failed';
  const { error } = fact.data as ToolFailed;
  const { response } = fact.data as ToolSucceeded;
  const text = failed ? (textOf(error) ?? '') : outputOf(response);
  if (isUsers(state, call, text, fact)) return;
  const isRead = READS.has(call.name);
  learn(state, clipped(text.replace(/^ *\d+[→\t]/gm, '')), 'answer', fact, call.file);
  if (call.name === 'Bash' || failed) {
    const { changed, tick } = state;
    const outcome = outcomeOf(fact, call.asked);
    if (call.name === 'Bash' && outcome.verdict === 'passed') noteMended(state, call.about, fact);
    state.outcomes = withOutcome(state.outcomes, call, { outcome, changed, tick }, fact);
    state.changed = [];
  }
  const { file } = call;
  if (!failed && isRead && file !== null && call.name !== 'Read' && !isSearch(call.name)) {
    state.changed = [...state.changed.filter((one) => one !== file), file].slice(-CHANGED_MAX);
    state.edits = [...state.edits, { file, tick: state.tick }].slice(-CHANGED_MAX);
  }
  if (!failed && !isRead) {
    const own = clipped(text);
    const found = DELEGATES.test(call.name) ? foundIn(own) : figuresIn(own);
    state.notes = withNotes(state.notes, found, fact, state.tick);
  }
}

/** Notes what the user said in a call, if anything: a refusal, an answer or an approval. */
function isUsers(
  state: EvidenceState,
  call: OpenCall,
  text: string,
  fact: Fact<ToolSucceeded | ToolFailed>,
): boolean {
  const isFailed = fact.type === 'tool.failed';
  const { isInterrupt } = fact.data as ToolFailed;
  const refusal = isFailed ? refusalOf(call.name, text, isInterrupt) : undefined;
  if (refusal === undefined && (isFailed || !ASKING.test(call.name))) return false;
  const { response } = fact.data as ToolSucceeded;
  const found = refusal ? [refused(call, refusal)] : chosenBy(call.name, response);
  learn(state, refusal ? (refusal.words ?? '') : textsOf(found), 'user', fact, null);
  state.notes = withNotes(state.notes, found, fact, state.tick);
  return true;
}

const textsOf = (notes: readonly Noteworthy[]): string => notes.map(({ text }) => text).join('\n');

const isSearch = (name: string): boolean => /^(?:Glob|Grep|LS)$/.test(name);

/** Includes a read file's content, one field deeper. */
function outputOf(response: unknown): string {
  const text = answerText(response);
  if (text !== '' || !isObject(response)) return text;
  if (isObject(response.file)) return textOf(response.file.content) ?? '';
  if (Array.isArray(response.structuredPatch)) {
    const lines = patchLines(response.structuredPatch);
    return lines.map((line) => line.slice(1)).join('\n');
  }
  return '';
}
