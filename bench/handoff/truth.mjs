// What a session did before a cut, and what it did behind it: independent of the program, but for what makes two commands the same.
import path from 'node:path';
import { aboutOf, partsOf } from '../recall/transcript.mjs';

const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const OPEN = new Set(['pending', 'in_progress']);

/** Of the main thread in its order: what it was, and whether it failed. */
export function callsOf(records, cwd) {
  const calls = [];
  const byId = new Map();
  for (const part of records.flatMap(partsOf)) {
    if (part.kind === 'call') {
      const { name, input = {}, id } = part;
      const file = inside(cwd, input.file_path ?? input.notebook_path);
      const edited = EDITS.has(name) ? file : undefined;
      const read = name === 'Read' ? file : undefined;
      const command = name === 'Bash' && typeof input.command === 'string' ? input.command : '';
      const call = { name, input, edited, read, command, failed: false, result: '' };
      calls.push(call);
      byId.set(id, call);
    }
    const call = part.kind === 'result' ? byId.get(part.id) : undefined;
    if (call !== undefined) Object.assign(call, { failed: part.failed, result: part.text });
  }
  return calls;
}

/** Relative to the project; what lies elsewhere is none of its files. */
function inside(cwd, file) {
  if (typeof file !== 'string') return undefined;
  const name = path.posix.relative(cwd, path.posix.resolve(cwd, file));
  return name === '' || name.startsWith('..') ? undefined : name;
}

/**
 * @param program with `runKey` and `looksAround`
 * @returns what was known before, and what was done of it in the next calls
 */
export function truthOf(program, { before, after }, all) {
  const { cwd } = aboutOf(all);
  const [past, coming] = [before, after].map((records) => callsOf(records, cwd));
  const keyOf = ({ command }) =>
    command === '' || program.looksAround(command) ? undefined : program.runKey(command);
  const next = (count) => {
    const calls = coming.slice(0, count);
    const edited = setOf(calls.map((one) => one.edited));
    const read = setOf(calls.map((one) => one.read));
    return { edited, read, runs: setOf(calls.map(keyOf)) };
  };
  const commands = new Map();
  for (const call of past) if (keyOf(call) !== undefined) commands.set(keyOf(call), call);
  const failing = [...commands].filter(([, call]) => call.failed).map(([key]) => key);
  const passed = setOf(coming.filter(({ failed }) => !failed).map(keyOf));
  return {
    files: setOf(past.flatMap(({ edited, read }) => [edited, read])),
    edits: past.flatMap(({ edited }) => edited ?? []),
    commands,
    at15: next(15),
    at30: next(30),
    mended: failing.filter((key) => passed.has(key)),
    todo: nextTodo(past, coming),
  };
}

const setOf = (all) => new Set(all.filter((one) => one !== undefined));

/** Of the todos that were open at the cut, the first that the session went on with. */
function nextTodo(past, coming) {
  const todos = new Map();
  for (const call of past) apply(todos, call);
  const open = [...todos.values()].filter(({ status }) => OPEN.has(status));
  const before = new Map(open.map(({ subject, status }) => [subject, status]));
  for (const call of coming) {
    apply(todos, call);
    const now = [...todos.values()].filter(
      ({ subject, status }) => before.has(subject) && status !== before.get(subject),
    );
    const done = now.find(({ status }) => status === 'completed');
    const [one] =
      done === undefined ? now.filter(({ status }) => status === 'in_progress') : [done];
    if (one !== undefined) return one.subject;
  }
  return undefined;
}

function apply(todos, { name, input, failed, result }) {
  if (failed) return;
  if (name === 'TodoWrite' && Array.isArray(input.todos)) {
    todos.clear();
    for (const { content, status } of input.todos) todos.set(content, { subject: content, status });
  }
  if (name === 'TaskCreate') {
    const id = /#(\w+)/.exec(result)?.[1];
    if (id !== undefined) todos.set(id, { subject: input.subject, status: 'pending' });
  }
  const known = name === 'TaskUpdate' ? todos.get(String(input.taskId)) : undefined;
  if (known !== undefined)
    todos.set(String(input.taskId), {
      subject: input.subject ?? known.subject,
      status: input.status ?? known.status,
    });
}
