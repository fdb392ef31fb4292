import type { Message } from '../projections/folds/conversation.ts';
import type { FileRecord } from '../projections/folds/files.ts';
import type { Changed, Difference, StateDiff, TokenCounts } from './diff.ts';
import type { FileDiff, FileDifference, FileStatus } from './diff-files.ts';
import { fileLine, type Line, runLine, taskLine } from './sections.ts';
import { columns, count, indented, pathFrom, shown, timeText } from './text.ts';

const WIDTHS = { prose: 200, detail: 120 };
const LINES_MAX = 40;

/** A difference as plain text for people, cleaned, without a final newline. */
export function renderDiff(diff: StateDiff | FileDiff): string {
  const lines = diff.kind === 'states' ? stateLines(diff) : filesOnDisk(diff);
  return lines.join('\n').trimEnd();
}

function stateLines(diff: StateDiff): string[] {
  const { messages, files, tools, tasks, decisions, rules, tokens } = diff;
  const said = ({ role, content, metadata, seq }: Message): Line => {
    const text = content === '' ? `(called ${metadata.toolCalls.join(', ')})` : content;
    return { text: `${role}: ${shown(text, WIDTHS.prose)}`, seq };
  };
  const stated = ({ text, seq }: { text: string; seq: number }) => ({
    text: shown(text, WIDTHS.prose),
    seq,
  });
  const sections = [
    section('Messages', messages, said),
    section('Files', files, (file: FileRecord) => fileLine(file, null)),
    section('Tool calls', tools, (run) => ({
      text: runLine(run, null, WIDTHS.detail),
      seq: run.seq,
    })),
    section('Tasks', tasks, (task) => taskLine(task, WIDTHS.prose)),
    section('Decisions', decisions, stated),
    section('Rules', rules, stated),
    tokenLines(tokens),
  ].filter((lines) => lines.length > 0);
  const { from, to } = diff;
  const head = [`from ${endText(from)}`, `to   ${endText(to)}`];
  if (sections.length === 0) return [...head, '', 'There is no difference.'];
  const counts = [
    `messages ${arrow(messages.count)}`,
    `tool calls ${arrow(tools.count)}`,
    `failures ${arrow(tools.failures)}`,
    `compactions ${arrow(messages.compactions)}`,
  ].join(', ');
  return [...head, counts, ...sections.flatMap((lines) => ['', ...lines])];
}

const endText = ({ point, seq, at, session, cleared }: StateDiff['from']): string => {
  const where = point === `@${seq}` ? point : `${point} (event @${seq})`;
  const whose = session === null ? '' : `, session ${shown(session, 60)}`;
  const since =
    cleared === undefined ? '' : `, only what came after the clear (before it: @${cleared})`;
  return `${where}${at === null ? '' : `, ${timeText(at)}`}${whose}${since}`;
};

const arrow = ({ from, to }: Changed<number>): string =>
  from === to ? `${to}` : `${from} → ${to}`;

function section<T>(
  title: string,
  { added, removed, changed }: Difference<T>,
  lineOf: (one: T) => Line,
): string[] {
  const rows = [
    ...added.map((one) => row('+', lineOf(one))),
    ...removed.map((one) => row('-', lineOf(one))),
    ...changed.map(({ from, to }) => {
      const before = lineOf(from).text;
      const { text, seq } = lineOf(to);
      return row('~', { seq, text: before === text ? text : `${text}  (was: ${before})` });
    }),
  ];
  if (rows.length === 0) return [];
  const more = rows.length > LINES_MAX ? [`… and ${rows.length - LINES_MAX} more`] : [];
  return [title, ...indented([...columns(rows.slice(0, LINES_MAX)), ...more])];
}

const row = (mark: string, { seq, text }: Line): string[] => [mark, `@${seq}`, text];

function tokenLines({ from, to }: Changed<TokenCounts>): string[] {
  const names: [keyof TokenCounts, string][] = [
    ['context', 'in the context'],
    ['input', 'input'],
    ['output', 'output'],
    ['cacheCreation', 'written to the cache'],
    ['cacheRead', 'read from the cache'],
  ];
  const changed = names.filter(([key]) => from[key] !== to[key]);
  if (changed.length === 0) return [];
  const rows = changed.map(([key, name]) => [name, `${from[key] ?? '?'} → ${to[key] ?? '?'}`]);
  return ['Tokens', ...indented(columns(rows))];
}

const FILE_ORDER: readonly FileStatus[] = [
  'changed',
  'moved',
  'deleted',
  'added',
  'unknown',
  'unchanged',
];

function filesOnDisk(diff: FileDiff): string[] {
  const { files, counts, session, directory, limits, cleared } = diff;
  const yet =
    cleared === undefined ? 'yet' : `since the context was cleared (before that: @${cleared})`;
  if (files.length === 0) return [`No file is tracked: no file tool was used ${yet}.`];
  const said = FILE_ORDER.filter((status) => counts[status] > 0).map((s) => `${counts[s]} ${s}`);
  const whose = session === null ? '' : ` of session ${shown(session, 60)}`;
  const listed = files.filter((file) => file.status !== 'unchanged');
  const rows = FILE_ORDER.flatMap((status) =>
    listed
      .filter((file) => file.status === status)
      .map((file) => [status, pathFrom(file.path, directory), aboutFile(file, directory)]),
  );
  const known = files.filter((file) => file.status !== 'added').length;
  const head =
    known === 0
      ? `No file tool was used${session === null ? '' : ` in session ${shown(session, 60)}`} ${yet}: ${said.join(', ')}`
      : `${count(known, 'file')}${whose}, compared with what the journal last saw: ${said.join(', ')}`;
  const stopped = limits.map((limit) => `The search stopped early: ${limit}.`);
  return [head, ...indented(columns(rows)), ...stopped, ...patchLines(files, directory)];
}

function aboutFile(
  { status, seq, at, why, movedTo, binary, link, decided }: FileDifference,
  directory: string | null,
): string {
  const kind = binary === true ? '; a binary file' : '';
  if (status === 'added') return `created since the session began${kind}`;
  const linked = link === undefined ? '' : `; a link to ${pathFrom(link, directory)}`;
  const counts =
    decided === undefined ? '' : `; the journal's version counts, as decided at @${decided}`;
  const seen = `last seen at @${seq}, ${timeText(at)}${kind}${linked}${counts}`;
  if (movedTo !== undefined) return `to ${pathFrom(movedTo, directory)}; ${seen}`;
  return why === undefined ? seen : `${why}; ${seen}`;
}

function patchLines(files: readonly FileDifference[], directory: string | null): string[] {
  return files.flatMap(({ path, patch, noPatch }) => {
    if (patch !== undefined) return ['', ...patch.trimEnd().split('\n')];
    if (noPatch === undefined) return [];
    return ['', `No unified diff of ${pathFrom(path, directory)}: ${noPatch}.`];
  });
}
