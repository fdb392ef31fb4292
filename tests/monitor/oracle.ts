// The percent by another way: the whole file forward, as a tree. `src/monitor/tail.ts` reads its end backward.
// biome-ignore lint/suspicious/noExplicitAny: records of any shape
type Json = Record<string, any>;

/** Tokens that a call of the main thread held; 0 if the record is none. */
export const tokensIn = ({ type, message, isApiErrorMessage }: Json): number => {
  if (type !== 'assistant' || isApiErrorMessage === true || message?.model === '<synthetic>')
    return 0;
  const sum = (usage: Json) =>
    (usage?.input_tokens ?? 0) +
    (usage?.cache_creation_input_tokens ?? 0) +
    (usage?.cache_read_input_tokens ?? 0);
  const steps = (message?.usage?.iterations ?? []).map(sum).filter((tokens: number) => tokens > 0);
  return steps.at(-1) ?? sum(message?.usage);
};

/** A transcript that grows line by line. */
export class Oracle {
  readonly #byUuid = new Map<string, Json>();
  readonly #keptBy = new Map<string, Json>();
  readonly #byMessage = new Map<string, Json>();
  #first: Json | undefined;
  #newestCall: Json | undefined;
  #summary: Json | undefined;
  #head: Json | undefined;

  /** @returns the record, if it is one of the main thread */
  add(line: string): Json | undefined {
    const record = parsed(line);
    if (record === undefined || record.isSidechain === true) return undefined;
    const { uuid, type, subtype } = record;
    if (typeof uuid === 'string') {
      this.#byUuid.set(uuid, record);
      if (type === 'user' || type === 'assistant' || subtype === 'compact_boundary')
        this.#head = record;
    }
    const { preservedMessages, preservedSegment } = record.compactMetadata ?? {};
    const kept = [preservedSegment?.headUuid, preservedSegment?.tailUuid];
    for (const one of [...kept, ...(preservedMessages?.uuids ?? [])])
      if (one) this.#keptBy.set(one, record);
    // A compaction's summary follows it.
    if (subtype === 'compact_boundary') this.#summary = undefined;
    if (record.isCompactSummary === true) this.#summary = record;
    if (tokensIn(record) > 0) {
      this.#first ??= record;
      this.#newestCall = record;
      this.#byMessage.set(record.message.id, record);
    }
    return record;
  }

  /** In the context behind the lines so far; undefined before the first call. */
  tokens(): number | undefined {
    let at = this.#head;
    for (const seen = new Set<Json>(); at !== undefined && !seen.has(at); ) {
      seen.add(at);
      if (at.subtype === 'compact_boundary') return this.#afterCompaction(at);
      const boundary = this.#keptBy.get(at.uuid);
      if (boundary !== undefined) return this.#afterCompaction(boundary);
      if (tokensIn(at) > 0) return tokensIn(this.#byMessage.get(at.message.id)!);
      if (typeof at.parentUuid !== 'string') return undefined;
      at = this.#byUuid.get(at.parentUuid);
    }
    return this.#newestCall && tokensIn(this.#newestCall);
  }

  #afterCompaction({ compactMetadata }: Json): number {
    if (compactMetadata?.postTokens > 0) return compactMetadata.postTokens;
    const length = this.#summary ? JSON.stringify(this.#summary.message.content).length : 0;
    return Math.round((this.#first ? tokensIn(this.#first) : 0) + length / 3.6);
  }
}

function parsed(line: string): Json | undefined {
  try {
    const record = JSON.parse(line);
    return record !== null && typeof record === 'object' ? record : undefined;
  } catch {
    return undefined; // damaged
  }
}

/** Tokens in the context behind these lines; undefined before the first call. */
export function tokensBehind(lines: readonly string[]): number | undefined {
  const oracle = new Oracle();
  for (const line of lines) oracle.add(line);
  return oracle.tokens();
}
