import type { UsageSampled } from '../events/types.ts';
import type { Fact } from './contract.ts';

/** `cacheHour` is the part of `cacheWrite` that is kept for an hour. */
export interface Tokens {
  input: number;
  output: number;
  cacheWrite: number;
  cacheHour: number;
  cacheRead: number;
}
const KINDS = ['input', 'output', 'cacheWrite', 'cacheHour', 'cacheRead'] as const;

export interface MessageUsage {
  session: string | null;
  model: string;
  at: number;
  tokens: Tokens;
}

export const noTokens = (): Tokens => ({
  input: 0,
  output: 0,
  cacheWrite: 0,
  cacheHour: 0,
  cacheRead: 0,
});

export function addTokens(sum: Tokens, more: Tokens): Tokens {
  for (const kind of KINDS) sum[kind] += more[kind];
  return sum;
}

/** All of them; `cacheHour` is in `cacheWrite` already. */
export const tokenCount = ({ input, output, cacheWrite, cacheRead }: Tokens): number =>
  input + output + cacheWrite + cacheRead;

/**
 * What each API message used, once: a transcript repeats it with each part of the message, its output growing, and a resumed session
 * may begin with a copy. So of one message the largest numbers count, for the session and time that had it first.
 */
export class MessageUsages {
  readonly #byMessage = new Map<string, MessageUsage>();

  add({ session, at, data }: Pick<Fact<UsageSampled>, 'session' | 'at' | 'data'>): void {
    if (data.copied === true) return;
    const tokens = {
      input: data.inputTokens,
      output: data.outputTokens,
      cacheWrite: data.cacheCreationTokens,
      cacheHour: data.cacheHourTokens ?? 0,
      cacheRead: data.cacheReadTokens,
    };
    const known = this.#byMessage.get(data.messageId);
    if (known === undefined) {
      // The client's own notices, such as a failed request, use nothing.
      if (tokenCount(tokens) > 0)
        this.#byMessage.set(data.messageId, {
          session,
          model: data.model ?? 'unknown',
          at,
          tokens,
        });
      return;
    }
    for (const kind of KINDS) known.tokens[kind] = Math.max(known.tokens[kind], tokens[kind]);
    if (at < known.at) Object.assign(known, { session, at });
  }

  all(): Iterable<MessageUsage> {
    return this.#byMessage.values();
  }
}
