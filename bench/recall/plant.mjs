// A session of so many turns with so many planted facts: real turns, facts among them, and what only looks like facts.
import { seeded, shuffled } from '../lib/random.mjs';
import { background } from './background.mjs';
import { command, error, number, path } from './done.mjs';
import { correction, decision, rule } from './said.mjs';
import { topics } from './world.mjs';

const MAKERS = { rule, correction, path, command, number, error, decision };
export const KINDS = Object.keys(MAKERS);
/** Where the figure is wanted by half of a kind. */
export const subKind = (fact) => (fact.kind === 'error' ? `${fact.sub} errors` : `${fact.kind}s`);

/**
 * @param pool phrasings
 * @returns `turns` in order, and `facts`: `{ kind, sub?, evidence, turns, noise, distractors, at }`, `at` being the turn
 *   in which a fact is complete
 */
export function plantedSession({ pool, seed, facts: wanted, turns: length }) {
  const random = seeded(seed);
  const subjects = topics(pool, random);
  const facts = Array.from({ length: wanted }, (_, n) => {
    const kind = KINDS[n % KINDS.length];
    return { kind, ...MAKERS[kind](pool, subjects.next().value, random) };
  });
  const units = facts.flatMap((fact) => [
    { fact, turns: fact.turns },
    ...fact.noise.map((turn) => ({ turns: [turn] })),
  ]);
  const planted = units.reduce((sum, unit) => sum + unit.turns.length, 0);
  const real = background(length - planted).map((turn) => ({ turns: [turn] }));
  const all = interleaved(real, shuffled(units, random), random);
  const turns = [];
  for (const { fact, turns: own } of all) {
    turns.push(...own);
    if (fact !== undefined) fact.at = turns.length;
  }
  return { turns, facts };
}

/** The second list's entries at random places of the first, which keeps its order. */
function interleaved(ordered, placed, random) {
  const marked = placed.map((unit) => ({ unit, at: random() * ordered.length }));
  marked.sort((a, b) => a.at - b.at);
  const result = [];
  let next = 0;
  ordered.forEach((unit, n) => {
    while (next < marked.length && marked[next].at < n) result.push(marked[next++].unit);
    result.push(unit);
  });
  return [...result, ...marked.slice(next).map(({ unit }) => unit)];
}
