/** How much of a context was used when: messages so far, minutes of work so far, tokens. */
export type Point = [messages: number, minutes: number, tokens: number];

/** A context from where it was new or compacted to the next such place. Bounded, plain JSON data. */
export interface Segment {
  session: string;
  model: string;
  /** The first one, then every so many messages, and the newest. */
  points: Point[];
  every: number;
  /** Of the newest sample. */
  at: number;
  message: string;
  /** As the client's status line said it. */
  window: number | null;
  /** Tokens at which the client compacted it by itself, and the id of that. */
  compactedAt: number | null;
  compaction: string | null;
}

export interface ContextSample {
  message: string;
  model: string;
  /** Milliseconds since the epoch. */
  at: number;
  tokens: number;
}

/** Who is away for longer did not work. */
export const PAUSE_MS = 2 * 60_000;
/** A smaller fall is the client's, which clears old results of tools; a larger one a new context or a rewind. */
const FALL = 0.1;

/** Minutes of work between two times; a clock that was set back counts nothing. */
export const workMinutes = (from: number, to: number): number =>
  Math.min(PAUSE_MS, Math.max(0, to - from)) / 60_000;

export const segmentFrom = (
  session: string,
  { message, model, at, tokens }: ContextSample,
): Segment => ({
  session,
  model,
  points: [[1, 0, tokens]],
  every: 1,
  at,
  message,
  window: null,
  compactedAt: null,
  compaction: null,
});

/** @returns false if the sample belongs to another segment @param most how many points are kept */
export function grow(segment: Segment, sample: ContextSample, most: number): boolean {
  const { points } = segment;
  const [messages, minutes, tokens] = points.at(-1)!;
  if (segment.compactedAt !== null || sample.tokens < tokens * (1 - FALL)) return false;
  const isSame = sample.message === segment.message;
  const next: Point = [
    isSame ? messages : messages + 1,
    minutes + workMinutes(segment.at, sample.at),
    sample.tokens,
  ];
  // The newest point stands for the last messages until it is one that stays.
  if (isSame || (messages - 1) % segment.every !== 0) points.pop();
  points.push(next);
  Object.assign(segment, { at: Math.max(segment.at, sample.at), message: sample.message });
  if (points.length > most) {
    segment.every *= 2;
    segment.points = points.filter(
      ([n], index) => (n - 1) % segment.every === 0 || index === points.length - 1,
    );
  }
  return true;
}
