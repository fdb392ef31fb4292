// The percent by another way: the whole file forward, as a tree. `src/monitor/tail.ts` reads its end backward.
// biome-ignore lint/suspicious/noExplicitAny: records of any shape
type Json = Record<string, any>;

const tokensIn = ({ type, message, isApiErrorMessage }: Json): number => {
  if (type !== 'assistant' || isApiErrorMessage === true || message?.model === '<synthetic>')
    return 0;
  const sum = (usage: Json) =>
    (usage?.input_tokens ?? 0) +
    (usage?.cache_creation_input_tokens ?? 0) +
    (usage?.cache_read_input_tokens ?? 0);
  const steps = (message?.usage?.iterations ?? []).map(sum).filter((tokens: number) => tokens > 0);
  return steps.at(-1) ?? sum(message?.usage);
};

/** Tokens in the context behind these lines; undefined before the first call. */
export function tokensBehind(lines: readonly string[]): number | undefined {
  const records: Json[] = [];
  for (const line of lines) {
    try {
      const record = JSON.parse(line);
      if (record !== null && typeof record === 'object' && record.isSidechain !== true)
        records.push(record);
    } catch {
      // damaged
    }
  }
  const byUuid = new Map<string, Json>();
  const keptBy = new Map<string, Json>();
  for (const record of records) {
    if (typeof record.uuid === 'string') byUuid.set(record.uuid, record);
    const { preservedMessages, preservedSegment } = record.compactMetadata ?? {};
    const kept = [preservedSegment?.headUuid, preservedSegment?.tailUuid];
    for (const uuid of [...kept, ...(preservedMessages?.uuids ?? [])])
      if (uuid) keptBy.set(uuid, record);
  }
  const calls = records.filter((record) => tokensIn(record) > 0);
  const afterCompaction = ({ compactMetadata }: Json) => {
    if (compactMetadata?.postTokens > 0) return compactMetadata.postTokens;
    const summary = records.findLast(({ isCompactSummary }) => isCompactSummary === true);
    const length = summary === undefined ? 0 : JSON.stringify(summary.message.content).length;
    return Math.round((calls.length > 0 ? tokensIn(calls[0]!) : 0) + length / 3.6);
  };
  let at = records.findLast(
    ({ type, subtype, uuid }) =>
      typeof uuid === 'string' &&
      (type === 'user' || type === 'assistant' || subtype === 'compact_boundary'),
  );
  for (const seen = new Set<Json>(); at !== undefined && !seen.has(at); ) {
    seen.add(at);
    if (at.subtype === 'compact_boundary') return afterCompaction(at);
    const boundary = keptBy.get(at.uuid);
    if (boundary !== undefined) return afterCompaction(boundary);
    if (tokensIn(at) > 0) {
      const { id } = at.message;
      return tokensIn(calls.findLast(({ message }) => message.id === id)!);
    }
    if (typeof at.parentUuid !== 'string') return undefined;
    at = byUuid.get(at.parentUuid);
  }
  return calls.length > 0 ? tokensIn(calls.at(-1)!) : undefined;
}
