import { headOf } from '../projections/bounds.ts';
import { summaryText } from '../projections/compaction-text.ts';
import { SUMMARY_CHARS } from '../projections/content-summary.ts';
import { relevanceOf } from '../projections/file-relevance.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { Message } from '../projections/folds/conversation.ts';
import { outcomeKey } from '../projections/folds/evidence-outcomes.ts';
import { type FileRecord, type FilesState, isGone } from '../projections/folds/files.ts';
import type { Preference } from '../projections/folds/preferences.ts';
import { standing } from '../projections/folds/revocations.ts';
import type { Task } from '../projections/folds/tasks.ts';
import type { ToolRun } from '../projections/folds/tools.ts';
import { Passes } from '../projections/outcome/passes.ts';
import { agrees } from '../projections/outcome/words.ts';
import { cleanText } from '../projections/safe-text.ts';
import { isOwnTool } from '../projections/tools-text.ts';
import { refusalOf } from '../projections/user-answers.ts';
import { count, pathFrom, pathWithin, shown } from './text.ts';

/** The parts of a context as text, in order: what the agent knew, did, and had open. */
export const SECTIONS = [
  'asked',
  'rules',
  'tools',
  'corrections',
  'decisions',
  'summary',
  'said',
  'changed',
  'read',
  'changeLog',
  'commands',
  'calls',
  'subagents',
  'done',
  'tasks',
  'open',
  'failed',
] as const;
export type SectionKey = (typeof SECTIONS)[number];

export const TITLES: Record<SectionKey, string> = {
  asked: 'Asked by the user',
  rules: 'Rules that the user stated',
  tools: 'Tools that the user wants used, or not',
  corrections: 'Corrections by the user',
  decisions: 'Decisions that the agent stated',
  summary: 'Summary of the last compaction',
  said: 'Said by the agent',
  changed: 'Files changed',
  read: 'Files only read',
  changeLog: 'Changes of files, newest last',
  commands: 'Commands',
  calls: 'Other tool calls',
  subagents: 'Sub-agents',
  done: 'Tasks done',
  tasks: 'Tasks open',
  open: 'Calls without an outcome',
  failed: 'Failed, and not seen to pass since',
};

export interface Line {
  text: string;
  seq: number;
  /** The same for runs of the same command. */
  same?: string;
}

export interface TextWidths {
  prose: number;
  /** Characters for commands, errors and descriptions. */
  detail: number;
  /** Adds each file's relevance and summary. */
  wholeFiles?: true;
}

/** A context's lines by section, cleaned, oldest first. */
export function sectionsOf(state: ContextState, widths: TextWidths): Record<SectionKey, Line[]> {
  const { conversation, preferences, decisions } = state;
  const all = Object.values(state.tasks.tasks);
  const { prose, detail, wholeFiles } = widths;
  const said = (message: Message): Line => ({
    text: shown(message.content, prose),
    seq: message.seq,
  });
  const preferred = ({ text, seq, count: times }: Preference): Line => ({
    text: times === 1 ? shown(text, prose) : `${shown(text, prose)} (said ${times} times)`,
    seq,
  });
  const ofRole = (role: Message['role']) =>
    conversation.messages.filter((one) => one.role === role && one.content !== '').map(said);
  return {
    asked: ofRole('user'),
    rules: standing(preferences.rules).map(preferred),
    tools: standing(preferences.tools, preferences.rules).map(preferred),
    corrections: preferences.corrections.map(preferred),
    decisions: decisions.map(({ text, seq }) => ({ text: shown(text, prose), seq })),
    summary: summaryOf(state, prose),
    said: ofRole('assistant'),
    ...filesOf(state, wholeFiles === true),
    changeLog: changesOf(state.files, state.directory),
    ...runsOf(state, detail),
    subagents: conversation.subagents.map(({ agent, toolCalls, result, seq }) => {
      const report = result === '' ? '' : `: ${shown(result, prose)}`;
      return { text: `${shown(agent, 60)}, ${count(toolCalls, 'tool call')}${report}`, seq };
    }),
    done: all.filter(isDone).map((task) => taskLine(task, prose)),
    tasks: all.filter((task) => !isDone(task)).map((task) => taskLine(task, prose)),
  };
}

function summaryOf({ conversation }: ContextState, chars: number): Line[] {
  if (conversation.summary === null) return [];
  const seq = conversation.compactions.at(-1)?.seq ?? 0;
  const lines = summaryText(cleanText(conversation.summary))
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => ({ text: headOf(line.trimEnd(), chars), seq }));
}

const isDone = ({ status }: Task): boolean => status === 'completed';

const TASK_MARKS: Record<Task['status'], string> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  deleted: '[-]',
};

/** `[>] #2 Sort by due date` */
export function taskLine({ id, subject, description, status, seq }: Task, chars: number): Line {
  const more = description === '' || description === subject ? '' : ` (${description})`;
  return { text: `${TASK_MARKS[status]} #${shown(id, 40)} ${shown(subject + more, chars)}`, seq };
}

function filesOf(state: ContextState, isWhole: boolean): { changed: Line[]; read: Line[] } {
  const relevance = isWhole ? relevanceOf(state.files) : undefined;
  const all = Object.values(state.files.files).map((file) => ({
    isChanged: file.edits > 0,
    line: fileLine(file, state.directory, relevance),
  }));
  return {
    changed: all.filter((one) => one.isChanged).map((one) => one.line),
    read: all.filter((one) => !one.isChanged).map((one) => one.line),
  };
}

/** `Edit  src/todo.js`, by a sub-agent `Edit  src/todo.js  [a81b]` */
export const changesOf = ({ changes }: FilesState, directory: string | null): Line[] =>
  changes.map(({ path, seq, tool, agent }) => {
    const who = agent === null ? '' : `  [${shown(agent, 40)}]`;
    return { text: `${shown(tool, 40)}  ${pathFrom(path, directory)}${who}`, seq };
  });

/** `src/todo.js  created, 2 edits, +12 -3 lines`, with relevance also `; used 3 times, relevance 0.82; exports add, list` */
export function fileLine(
  file: FileRecord,
  directory: string | null,
  relevance?: ReadonlyMap<string, number>,
): Line {
  const { edits, reads, linesAdded, linesRemoved, lastAction, lastSeq, changedSeq, merged } = file;
  if (isGone(file))
    return { text: `${pathFrom(file.path, directory)}  deleted (disk)`, seq: merged!.seq };
  const parts = [lastAction === 'edited' ? 'changed' : lastAction];
  if (edits > 1) parts.push(count(edits, 'edit'));
  if (linesAdded + linesRemoved > 0) parts.push(`+${linesAdded} -${linesRemoved} lines`);
  if (edits === 0 && reads > 1) parts.push(count(reads, 'time'));
  const more = relevance === undefined ? '' : registered(file, relevance.get(file.path) ?? 0);
  return {
    text: `${pathFrom(file.path, directory)}  ${parts.join(', ')}${more}`,
    seq: changedSeq ?? lastSeq,
  };
}

function registered({ reads, edits, summary, merged }: FileRecord, relevance: number): string {
  // The disk's new content was never read.
  const about =
    summary === '' || merged?.believed === 'disk' ? '' : `; ${shown(summary, SUMMARY_CHARS)}`;
  return `; used ${count(reads + edits, 'time')}, relevance ${relevance}${about}`;
}

/** ben10's own tools are left out: their answers are no evidence. */
function runsOf(
  { tools, directory }: ContextState,
  chars: number,
): Record<'commands' | 'calls' | 'open' | 'failed', Line[]> {
  const line = (run: ToolRun): Line => ({
    text: runLine(run, directory, chars),
    seq: run.seq,
    same: sameness(run),
  });
  const runs = tools.runs.filter((run) => !isOwnTool(run.name));
  const live = runs.filter((run) => !run.abandoned);
  return {
    commands: runs.filter((run) => run.name === 'Bash').map(line),
    calls: runs.filter((run) => run.name !== 'Bash').map(line),
    open: live.filter((run) => run.outcome === 'open').map(line),
    failed: unmended(live, directory).map((run) => ({
      text: `${runLine(run, directory, chars)}${errorOf(run, chars)}`,
      seq: run.outcomeSeq ?? run.seq,
    })),
  };
}

/** Failures that did not pass since, each by its last try. */
function unmended(runs: readonly ToolRun[], directory: string | null): ToolRun[] {
  const passes = new Passes();
  const last = new Map<string, ToolRun>();
  const seqOf = ({ outcomeSeq, seq }: ToolRun) => outcomeSeq ?? seq;
  for (const run of runs) {
    if (isRefused(run)) continue;
    const key = outcomeKey(run.name, run.about);
    const isBash = run.name === 'Bash';
    if (run.outcome === 'passed' && isBash) passes.add(run.about, seqOf(run), directory);
    if (run.hasFailed || (run.outcome === 'passed' && !isBash)) {
      last.delete(key);
      last.set(key, run);
    }
  }
  return [...last.values()].filter(
    (run) =>
      run.hasFailed && !(run.name === 'Bash' && passes.hasSince(run.about, seqOf(run), directory)),
  );
}

const isRefused = ({ name, outcome, head }: ToolRun): boolean =>
  outcome === 'failed' && refusalOf(name, head) !== undefined;

const sameness = ({ name, about, agent }: ToolRun): string => JSON.stringify([name, about, agent]);

const BUT_CHARS = 80;

/** `failed (exit 1)  npm test`; on an abandoned branch `failed (exit 1, abandoned)  npm test` */
export function runLine(run: ToolRun, directory: string | null, chars: number): string {
  const { name, about, outcome, exitCode, agent, abandoned } = run;
  const told = isRefused(run) ? 'refused' : outcome === 'passed' ? 'ok' : outcome;
  const isNamed = exitCode !== null && outcome !== 'open' && !agrees(outcome, exitCode);
  const notes = [
    ...(isNamed ? [`exit ${exitCode}, but ${shown(run.line, BUT_CHARS)}`] : []),
    ...(isNamed || exitCode === null || exitCode === 0 ? [] : [`exit ${exitCode}`]),
    ...(abandoned ? ['abandoned'] : []),
  ];
  const code = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  const what = shown(pathWithin(about, directory), chars);
  const called = name === 'Bash' ? what : `${shown(name, 80)} ${what}`.trimEnd();
  const who = agent === null ? '' : `  [${shown(agent, 40)}]`;
  return `${told}${code}  ${called}${who}`;
}

function errorOf({ line, head, tail }: ToolRun, chars: number): string {
  const text = shown(line || (tail === '' ? head : `${head} … ${tail}`), chars);
  return text === '' ? '' : `: ${text}`;
}
