import type { ContextSampled } from '../events/types.ts';
import type { MonitorSettings } from '../platform/config/keys.ts';
import { fieldsIn } from '../platform/config/value.ts';
import { contextTokens, tokensOf, type Usage } from './tail.ts';
import { windowBy } from './window.ts';

/** How full the context is at one moment. */
export interface Sample extends Omit<ContextSampled, 'tokens' | 'percent'> {
  /** Input and cached tokens of the newest call of the main thread; null before the first one. */
  tokens: number | null;
  /** Rounded; may exceed 100. Null while nothing is known. */
  percent: number | null;
  /** Only near: after a compaction, or from a client's cumulative count. */
  isRough: boolean;
}

export type Payload = ReturnType<typeof sampleOf>;

/** Names and paths are no longer. */
const CHARS_MAX = 4096;
/** A client that counts past its window stays below. */
const PERCENT_MAX = 1000;

/**
 * What a client gives to its status line, as far as it makes sense: whatever comes, and without an exception. What the client does not know, which is so after a compaction, the transcript may.
 * @param settings the window, if the user said it
 * @param ofTranscript the newest usage in the transcript; asked only where the client is silent
 */
export function sampleOf(
  payload: unknown,
  settings: Pick<MonitorSettings, 'window'>,
  ofTranscript: (file: string) => Usage | undefined = () => undefined,
): { sample: Sample; session: string | null; modelName: string | null } {
  const root = fieldsIn(payload);
  const { id, display_name } = fieldsIn(root.model);
  const transcript = words(root.transcript_path);
  const context = fieldsIn(root.context_window);
  const ofCall = contextTokens(context.current_usage);
  const percent = percentOf(context.used_percentage);
  // Behind a compaction some clients say 0, which no call is.
  const said = percent === 0 && ofCall === 0 ? null : percent;
  const isSilent = said === null && ofCall === 0;
  const usage = isSilent && transcript !== null ? ofTranscript(transcript) : undefined;
  // Before some 2.1 the client's total was that of the whole session.
  const total = isSilent && usage === undefined ? tokensOf(context.total_input_tokens) : 0;
  const tokens = ofCall || usage?.tokens || total || null;
  const model = words(id) ?? usage?.model;
  const isLarge = /1m context/i.test(words(display_name) ?? '');
  const by = {
    said: tokensOf(context.context_window_size),
    set: settings.window,
    model: isLarge ? `${model ?? ''}[1m]` : model,
  };
  const { window, from } = windowBy(by, tokens);
  const limits = limitsOf(root.rate_limits);
  const cost = fieldsIn(root.cost).total_cost_usd;
  return {
    sample: {
      tokens,
      window,
      windowFrom: from,
      percent: said ?? (tokens === null ? null : Math.round((100 * tokens) / window)),
      isRough: usage?.isRough === true || total > 0,
      via: usage === undefined ? 'statusline' : 'transcript',
      ...(model !== undefined && { model }),
      ...(isAmount(cost) && { costUsd: cost }),
      ...(limits && { limits }),
    },
    session: words(root.session_id),
    modelName: words(display_name) ?? model ?? null,
  };
}

function limitsOf(value: unknown): Sample['limits'] {
  const { five_hour, seven_day } = fieldsIn(value);
  const [fiveHour, sevenDay] = [five_hour, seven_day].map((one) => {
    const { used_percentage, resets_at } = fieldsIn(one);
    const percent = percentOf(used_percentage);
    return percent === null
      ? undefined
      : { percent, ...(isAmount(resets_at) && { resetsAt: Math.trunc(resets_at) }) };
  });
  if (fiveHour === undefined && sevenDay === undefined) return undefined;
  return { ...(fiveHour && { fiveHour }), ...(sevenDay && { sevenDay }) };
}

const words = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= CHARS_MAX ? value : null;

const percentOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= PERCENT_MAX ? Math.round(value) : null;

/** Dollars, or seconds since the epoch. */
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < 1e12;
