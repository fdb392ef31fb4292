import type { Fact } from '../../../src/projections/contract.ts';
import type { Recorded } from './recorded.ts';

/**
 * All that may differ between a journal that was told by a transcript and one that hooks told as well.
 *
 * | what | why |
 * |---|---|
 * | `source` | who was first |
 * | `seq`, `seqs`, `lastSeq`, `changedSeq`, `outcomeSeq` | they cite the event of the first witness |
 * | what is known of a file's content, where sub-agents were at work | their transcripts have the words of an answer alone; a hook has what was read |
 * | when a sub-agent said its last | a hook tells its end a moment after the transcript has the words |
 * | a call, and its outcome, that only hooks saw | the client was killed before it wrote its records |
 * | the outcome of an interrupted call | the client was killed before it wrote the result, and noted on resume that it does not know it; a hook does |
 * | the id of the first prompt of a forked session | copies of the old prompts come before it in the transcript, under its own prompt id; a hook cannot count them |
 */
const WITNESS_FIELDS = new Set(['source', 'seq', 'seqs', 'lastSeq', 'changedSeq', 'outcomeSeq']);
const CONTENT_FIELDS = new Set(['known', 'summary']);
const INTERRUPTED = '[Tool call interrupted';

export class Differences {
  readonly #hookOnly: ReadonlySet<string>;
  readonly #interrupted: ReadonlySet<string>;
  readonly #forked: ReadonlySet<string>;
  readonly #hasAgents: boolean;

  constructor({ moments, transcripts }: Recorded) {
    const text = transcripts.flatMap(({ lines }) => lines).join('');
    const calls = moments.map(({ input }) => input.tool_use_id).filter((id) => id !== undefined);
    this.#hookOnly = new Set(calls.map(String).filter((id) => !text.includes(`"${id}"`)));
    const interrupted = transcripts
      .flatMap(({ lines }) => lines)
      .filter((line) => line.includes(INTERRUPTED))
      .map((line) => /"tool_use_id":"([^"]+)"/.exec(line)![1]!);
    this.#interrupted = new Set(interrupted);
    this.#hasAgents = transcripts.some(({ agent }) => agent !== null);
    const forks = moments.filter(({ input }) => input.source === 'fork');
    this.#forked = new Set(forks.map(({ input }) => input.session_id));
  }

  /** How many facts no transcript carries. */
  get untold(): number {
    return this.#hookOnly.size;
  }

  /** Facts that cannot be compared. */
  isExcepted({ type, data }: Fact): boolean {
    const { toolUseId } = data as { toolUseId?: string };
    if (toolUseId === undefined) return false;
    const isOutcome = type === 'tool.succeeded' || type === 'tool.failed';
    return this.#hookOnly.has(toolUseId) || (isOutcome && this.#interrupted.has(toolUseId));
  }

  /** A state without the fields that tell its witnesses apart. */
  comparable(state: unknown, session: string): unknown {
    const isFork = this.#forked.has(session);
    const strip = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(strip);
      if (typeof value !== 'object' || value === null) return value;
      const isPrompt = (value as { role?: unknown }).role === 'user';
      const isFile = this.#hasAgents && 'known' in value;
      const isAgent = 'agent' in value && 'result' in value;
      // Named by the event that it comes from.
      const isPreference = 'key' in value && 'seqs' in value;
      const kept = Object.entries(value).filter(
        ([key]) =>
          !WITNESS_FIELDS.has(key) &&
          !(isPreference && key === 'key') &&
          !(isFork && isPrompt && key === 'id') &&
          !(isFile && CONTENT_FIELDS.has(key)) &&
          !(isAgent && key === 'at'),
      );
      return kept.map(([key, field]) => [key, strip(field)]);
    };
    return strip(state);
  }
}
