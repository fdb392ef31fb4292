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
/** A compaction may come a little earlier than the last ones. */
const EARLIER = 0.99;
/** So far behind its point without a compaction, the client has none there. */
const REFUTED_AT = 1.03;
const STEP = { min: 5_000, max: 15_000, ofWindow: 0.075, quantile: 0.8, from: 8 };
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
  const { window, tokens, compacting } = known;
  if (set === 'off' || (set === 'auto' && compacting?.isOff === true)) return NEVER;
  const isPast = ({ at }: CompactAt) => tokens !== null && at !== null && tokens > at * REFUTED_AT;
  const all = [bySetting(set, window), byClient(compacting, window), learnt(known)];
  const found = all.find((one) => one !== undefined && !isPast(one));
  if (found !== undefined) return found;
  const expected = { at: window - LEFT_AT_COMPACTION, isKnown: false };
  return window < SMALLEST_EXPECTED || isPast(expected) ? { at: null, isKnown: false } : expected;
}

const NEVER: CompactAt = { at: null, isKnown: true };

const bySetting = (set: string, window: number): CompactAt | undefined =>
  /^\d+$/.test(set) && Number(set) > 0
    ? { at: Math.min(window, Number(set)), isKnown: true }
    : undefined;

function byClient(said: ContextCompacting | null, window: number): CompactAt | undefined {
  if (said?.window === undefined && said?.percent === undefined) return undefined;
  const within = Math.min(window, said.window ?? window);
  const usual = Math.max(within - LEFT_AT_COMPACTION, within / 2);
  const at = said.percent === undefined ? usual : Math.min(usual, (within * said.percent) / 100);
  return { at: Math.round(at), isKnown: true };
}

/**
 * Of the session itself if there are any: another one may run in another release of the client, which compacts elsewhere. The lowest: a
 * level that comes early costs less than one that never comes (L2 came before 93.9 % of strangers' compactions, 91.7 % by the median).
 */
function learnt({ segments, session, window: here }: Known): CompactAt | undefined {
  const all = segments.flatMap(({ session: of, window, model, compactedAt: tokens }) =>
    tokens !== null && windowBy({ said: window, model }, tokens).window === here
      ? [{ of, tokens }]
      : [],
  );
  const own = all.filter(({ of }) => of === session);
  const alike = (own.length > 0 ? own : all).slice(-LEARNT_FROM).map(({ tokens }) => tokens);
  const at = Math.round(Math.min(...alike) * EARLIER);
  return alike.length === 0 ? undefined : { at, isKnown: true };
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
    l1: Math.min(l1, before(3)),
    l2: Math.min(l2, before(2)),
    l3: Math.min(l3, before(1)),
  };
}

/** The tokens that four fifths of the messages of a context added at most. */
export function stepOf(segment: Segment | undefined, window: number): number {
  const points = segment?.points ?? [];
  const grown = points
    .slice(1)
    .map(([n, , tokens], index) => {
      const [before, , had] = points[index]!;
      return (tokens - had) / Math.max(1, n - before);
    })
    .sort((a, b) => a - b);
  const most = Math.min(STEP.max, STEP.ofWindow * window);
  const usual = grown.length < STEP.from ? 0 : grown[Math.floor(STEP.quantile * grown.length)]!;
  return Math.min(most, Math.max(Math.min(STEP.min, most), Math.round(usual)));
}

/** Up at once; down only well below a threshold. @param before of the same epoch */
export function levelOf(percent: number | null, { l1, l2, l3 }: Thresholds, before: Level): Level {
  if (percent === null) return before;
  const rankAt = (value: number) => [l1, l2, l3].filter((from) => value >= from).length;
  const rank = Math.max(rankAt(percent), Math.min(rankOf(before), rankAt(percent + HYSTERESIS)));
  return LEVELS[rank]!;
}
