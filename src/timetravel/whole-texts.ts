import type {
  CompactionFinished,
  MessageRecorded,
  PromptSubmitted,
  SubagentStopped,
} from '../events/types.ts';
import { FRAME_KIND } from '../journal/format/format.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import type { ContextState } from '../projections/folds/context.ts';
import { wholeText } from './file-versions.ts';
import { type StateOf, withWholeTasks } from './whole-tasks.ts';

/** Of all texts that are read whole from the journal together: more is hundreds of pages that nobody reads. */
const CHARS_MAX = 2_000_000;
const CUT = '…';
/** Of a text beside the journal a state has no more than the head that stands in its event, which no sign ends. */
const HEAD_CHARS = 2000;
/** Where a state cuts a text; a shorter one with such an end is what was said. */
const MESSAGE_CHARS_MIN = 1000;
const SUMMARY_CHARS_MIN = 7999;
const REPORT_CHARS_MIN = 599;

/**
 * The state with what was said as it was said: it holds the start of a long text alone. One that is not read whole says what there
 * is of it, and where the rest is, or that it is nowhere any more.
 */
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
    // Half of a character may stand at the end of a head.
    if (said.length <= text.length || !said.startsWith(begin.slice(0, -1))) return text;
    if (mayTell(said.length)) return said;
    const shown = `${begin.length} of ${said.length} characters`;
    return `${begin}${CUT} [shortened: ${shown}; ben10 show ${seq} --full has all]`;
  };
  const { conversation } = state;
  const compaction = conversation.compactions.at(-1);
  const { summary } = conversation;
  // What was said last first: it is wanted most, and there may not be room for all.
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

/** Undefined where it cannot be read; empty where the event is another's that knew of it first, and said nothing. */
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
