import { relevanceOf } from '../projections/file-relevance.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { FilesState } from '../projections/folds/files.ts';
import type { SessionsState } from '../projections/folds/sessions.ts';
import type { TasksState } from '../projections/folds/tasks.ts';
import type { ToolsState } from '../projections/folds/tools.ts';
import type { UsageState } from '../projections/folds/usage.ts';
import { oneLine } from '../projections/safe-text.ts';
import type { Replayed } from './replay.ts';
import {
  changesOf,
  fileLine,
  type Line,
  runLine,
  type SectionKey,
  sectionsOf,
  TITLES,
  taskLine,
} from './sections.ts';
import { columns, count, indented, shown, timeText } from './text.ts';

const WIDTHS = { prose: 200, detail: 120 };
/** Newest lines shown of each section. */
const LINES_MAX = 12;

/** A state as plain text for people, cleaned, without a final newline. */
export function renderAccount(replayed: Replayed): string {
  const { projection, state } = replayed;
  const lines = [headline(replayed), ''];
  if (projection === 'context') lines.push(...contextLines(state as ContextState));
  else if (projection === 'sessions') lines.push(...sessionLines(state as SessionsState));
  else if (projection === 'files') lines.push(...fileLines(state as FilesState));
  else if (projection === 'tools') lines.push(...toolLines(state as ToolsState));
  else if (projection === 'tasks') lines.push(...taskLines(state as TasksState));
  else lines.push(...usageLines(state as UsageState));
  return lines.join('\n').trimEnd();
}

function headline({ point, projection, session }: Replayed): string {
  const when = point.at === null ? '' : `, ${timeText(point.at)}`;
  const whose = session === null ? '' : ` of session ${oneLine(session)}`;
  return `${projection}${whose} at @${point.seq}${when}`;
}

const GROUPS: readonly [string, readonly SectionKey[]][] = [
  ['What the agent knew', ['asked', 'rules', 'tools', 'corrections', 'decisions', 'summary']],
  ['What it did', ['changed', 'read', 'commands', 'done', 'subagents', 'said']],
  ['What it had open', ['tasks', 'open', 'failed']],
];

function contextLines(state: ContextState): string[] {
  if (state.createdAt === null) {
    const { cleared } = state;
    if (cleared === null) return ['Nothing has happened yet.'];
    return [
      `The context was cleared. To bring back what was before: ben10 restore @${cleared.upto}`,
    ];
  }
  const sections = sectionsOf(state, WIDTHS);
  const lines = [...totals(state)];
  for (const [title, keys] of GROUPS) {
    lines.push('', title.toUpperCase());
    const there = keys.filter((key) => sections[key].length > 0);
    if (there.length === 0) lines.push('  nothing');
    for (const key of there) {
      const total = sections[key].length;
      const newest = sections[key].slice(key === 'said' ? -1 : -LINES_MAX);
      const of = newest.length < total ? `the last ${newest.length} of ${total}` : `${total}`;
      lines.push(`  ${key === 'said' ? 'Said last' : `${TITLES[key]} (${of})`}`);
      lines.push(...indented(indented(cited(newest))));
    }
  }
  return lines;
}

function totals({ directory, conversation, tools, files, usage }: ContextState): string[] {
  const { messageCount, abandonedCount, compactionCount } = conversation;
  const parts = [
    count(messageCount, 'message'),
    `${count(tools.total, 'tool call')} (${tools.failures} failed)`,
    count(Object.keys(files.files).length, 'file'),
  ];
  if (compactionCount > 0) parts.push(count(compactionCount, 'compaction'));
  if (abandonedCount > 0) parts.push(`${count(abandonedCount, 'message')} on abandoned branches`);
  if (usage.contextTokens !== null) parts.push(`${usage.contextTokens} tokens in the context`);
  const where = directory === null ? [] : [`in ${shown(directory, 400)}`];
  return [...where, parts.join(', ')];
}

/** `@118  text`, aligned. */
const cited = (lines: readonly Line[]): string[] =>
  columns(lines.map(({ seq, text }) => [`@${seq}`, text]));

function sessionLines({ sessions, count: all }: SessionsState): string[] {
  // The state has arrival order, and an import brings old sessions last.
  const records = Object.values(sessions).sort(
    (a, b) => a.lastAt - b.lastAt || a.firstSeq - b.firstSeq,
  );
  if (records.length === 0) return ['No session yet.'];
  const rows = records.map((one) => [
    oneLine(one.session),
    timeText(one.firstAt),
    timeText(one.lastAt),
    one.endedAt === null ? 'open' : 'ended',
    count(one.prompts, 'prompt'),
    count(one.toolCalls, 'call'),
    count(one.compactions, 'compaction'),
    shown(one.title, 80),
  ]);
  return [`${count(all, 'session')}, the last active at the end`, ...indented(columns(rows))];
}

function fileLines(state: FilesState): string[] {
  const { files, dropped } = state;
  const records = Object.values(files);
  if (records.length === 0) return ['No file was used.'];
  const older = dropped === 0 ? '' : `, and ${dropped} used longer ago`;
  const relevance = relevanceOf(state);
  const lines = cited(records.map((file) => fileLine(file, null, relevance)));
  const changes = changesOf(state, null).slice(-LINES_MAX);
  return [
    `${count(records.length, 'file')}${older}, the last used at the end`,
    ...indented(lines),
    ...(changes.length === 0 ? [] : ['', TITLES.changeLog, ...indented(cited(changes))]),
  ];
}

function toolLines({ runs, counts, total, failures }: ToolsState): string[] {
  if (total === 0) return ['No tool was called.'];
  const byName = Object.entries(counts).sort(([, a], [, b]) => b.calls - a.calls);
  const rows = byName.map(([name, { calls, failures: failed }]) => [
    shown(name, 80),
    count(calls, 'call'),
    failed === 0 ? '' : `${failed} failed`,
  ]);
  const lines = cited(
    runs.map((run) => ({ seq: run.seq, text: runLine(run, null, WIDTHS.detail) })),
  );
  const shownRuns = runs.length < total ? `The last ${runs.length}` : 'One by one';
  return [
    `${count(total, 'call')}, ${failures} failed`,
    ...indented(columns(rows)),
    '',
    shownRuns,
    ...indented(lines),
  ];
}

function taskLines({ tasks }: TasksState): string[] {
  const all = Object.values(tasks);
  if (all.length === 0) return ['No tasks.'];
  const done = all.filter((task) => task.status === 'completed').length;
  const lines = cited(all.map((task) => taskLine(task, WIDTHS.prose)));
  return [`${count(all.length, 'task')}, ${done} done`, ...indented(lines)];
}

function usageLines({ messages, total, byModel, contextTokens }: UsageState): string[] {
  if (messages === 0) return ['No tokens were reported.'];
  const row = (name: string, n: number, of: UsageState['total']) => [
    name,
    String(n),
    String(of.inputTokens),
    String(of.outputTokens),
    String(of.cacheCreationTokens),
    String(of.cacheReadTokens),
  ];
  const rows = [
    ['model', 'messages', 'input', 'output', 'cache written', 'cache read'],
    ...Object.entries(byModel).map(([model, of]) => row(shown(model, 60), of.messages, of)),
    row('all', messages, total),
  ];
  const context = contextTokens === null ? [] : ['', `${contextTokens} tokens in the context`];
  return [...columns(rows), ...context];
}
