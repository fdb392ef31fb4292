import type {
  CompactionFinished,
  ContextSampled,
  FactEnriched,
  UsageSampled,
} from '../../events/types.ts';
import { headOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';
import { grow, type Segment, segmentFrom } from '../growth.ts';

export interface ForecastHistoryState {
  /** In the order in which they began. */
  segments: Segment[];
}

const SEGMENTS_MAX = 40;
const POINTS_MAX = 32;
const NAME_CHARS = 100;
/** They say where the client compacts, and are kept however long ago they were. */
const COMPACTED_KEPT = 5;

/** How the newest contexts of the project grew, and where the client compacted them: what is forecast, and measured, by. */
export const forecastHistory = historyOf(SEGMENTS_MAX, POINTS_MAX);

/** @param points of each segment */
export function historyOf(segments: number, points: number): Projection<ForecastHistoryState> {
  return {
    name: 'forecast-history',
    version: 2,
    scope: 'project',
    initial: () => ({ segments: [] }),
    ...foldedBy<ForecastHistoryState>({
      'usage.sampled': (state, fact) => used(state.segments, fact, segments, points),
      'context.sampled': (state, fact) => said(state.segments, fact),
      'compaction.finished': (state, fact) => compacted(state.segments, fact),
      'fact.enriched': (state, fact) => enriched(state.segments, fact),
    }),
  };
}

/** The one that a session is in, or was in last. */
export const segmentOf = (segments: readonly Segment[], session: string): Segment | undefined =>
  segments.findLast((one) => one.session === headOf(session, NAME_CHARS));

function used(segments: Segment[], fact: Fact<UsageSampled>, most: number, points: number) {
  const { agent, data, at, session } = fact;
  const tokens = data.inputTokens + data.cacheCreationTokens + data.cacheReadTokens;
  // The client's own notices, such as a failed request, use nothing.
  if (agent !== null || session === null || data.copied === true || !(tokens > 0)) return;
  const message = headOf(data.messageId, NAME_CHARS);
  const sample = { message, model: headOf(data.model ?? '', NAME_CHARS), at, tokens };
  const known = segmentOf(segments, session);
  if (known !== undefined && grow(known, sample, points)) return;
  segments.push(segmentFrom(headOf(session, NAME_CHARS), sample));
  if (segments.length <= most) return;
  const kept = segments.filter(({ compactedAt }) => compactedAt !== null).slice(-COMPACTED_KEPT);
  segments.splice(
    segments.findIndex((one) => !kept.includes(one)),
    1,
  );
}

function said(segments: Segment[], { session, data }: Fact<ContextSampled>): void {
  const known = segmentOf(segments, session ?? '');
  if (known !== undefined && data.windowFrom === 'client') known.window = data.window;
}

function compacted(segments: Segment[], { id, session, agent, data }: Fact<CompactionFinished>) {
  const known = segmentOf(segments, session ?? '');
  if (agent !== null || known === undefined || data.trigger !== 'auto') return;
  const compactedAt = data.preTokens ?? known.points.at(-1)![2];
  Object.assign(known, { compactedAt, compaction: headOf(id, NAME_CHARS) });
}

/** The hook of a compaction comes first, and does not know its tokens. */
function enriched(segments: Segment[], { data }: Fact<FactEnriched>): void {
  const known = segments.findLast(({ compaction }) => compaction === data.of);
  const { preTokens } = (data.more ?? {}) as { preTokens?: unknown };
  if (known !== undefined && typeof preTokens === 'number') known.compactedAt = preTokens;
}
