import type { MessageRecorded, TurnEnded } from '../../events/types.ts';
import { headOf } from '../bounds.ts';
import type { Fact } from '../contract.ts';
import { textOf } from '../tools-text.ts';
import type { Message } from './conversation.ts';

/** Of a text, to know it again. */
const KNOWN_CHARS = 1000;

/**
 * What the agent said last, as the end of its turn tells it, in the form in which a transcript does. It is for sessions of which no
 * transcript was read: a transcript says all of it, and a hook may be late or come twice.
 * @returns undefined where that was nothing, or the client's own word for what went wrong
 */
export function lastWords(fact: Fact<TurnEnded>): Fact<MessageRecorded> | undefined {
  const { lastMessage: text, error } = fact.data;
  if (fact.agent !== null || error !== undefined || text === undefined) return undefined;
  if (startOf(textOf(text) ?? '') === '') return undefined;
  return { ...fact, type: 'message.recorded', data: { role: 'assistant', kind: 'text', text } };
}

export const startOf = (text: string): string => headOf(text.trim(), KNOWN_CHARS);

/** What is to be told of a turn's end, with the messages of before; undefined where they have it. */
export function unheard(
  messages: readonly Message[],
  fact: Fact<TurnEnded>,
): Fact<MessageRecorded> | undefined {
  const words = lastWords(fact);
  // All that a transcript tells has its place.
  if (words === undefined || messages.some(({ pos }) => pos !== null)) return undefined;
  const last = messages.at(-1);
  const isRepeated =
    last?.role === 'assistant' && startOf(last.content) === startOf(textOf(words.data.text)!);
  return isRepeated ? undefined : words;
}
