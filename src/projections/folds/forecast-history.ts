import type { CompactionFinished, UsageSampled } from '../../events/types.ts';
import { headOf, keepNewest } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';
import { grow, type Segment, segmentFrom } from '../growth.ts';

export interface ForecastHistoryState {
  /** In the order in which they began. */
  segments: Segment[];
}

const SEGMENTS_MAX = 40;
const POINTS_MAX = 32;
const NAME_CHARS = 100;

/** How the newest contexts of the project grew: what a forecast is made and measured with. */
export const forecastHistory = historyOf(SEGMENTS_MAX, POINTS_MAX);

/** @param points of each segment */
export function historyOf(segments: number, points: number): Projection<ForecastHistoryState> {
  return {
    name: 'forecast-history',
    version: 1,
    scope: 'project',
    initial: () => ({ segments: [] }),
    ...foldedBy<ForecastHistoryState>({
      'usage.sampled': (state, fact) => sampled(state.segments, fact, segments, points),
      'compaction.finished': (state, fact) => compacted(state.segments, fact),
    }),
  };
}

const newestOf = (segments: Segment[], session: string): Segment | undefined =>
  segments.findLast((one) => one.session === session);

function sampled(segments: Segment[], fact: Fact<UsageSampled>, most: number, points: number) {
  const { agent, data, at } = fact;
  const tokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
  // The client's own notices, such as a failed request, use nothing.
  if (agent !== null || fact.session === null || data.copied === true || !(tokens > 0)) return;
  const session = headOf(fact.session, NAME_CHARS);
  const message = headOf(data.messageId, NAME_CHARS);
  const sample = { message, model: headOf(data.model ?? '', NAME_CHARS), at, tokens };
  const known = newestOf(segments, session);
  if (known !== undefined && grow(known, sample, points)) return;
  segments.push(segmentFrom(session, sample));
  keepNewest(segments, most);
}

function compacted(segments: Segment[], { session, agent, data }: Fact<CompactionFinished>) {
  if (agent !== null || session === null || data.trigger !== 'auto') return;
  const known = newestOf(segments, headOf(session, NAME_CHARS));
  if (known !== undefined) known.compactedAt = data.preTokens ?? known.points.at(-1)![2];
}
