import type {
  PromptSubmitted,
  ToolCalled,
  ToolFailed,
  ToolSucceeded,
  UsageSampled,
} from '../../events/types.ts';
import type { Project } from '../../project/open.ts';
import { estimateTokens } from '../../projections/bounds.ts';
import type { Fact } from '../../projections/contract.ts';
import { readEvents } from '../../projections/events.ts';
import { recentSessions } from '../../projections/folds/sessions.ts';
import { isOwnTool, textOf, wordsOf } from '../../projections/tools-text.ts';
import { type Given, givenIn } from './given.ts';

/** How many of a model's tokens one of cl100k is. */
export interface Factor {
  model: string;
  /** The median of what was measured; else what is known of its kind. */
  factor: number;
  /** How many renders it was measured on. */
  renders: number;
  /** The middle half of them; null before something was measured. */
  spread: [number, number] | null;
}

/** Claude's on code, as others measured: until Opus 4.6, and with the tokenizer of later models. */
const KNOWN = { earlier: 1.18, later: 1.53 };
const LATER_FROM = [4, 7] as const;
/** What a call and its answer take beside the pack is too much of less. */
const TOKENS_MIN = 500;
/** Among so many of the newest events is a message's usage. */
const NEWEST = 5000;
/** If so much else was said to the model at the same time, it tells nothing. */
const ELSE_MAX = 0.02;

/** Of every model that was given a pack, the one with most measurements first. */
export function factorsOf(given: readonly Given[]): Factor[] {
  const byModel = new Map<string, number[]>();
  for (const one of given) {
    const found = measured(one);
    if (found === undefined) continue;
    byModel.set(found.model, [...(byModel.get(found.model) ?? []), found.factor]);
  }
  return [...byModel]
    .map(([model, all]): Factor => {
      const at = quantiles(all);
      return { model, factor: at(0.5), renders: all.length, spread: [at(0.25), at(0.75)] };
    })
    .sort((a, b) => b.renders - a.renders || (a.model < b.model ? -1 : 1));
}

/** Of the model that was used last; undefined if none was, lately. It is only to be shown: a budget drops the same items everywhere. */
export function measuredFactor(project: Project): Factor | undefined {
  const { reader, ports, states } = project;
  const from = Math.max(1, states.at(recentSessions, null).seq - NEWEST);
  let model: string | undefined;
  const query = { from, types: ['usage.sampled'] };
  for (const { agent, data } of readEvents(reader, ports.xxh64, query))
    if (agent === null) model = (data as UsageSampled).model ?? model;
  if (model === undefined) return undefined;
  const found = factorsOf(givenIn(project)).find((one) => one.model === model);
  return found ?? { model, factor: knownOf(model), renders: 0, spread: null };
}

/** `claude-opus-4-7`, `claude-sonnet-5`, `claude-3-5-haiku`, each with or without a date. */
export function knownOf(model: string): number {
  const [, major = '0', minor = '0'] = /-(\d{1,2})(?:-(\d{1,2}))?(?![\d.])/.exec(model) ?? [];
  const [from, fromMinor] = LATER_FROM;
  const isLater = Number(major) > from || (Number(major) === from && Number(minor) >= fromMinor);
  return isLater ? KNOWN.later : KNOWN.earlier;
}

/** The prompt of the next message, less that of the message before and what that one said: so much did the pack add. */
function measured({
  data,
  record,
  before,
  after,
}: Given): { model: string; factor: number } | undefined {
  if (record.policy.tokenizer !== 'cl100k' || data.tokens < TOKENS_MIN) return undefined;
  const last = before.findLast(isUsage);
  if (last === undefined) return undefined;
  const { messageId } = last.data as UsageSampled;
  const isOther = (fact: Fact): boolean =>
    isUsage(fact) && (fact.data as UsageSampled).messageId !== messageId;
  const next = after.findIndex(isOther);
  if (next === -1) return undefined;
  const lines = [...before, ...after.slice(0, next)].filter(
    (fact) => isUsage(fact) && !isOther(fact),
  );
  const output = Math.max(...lines.map((fact) => (fact.data as UsageSampled).outputTokens));
  const own = ownCalls([...before, ...after.slice(0, next)]);
  const between = [...before.slice(before.indexOf(last)), ...after.slice(0, next)];
  const beside = estimateTokens(between.map((fact) => saidBy(fact, own)).join(''));
  if (beside > data.tokens * ELSE_MAX) return undefined;
  const usage = after[next]!.data as UsageSampled;
  const added = promptOf(usage) - promptOf(last.data as UsageSampled) - output;
  if (added <= 0 || usage.model === undefined) return undefined;
  return { model: usage.model, factor: added / data.tokens };
}

const isUsage = ({ type, data }: Fact): boolean =>
  type === 'usage.sampled' && (data as UsageSampled).copied !== true;

const promptOf = ({ inputTokens, cacheCreationTokens, cacheReadTokens }: UsageSampled): number =>
  inputTokens + cacheCreationTokens + cacheReadTokens;

/** What else the model was told. The answers of ben10's own tools are kept as references: one of these gave the pack. */
function saidBy({ type, data }: Fact, own: ReadonlySet<string>): string {
  if (type === 'prompt.submitted') return textOf((data as PromptSubmitted).text) ?? '';
  if (type !== 'tool.succeeded' && type !== 'tool.failed') return '';
  const { toolUseId, response, error } = data as ToolSucceeded & Partial<ToolFailed>;
  return own.has(toolUseId) ? '' : wordsOf(response ?? error);
}

const ownCalls = (facts: readonly Fact[]): Set<string> =>
  new Set(
    facts.flatMap(({ type, data }) =>
      type === 'tool.called' && isOwnTool((data as ToolCalled).name)
        ? (data as ToolCalled).toolUseId
        : [],
    ),
  );

function quantiles(values: readonly number[]): (share: number) => number {
  const sorted = values.toSorted((a, b) => a - b);
  return (share) => {
    const at = share * (sorted.length - 1);
    const low = Math.floor(at);
    const high = sorted[Math.ceil(at)]!;
    return Number((sorted[low]! + (high - sorted[low]!) * (at - low)).toFixed(3));
  };
}
