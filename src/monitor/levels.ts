import type { ContextCompacting, Level } from '../events/types.ts';
import type { MonitorSettings } from '../platform/config/keys.ts';
import type { Segment } from '../projections/growth.ts';
import { windowBy } from './window.ts';

/** In percent of the window. */
export type Thresholds = Record<'l1' | 'l2' | 'l3', number>;

/** Where the client compacts by itself. */
export interface CompactAt {
  /** Tokens; null if it does not. */
  at: number | null;
  /** Said by the user or the client, or seen; else only expected. */
  isKnown: boolean;
}

/** What is left of the window when Claude Code compacts by its defaults (2.1). */
const LEFT_AT_COMPACTION = 33_000;
const SMALLEST_EXPECTED = 100_000;
/** Of the newest contexts that were compacted. */
const LEARNT_FROM = 5;
/** So far behind its point for two messages, the client has none there: it compacts behind the first one. */
const REFUTED_AT = 1.03;
/**
 * Set on 188 compactions of strangers' projects: with them L3 comes two steps before 97 % of those, L2 three before 99 %. Of 44 others,
 * the first ones of their projects, before 43 each.
 */
const STEP = { min: 5_000, max: 15_000 };
/** A level ends only so far below its threshold. */
const HYSTERESIS = 3;

export const LEVELS: readonly Level[] = ['L0', 'L1', 'L2', 'L3'];
export const rankOf = (level: Level): number => LEVELS.indexOf(level);

/** What is known of the client's compactions. */
export interface Known {
  session: string;
  window: number;
  /** Now, since the newest compaction. */
  tokens: number | null;
  compacting: ContextCompacting | null;
  /** Of the project, the newest last. */
  segments: readonly Segment[];
}

/** The user's word, then the client's own settings, then what was seen of the same window. */
export function compactAt({ compactAt: set }: Pick<MonitorSettings, 'compactAt'>, known: Known) {
  const { window, tokens, compacting, segments, session } = known;
  if (set === 'off' || (set === 'auto' && compacting?.isOff === true)) return NEVER;
  const [, , before] = segments.findLast((one) => one.session === session)?.points.at(-2) ?? [];
  const isPast = (at: number) => Math.min(tokens ?? 0, before ?? 0) > at * REFUTED_AT;
  const seen = lowestSeen(known);
  const usual = window < SMALLEST_EXPECTED ? Number.POSITIVE_INFINITY : window - LEFT_AT_COMPACTION;
  // A compaction shows only that its point is not above it: a large message may lead far past the usual one.
  const lower = seen === undefined ? undefined : Math.min(seen, usual);
  const all = [bySetting(set, window), byClient(compacting, window), lower, seen];
  const at = all.find((one) => one !== undefined && !isPast(one));
  if (at !== undefined) return { at, isKnown: true };
  return { at: usual > window || isPast(usual) ? null : usual, isKnown: false };
}

const NEVER: CompactAt = { at: null, isKnown: true };

const bySetting = (set: string, window: number): number | undefined =>
  /^\d+$/.test(set) && Number(set) > 0 ? Math.min(window, Number(set)) : undefined;

function byClient(said: ContextCompacting | null, window: number): number | undefined {
  if (said?.window === undefined && said?.percent === undefined) return undefined;
  const within = Math.min(window, said.window ?? window);
  const usual = Math.max(within - LEFT_AT_COMPACTION, within / 2);
  return Math.round(
    said.percent === undefined ? usual : Math.min(usual, (within * said.percent) / 100),
  );
}

/** Of several the lowest: a level that comes early costs less than one that never comes. */
function lowestSeen({ segments, window: here }: Known): number | undefined {
  const alike = segments.flatMap(({ window, model, compactedAt: at }) =>
    at !== null && windowBy({ said: window, model }, at).window === here ? [at] : [],
  );
  return alike.length === 0 ? undefined : Math.min(...alike.slice(-LEARNT_FROM));
}

/**
 * The settings' levels, or so many steps before a known compaction point that each still comes before it.
 * @param step tokens that one message may add
 */
export function thresholds(
  { levels }: Pick<MonitorSettings, 'levels'>,
  { at, isKnown }: CompactAt,
  window: number,
  step: number,
): Thresholds {
  const { l1, l2, l3 } = levels;
  if (at === null || !isKnown) return levels;
  const before = (steps: number) => Math.max(1, Math.round((100 * (at - steps * step)) / window));
  return {
    l1: Math.min(l1, before(4)),
    l2: Math.min(l2, before(3)),
    l3: Math.min(l3, before(2)),
  };
}

/**
 * What a message of a context adds, where one is met by its tokens: the larger it is, the likelier the way to a compaction ends in it.
 * So the mean counts each by what it adds.
 */
export function stepOf(segment: Segment | undefined): number {
  const { points = [] } = segment ?? {};
  let added = 0;
  let met = 0;
  for (const [index, [n, , tokens]] of points.slice(1).entries()) {
    const [before, , had] = points[index]!;
    const more = Math.max(0, tokens - had);
    added += more;
    met += more * (more / (n - before));
  }
  return Math.round(Math.min(STEP.max, Math.max(STEP.min, added === 0 ? 0 : met / added)));
}

/** Up at once; down only well below a threshold. @param before of the same epoch */
export function levelOf(percent: number | null, { l1, l2, l3 }: Thresholds, before: Level): Level {
  if (percent === null) return before;
  const rankAt = (value: number) => [l1, l2, l3].filter((from) => value >= from).length;
  const rank = Math.max(rankAt(percent), Math.min(rankOf(before), rankAt(percent + HYSTERESIS)));
  return LEVELS[rank]!;
}
