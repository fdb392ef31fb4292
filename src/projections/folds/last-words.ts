import type { MessageRecorded, TurnEnded } from '../../events/types.ts';
import { headOf } from '../bounds.ts';
import type { Fact } from '../contract.ts';
import { textOf } from '../tools-text.ts';
import type { Message } from './conversation.ts';

/** Characters by which a repeated text is recognised. */
const KNOWN_CHARS = 1000;

/**
 * The agent's last message as reported at the turn's end, in a transcript's form. For sessions without a transcript only: a
 * transcript has it anyway, and hooks may be late or repeated.
 * @returns undefined when there is none, or only the client's error
 */
export function lastWords(fact: Fact<TurnEnded>): Fact<MessageRecorded> | undefined {
  const { lastMessage: text, error } = fact.data;
  if (fact.agent !== null || error !== undefined || text === undefined) return undefined;
  if (startOf(textOf(text) ?? '') === '') return undefined;
  return { ...fact, type: 'message.recorded', data: { role: 'assistant', kind: 'text', text } };
}

export const startOf = (text: string): string => headOf(text.trim(), KNOWN_CHARS);

/** Undefined when the messages have it already. */
export function unheard(
  messages: readonly Message[],
  fact: Fact<TurnEnded>,
): Fact<MessageRecorded> | undefined {
  const words = lastWords(fact);
  // A message with a position comes from a transcript.
  if (words === undefined || messages.some(({ pos }) => pos !== null)) return undefined;
  const last = messages.at(-1);
  const isRepeated =
    last?.role === 'assistant' && startOf(last.content) === startOf(textOf(words.data.text)!);
  return isRepeated ? undefined : words;
}
