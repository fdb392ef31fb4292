import type {
  CompactionFinished,
  MessageRecorded,
  PromptSubmitted,
  SubagentStopped,
  ToolCalled,
} from '../events/types.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { Task } from '../projections/folds/tasks.ts';
import { isObject } from '../projections/tools-text.ts';
import { wholeObject, wholeText } from './tracked-files.ts';

/** For all whole texts together: more is hundreds of pages. */
const CHARS_MAX = 2_000_000;
const CUT = '…';
/** A text in a blob is represented by this many characters, without a mark. */
const HEAD_CHARS = 2000;
/** States cut texts at least here; shorter texts that end in … were not cut. */
const MESSAGE_CHARS_MIN = 1000;
const SUMMARY_CHARS_MIN = 7999;
const REPORT_CHARS_MIN = 599;

/** The state with long texts read whole from the journal. A text that stays cut says how to see it, or why that is impossible. */
export function withWholeTexts(project: Project, state: ContextState, of: StateOf): ContextState {
  let left = CHARS_MAX;
  const mayTell = (chars: number): boolean => {
    if (chars > left) return false;
    left -= chars;
    return true;
  };
  const whole = (text: string, seq: number, charsMin: number): string => {
    const isMarked = text.length >= charsMin && text.endsWith(CUT);
    if (!isMarked && text.length !== HEAD_CHARS) return text;
    const begin = isMarked ? text.slice(0, -CUT.length) : text;
    const said = textOfEvent(project, seq);
    if (said === undefined) return `${begin}${CUT} [shortened, and ${whyGone(project, seq)}]`;
    // The head may end in half a character.
    if (said.length <= text.length || !said.startsWith(begin.slice(0, -1))) return text;
    if (mayTell(said.length)) return said;
    const shown = `${begin.length} of ${said.length} characters`;
    return `${begin}${CUT} [shortened: ${shown}; ben10 show ${seq} --full has all]`;
  };
  const { conversation } = state;
  const compaction = conversation.compactions.at(-1);
  const { summary } = conversation;
  // The newest first: they matter most, and room is limited.
  const messages = conversation.messages.toReversed().map((message) => ({
    ...message,
    content: whole(message.content, message.seq, MESSAGE_CHARS_MIN),
  }));
  return {
    ...state,
    tasks: withWholeTasks(project, state.tasks, of, mayTell),
    conversation: {
      ...conversation,
      messages: messages.reverse(),
      subagents: conversation.subagents.map((one) => ({
        ...one,
        result: whole(one.result, one.seq, REPORT_CHARS_MIN),
      })),
      summary:
        summary === null || compaction === undefined
          ? summary
          : whole(summary, compaction.seq, SUMMARY_CHARS_MIN),
    },
  };
}

/** Undefined when unreadable; empty when the event has no text, because another source came first. */
function textOfEvent(project: Project, seq: number): string | undefined {
  const { reader, ports } = project;
  const event = readEvents(reader, ports.xxh64, { from: seq, to: seq }).next().value;
  if (event === undefined) return undefined;
  const { text, summary, lastMessage } = event.data as Partial<
    PromptSubmitted & MessageRecorded & CompactionFinished & SubagentStopped
  >;
  const said = text ?? summary ?? lastMessage;
  return said === undefined ? '' : wholeText(project, said);
}

function whyGone({ states, reader }: Project, seq: number): string {
  if (seq <= (states.dropped()?.upto ?? 0))
    return `the rest is gone: event @${seq} was removed by retention`;
  for (const { entry } of reader.entries(seq, seq))
    if (entry?.kind === FRAME_KIND.tombstone) return `the rest is gone: event @${seq} was erased`;
  return `event @${seq}, which has the rest, cannot be read`;
}

/** States cut task texts at least here; shorter texts that end in … were not cut. */
const TASK_CHARS_MIN = 199;

interface Said {
  text: string;
  seq: number;
}

interface StateOf {
  session: string;
  upto: number;
}

/**
 * Tasks with their whole texts, found in the session's calls, since a task's last change need not contain its text.
 * @param mayTell counts characters of whole texts; refused ones get a reference
 */
function withWholeTasks(
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
    // Several possible texts: name them all.
    if (new Set(found.map((one) => one.text)).size > 1)
      return `${text} [shortened: ${placesOf(found)}]`;
    const last = found.at(-1);
    if (last === undefined) return `${text} [shortened; the call is gone]`;
    return mayTell(last.text.length) ? last.text : `${text} [shortened: ${placesOf([last])}]`;
  };
  const wholeTask = ([id, task]: [string, Task]): [string, Task] => [
    id,
    { ...task, subject: whole(task.subject), description: whole(task.description) },
  ];
  return { ...tasks, tasks: Object.fromEntries(all.map(wholeTask)) };
}

const isCut = (text: string): boolean => text.length >= TASK_CHARS_MIN && text.endsWith(CUT);

const placesOf = (found: readonly Said[]): string =>
  `${found
    .slice(-3)
    .map(({ seq }) => `ben10 show ${seq} --full`)
    .join(' or ')} has all`;

/** All texts of task calls, newest last. */
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
