import { expect, test } from 'vitest';
import { bench } from './bench.ts';

const { isGivenBack } = await bench('evidence.mjs');
const { KINDS, plantedSession } = await bench('plant.mjs');
const { recordsOf } = await bench('session.mjs');
const { charsOf, turnStarts } = await bench('transcript.mjs');
const { default: development } = await bench('pools/development/index.mjs');
const { default: candid } = await bench('pools/candid/index.mjs');
const { default: minutes } = await bench('pools/minutes/index.mjs');
const { default: terse } = await bench('pools/terse/index.mjs');
const { default: roundabout } = await bench('pools/roundabout/index.mjs');
const { default: published } = await bench('pools/published/index.mjs');

/** A seed that nothing else uses, the published pool's sentences included: its figure is another session's. */
const SIZE = { seed: 77, facts: 42, turns: 320 };
const POOLS = Object.entries({ development, candid, minutes, published });
type Turn = { prompt?: string; say?: string; calls?: { input: object; output: string }[] };
type Fact = { kind: string; evidence: { command?: string }; turns: Turn[]; noise: Turn[] };
const counted = (fact: Fact & { distractors: number }) => fact.distractors;

const textOf = ({ prompt = '', say = '', calls = [] }: Turn) =>
  [prompt, say, ...calls.flatMap(({ input, output }) => [...Object.values(input), output])].join(
    '\n',
  );

test.each(POOLS)('the same seed gives the same session, another one another (%s)', (_, pool) => {
  const one = () => plantedSession({ pool, ...SIZE }).turns;
  expect(one()).toEqual(one());
  expect(plantedSession({ pool, ...SIZE, seed: 78 }).turns).not.toEqual(one());
});

test.each(POOLS)(
  'a session has as many turns and facts as asked, of every kind (%s)',
  (_, pool) => {
    const { turns, facts } = plantedSession({ pool, ...SIZE });
    expect(turns).toHaveLength(SIZE.turns);
    expect(turnStarts(recordsOf(turns, 'x'))).toHaveLength(SIZE.turns);
    for (const kind of KINDS)
      expect(facts.filter((fact: Fact) => fact.kind === kind)).toHaveLength(6);
  },
);

test.each(POOLS)('each fact stands in its own turns, and in no others (%s)', (_, pool) => {
  const { turns, facts } = plantedSession({ pool, ...SIZE });
  for (const fact of facts as Fact[]) {
    const own = fact.turns.map(textOf).join('\n');
    const others = turns.filter((turn: Turn) => !fact.turns.includes(turn)).map(textOf);
    const { command } = fact.evidence;
    if (command === undefined) {
      expect(isGivenBack(own, fact), JSON.stringify(fact.evidence)).toBe(true);
      expect(isGivenBack(others.join('\n'), fact), JSON.stringify(fact.evidence)).toBe(false);
    } else {
      expect(own).toContain(command);
      expect(others.join('\n')).not.toContain(command);
    }
  }
});

test.each(POOLS)('the sentence in which a fact was said counts by itself (%s)', (_, pool) => {
  for (let seed = 100; seed < 106; seed += 1) {
    const { facts } = plantedSession({ pool, seed, facts: 63, turns: 500 });
    for (const fact of facts as (Fact & { quote?: string })[]) {
      if (fact.quote !== undefined)
        expect(isGivenBack(`- ${fact.quote}`, fact), fact.quote).toBe(true);
    }
  }
});

test.each(POOLS)('each fact has ten things beside it that only look like it (%s)', (_, pool) => {
  const { turns, facts } = plantedSession({ pool, ...SIZE });
  for (const fact of facts) {
    expect(counted(fact), fact.kind).toBeGreaterThanOrEqual(10);
    for (const turn of fact.noise) expect(turns).toContain(turn);
  }
});

test('the published pool shares no sentence with the others, and few phrases', () => {
  const texts = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : Object.values(value as object).flatMap((one) => texts(one));
  const sentences = texts(published).filter((text) => text.includes(' '));
  expect(sentences.length).toBeGreaterThan(250);
  const shared = (pool: object) => {
    const known = new Set(texts(pool));
    return sentences.filter((text) => known.has(text));
  };
  const numbers = [development, terse, roundabout, candid, minutes].map((pool) => {
    const words = shared(pool).map((text) => text.split(' ').length);
    // Numbers alone: whose test fails must not read it.
    return { longest: Math.max(0, ...words), share: words.length / sentences.length };
  });
  expect(numbers[0]).toEqual({ longest: 0, share: 0 });
  for (const { longest, share } of numbers) {
    expect(longest).toBeLessThan(7);
    expect(share).toBeLessThan(0.07);
  }
});

test('a session is grown around recorded turns', () => {
  const { turns } = plantedSession({ pool: development, ...SIZE });
  const text = turns.map(textOf).join('\n');
  expect(text).toContain('/home/dev/project/ai_music.py');
  expect(text).not.toContain('/Users/chip/dev/ai-music');
  expect(charsOf(recordsOf(turns, 'x'))).toBeGreaterThan(100_000);
});
