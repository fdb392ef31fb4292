// What recall is compared with, each cut to the same size: the last messages, an oracle, ContextKeeper's levels.
import { commandsOf, referencesIn } from './references.mjs';
import { partsOf } from './transcript.mjs';

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
const clipped = (text, max) => (text.length > max ? `${text.slice(0, max - 1)}…` : text);

/** How much of one message the last messages keep. Each is tried, and the best of them is what recall is compared with. */
export const SHORT_FORMS = [60, 120, 240, 480, 1000, Number.POSITIVE_INFINITY];

const MAIN_FIELDS = ['command', 'file_path', 'notebook_path', 'pattern', 'path', 'query', 'prompt'];

/** A message or call in short form. The main field of a call comes first, the rest of its input after it. */
function shortForm(part, max) {
  if (part.kind === 'prompt') return clipped(`user: ${oneLine(part.text)}`, max);
  if (part.kind === 'text') return clipped(`assistant: ${oneLine(part.text)}`, max);
  if (part.kind === 'call') {
    const main = MAIN_FIELDS.flatMap((field) => part.input?.[field] ?? [])[0];
    const rest = oneLine(part.text);
    return clipped(
      main === undefined ? `${part.name} ${rest}` : `${part.name} ${main} ${rest}`,
      max,
    );
  }
  return clipped(`${part.failed ? 'failed' : 'result'}: ${oneLine(part.text)}`, max);
}

/** The newest messages and tool calls, each at most `each` characters, that fit into `max` characters together. */
export function lastMessages(records, max, each) {
  const lines = [];
  let room = max;
  const parts = records.flatMap(partsOf);
  for (let n = parts.length - 1; n >= 0 && room > 1; n -= 1) {
    const line = clipped(shortForm(parts[n], each), room - 1);
    lines.unshift(line);
    room -= line.length + 1;
  }
  return lines.join('\n');
}

/** The ceiling: knows which references will be used, and writes the shortest first. */
export function oracle(references, max) {
  const values = references.map((one) => one.slice(one.indexOf(' ') + 1));
  const lines = [];
  let room = max;
  for (const value of values.sort((a, b) => a.length - b.length)) {
    if (value.length + 1 > room) break;
    lines.push(value);
    room -= value.length + 1;
  }
  return lines.join('\n');
}

/** After so many messages a use counts half. */
const HALF_LIFE = 20;

/**
 * The names, commands and numbers that were used most and last, one a line and nothing else: how far a list gets that
 * tells nothing of what they mean.
 */
export function bareNames(records, cwd, max) {
  const weights = new Map();
  const parts = records.flatMap(partsOf);
  parts.forEach((part, n) => {
    const used = referencesIn(part.text, cwd);
    if (part.name === 'Bash') {
      for (const command of commandsOf(part.input.command ?? '')) used.add(`command ${command}`);
    }
    const weight = 0.5 ** ((parts.length - n) / HALF_LIFE);
    for (const one of used) weights.set(one, (weights.get(one) ?? 0) + weight);
  });
  const worth = ([reference, weight]) => weight / Math.sqrt(reference.length);
  const best = [...weights].sort((a, b) => worth(b) - worth(a));
  let text = '';
  for (const [reference] of best) {
    const line = `${reference.slice(reference.indexOf(' ') + 1)}\n`;
    if (text.length + line.length <= max) text += line;
  }
  return text;
}

/** What ContextKeeper's own hooks would have gathered: shell commands, the last to-do list, files that were edited. */
function contextKeeperState(records) {
  const state = { commands: [], files: [], todos: [], task: '' };
  for (const part of records.flatMap(partsOf)) {
    if (part.kind === 'prompt') state.task = oneLine(part.text);
    if (part.kind !== 'call') continue;
    if (part.name === 'Bash') state.commands.push(oneLine(part.input.command ?? ''));
    if (part.name === 'TodoWrite') state.todos = part.input.todos ?? [];
    const file = part.input?.file_path ?? part.input?.notebook_path;
    if (file !== undefined && part.name !== 'Read') {
      state.files = [file, ...state.files.filter((one) => one !== file)];
    }
  }
  return state;
}

/** Its recent-commands table, and the working files of its saved state. */
const COMMANDS_MAX = 20;
const FILES_MAX = 20;

/**
 * ContextKeeper's output as its description lays it out. Kinder than the original, which saves an empty task summary
 * before a compaction: here the task is the user's last prompt. No build targets, containers or devices: there are none.
 * @param level `minimal`, `normal` or `full`
 */
export function contextKeeper(records, level, max) {
  const { commands, files, todos, task } = contextKeeperState(records);
  const working = files.slice(0, FILES_MAX).join(', ');
  const open = todos.filter(({ status }) => status !== 'completed').map(({ content }) => content);
  const state = [`- **Task:** ${task}`, `- **Working files:** ${working}`];
  const recent = commands.slice(-COMMANDS_MAX).map((command) => `| | ${command} |`);
  const text = {
    minimal: ['# Context Recovery (Minimal)', `**Task:** ${task}`, `**Files:** ${working}`],
    normal: ['# Development Context', '## Saved Work State', ...state],
    full: [
      '# Development Context (Full)',
      '## Saved Work State',
      ...state,
      ...open.map((todo) => `- [ ] ${todo}`),
      '## Recent Relevant Commands',
      ...recent,
    ],
  }[level];
  return clipped(text.join('\n'), max);
}
