import type { MessageRecorded, PromptSubmitted } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { Message } from '../projections/folds/conversation.ts';
import { wholeText } from './file-versions.ts';

/** Of all messages that are read whole from the journal together: more is hundreds of pages that nobody reads. */
const CHARS_MAX = 2_000_000;
const CUT = '…';
/** Where a state cuts a text; a shorter one with such an end is what was said. */
const CUT_CHARS_MIN = 1000;

/**
 * The state with its messages as they were said: it holds the start of a long one alone. One that is not read whole says what there
 * is of it, and where the rest is.
 */
export function withWholeMessages(project: Project, state: ContextState): ContextState {
  let left = CHARS_MAX;
  const messages = state.conversation.messages.map((message) => {
    const { content, seq } = message;
    if (content.length < CUT_CHARS_MIN || !content.endsWith(CUT)) return message;
    const text = textOfEvent(project, message);
    if (text === undefined || text.length <= content.length) return message;
    left -= text.length;
    if (left >= 0) return { ...message, content: text };
    const about = `shortened: ${content.length - 1} of ${text.length} characters, ben10 show @${seq} for all`;
    return { ...message, content: `${content} [${about}]` };
  });
  return { ...state, conversation: { ...state.conversation, messages } };
}

/** Undefined where the event says something else now, or cannot be read. */
function textOfEvent(project: Project, { seq, content }: Message): string | undefined {
  const { reader, ports } = project;
  const event = readEvents(reader, ports.xxh64, { from: seq, to: seq }).next().value;
  const { text } = (event?.data ?? {}) as Partial<PromptSubmitted | MessageRecorded>;
  const whole = text === undefined ? undefined : wholeText(project, text);
  return whole?.startsWith(content.slice(0, -CUT.length)) ? whole : undefined;
}
