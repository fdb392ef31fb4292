import type { ToolCalled } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { Task } from '../projections/folds/tasks.ts';
import { isObject } from '../projections/tools-text.ts';
import { wholeObject, wholeText } from './file-versions.ts';

/** Where a state cuts a task's text; a shorter one with such an end is what was said. */
const CHARS_MIN = 199;
const CUT = '…';

/** What a call said of a task. */
interface Said {
  text: string;
  seq: number;
}

/** Of whose state it is, and up to where. */
export interface StateOf {
  session: string;
  upto: number;
}

/**
 * The tasks with their texts as they were said. The state says when a task changed last, which is not always where its text was
 * said: that is looked for in the calls of the session.
 * @param mayTell counts the characters of whole texts; what it refuses says where it is
 */
export function withWholeTasks(
  project: Project,
  tasks: ContextState['tasks'],
  of: StateOf,
  mayTell: (chars: number) => boolean,
): ContextState['tasks'] {
  const all = Object.entries(tasks.tasks);
  if (!all.some(([, task]) => isCut(task.subject) || isCut(task.description))) return tasks;
  const said = saidOfTasks(project, of);
  const whole = (text: string): string => {
    if (!isCut(text)) return text;
    const begin = text.slice(0, -CUT.length);
    const found = said.filter((one) => one.text.startsWith(begin) && one.text.length > text.length);
    // Of several that begin alike nobody knows which one it is.
    if (new Set(found.map((one) => one.text)).size > 1)
      return `${text} [shortened: ${placesOf(found)}]`;
    const last = found.at(-1);
    if (last === undefined) return `${text} [shortened, and the call is not there any more]`;
    return mayTell(last.text.length) ? last.text : `${text} [shortened: ${placesOf([last])}]`;
  };
  const wholeTask = ([id, task]: [string, Task]): [string, Task] => [
    id,
    { ...task, subject: whole(task.subject), description: whole(task.description) },
  ];
  return { ...tasks, tasks: Object.fromEntries(all.map(wholeTask)) };
}

const isCut = (text: string): boolean => text.length >= CHARS_MIN && text.endsWith(CUT);

const placesOf = (found: readonly Said[]): string =>
  `${found
    .slice(-3)
    .map(({ seq }) => `ben10 show ${seq} --full`)
    .join(' or ')} has all`;

/** All that calls said of tasks, the newest last. */
function saidOfTasks(project: Project, { session, upto }: StateOf): Said[] {
  const { reader, ports } = project;
  const said: Said[] = [];
  const query = { session, to: upto, types: ['tool.called'], isLazy: true };
  for (const { seq, data } of readEvents(reader, ports.xxh64, query)) {
    const { name, input } = data as ToolCalled;
    if (!/^(?:TaskCreate|TaskUpdate|TodoWrite)$/.test(name)) continue;
    const asked = wholeObject(project, input);
    const todos = Array.isArray(asked.todos) ? asked.todos.filter(isObject) : [];
    for (const { subject, description, content } of [asked, ...todos])
      for (const one of [subject, description, content]) {
        const text = wholeText(project, one);
        if (text !== undefined) said.push({ text, seq });
      }
  }
  return said;
}
