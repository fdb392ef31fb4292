import type { CompactionFinished, ContextSampled, FactEnriched } from '../../events/types.ts';
import { dropOldest, fieldOf, headOf, keepNewest, keyOf } from '../bounds.ts';
import { type Fact, foldedBy, type Projection } from '../contract.ts';

/** Where a client compacted by itself. */
export interface CompactionPoint {
  /** Of its event. */
  id: string;
  session: string;
  client: string;
  tokens: number;
  /** As the client's status line said it before. */
  window: number | null;
}

export interface CompactionPointsState {
  points: CompactionPoint[];
  /** Windows by session, as the status line said them. */
  windows: Record<string, number>;
  /** Compactions whose tokens only the transcript knows. */
  waiting: Record<string, Pick<CompactionPoint, 'session' | 'client' | 'window'>>;
}

const POINTS_MAX = 40;
const WINDOWS_MAX = 100;
const WAITING_MAX = 20;
const NAME_CHARS = 200;

/** At how many tokens clients compacted by themselves in this project. */
export const compactionPoints: Projection<CompactionPointsState> = {
  name: 'compaction-points',
  version: 2,
  scope: 'project',
  initial: () => ({ points: [], windows: {}, waiting: {} }),
  ...foldedBy<CompactionPointsState>({
    'context.sampled': sampled,
    'compaction.finished': compacted,
    'fact.enriched': enriched,
  }),
};

function sampled({ windows }: CompactionPointsState, { session, data }: Fact<ContextSampled>) {
  if (session === null || data.windowFrom !== 'client') return;
  const key = keyOf(headOf(session, NAME_CHARS));
  delete windows[key];
  windows[key] = data.window;
  dropOldest(windows, WINDOWS_MAX);
}

function compacted(state: CompactionPointsState, fact: Fact<CompactionFinished>): void {
  const { agent, id, data } = fact;
  if (agent !== null || data.trigger !== 'auto') return;
  const session = headOf(fact.session ?? '', NAME_CHARS);
  const window = fieldOf(state.windows, session) ?? null;
  const client = headOf(fact.client ?? '', NAME_CHARS);
  if (data.preTokens !== undefined)
    add(state, { id, session, client, window, tokens: data.preTokens });
  else {
    state.waiting[keyOf(id)] = { session, client, window };
    dropOldest(state.waiting, WAITING_MAX);
  }
}

/** The hook of a compaction comes first, and does not know its tokens. */
function enriched(state: CompactionPointsState, { data }: Fact<FactEnriched>): void {
  const waiting = fieldOf(state.waiting, data.of);
  const { preTokens } = (data.more ?? {}) as { preTokens?: unknown };
  if (waiting === undefined || typeof preTokens !== 'number') return;
  delete state.waiting[keyOf(data.of)];
  add(state, { id: data.of, ...waiting, tokens: preTokens });
}

function add({ points }: CompactionPointsState, point: CompactionPoint): void {
  if (!(point.tokens > 0) || points.some(({ id }) => id === point.id)) return;
  points.push(point);
  keepNewest(points, POINTS_MAX);
}
