import type { UsageSampled } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { toldText } from '../projections/compaction-text.ts';
import { usage } from '../projections/folds/usage.ts';
import { comparePlaces } from '../projections/order.ts';
import { closestLine } from './closest-line.ts';
import type { Kind } from './item.ts';
import { type CompactionAsked, type Fate, lostAccount } from './lost.ts';
import { recallText } from './recall.ts';

/** What a model has after a compaction: from the summary alone, and with what ben10 gives back. */
export interface WithAndWithout {
  /** Tokens in the context before the compaction, and in the first request after it; null if unknown. */
  tokensBefore: number | null;
  tokensAfter: number | null;
  summaryChars: number;
  givenChars: number;
  /** What was held before the compaction, how much of it the summary has, and how much the summary and ben10 have. */
  held: number;
  kept: number;
  back: number;
  /** The most important that the summary lacks and ben10 gives back. */
  examples: Example[];
}

export interface Example {
  kind: Kind;
  seq: number;
  text: string;
  /** The summary's line that comes closest; undefined if none is near. */
  closest: string | undefined;
}

/** The client reads files again by itself. */
const READ_AGAIN: ReadonlySet<Kind> = new Set(['file', 'disk', 'mention']);
const EXAMPLES_MAX = 6;
const OF_A_KIND_MAX = 3;
/** Shown whole: what is cut may lack its outcome. */
const EXAMPLE_CHARS = 130;

/** @param at when the compaction happened: ages are stated as of then */
export function withAndWithout(
  project: Project,
  asked: CompactionAsked & { at: number },
): WithAndWithout {
  const { session, cut, summary, at } = asked;
  const told = toldText(summary);
  const recall = recallText(project, { source: 'compact', session, cut, now: at });
  const given = new Set(recall.items.map(({ key }) => key));
  const fates = lostAccount(project, asked).fates.filter(({ item }) => !READ_AGAIN.has(item.kind));
  const kept = fates.filter(({ fate }) => fate === 'kept');
  const back = fates.filter(({ fate, item }) => fate !== 'kept' && given.has(item.key));
  const closest = closestLine(told);
  return {
    tokensBefore: project.states.at(usage, session, cut).state.contextTokens,
    tokensAfter: tokensAfter(project, asked),
    summaryChars: told.length,
    givenChars: recall.chars,
    held: fates.length,
    kept: kept.length,
    back: kept.length + back.length,
    examples: fewOfAKind(back).map(({ item: { kind, seq, text } }) => {
      return { kind, seq, text, closest: closest(text) };
    }),
  };
}

function tokensAfter(project: Project, { session, cut }: CompactionAsked): number | null {
  const sampled = project.states.facts(session, ['usage.sampled']);
  const next = sampled.find(
    ({ fact, place }) =>
      fact.agent === null && cut.before !== undefined && comparePlaces(place, cut.before) > 0,
  );
  if (next === undefined) return null;
  const { inputTokens, cacheCreationTokens, cacheReadTokens } = next.fact.data as UsageSampled;
  return inputTokens + cacheCreationTokens + cacheReadTokens;
}

function fewOfAKind(fates: readonly Fate[]): Fate[] {
  const seen = new Map<Kind, number>();
  const few = fates.filter(({ item: { kind, text } }) => {
    if (text.length > EXAMPLE_CHARS) return false;
    const count = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, count);
    return count <= OF_A_KIND_MAX;
  });
  return few.slice(0, EXAMPLES_MAX);
}
