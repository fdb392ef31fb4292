import path from 'node:path';
import { expect, test } from 'vitest';
import { bench } from './bench.ts';

const { bareNames, contextKeeper, lastMessages, oracle, SHORT_FORMS } =
  await bench('baselines.mjs');
const { allCuts, nextReferences, recordedCompactions } = await bench('cuts.mjs');
const { holds } = await bench('references.mjs');
const { partsOf, readRecords, turnStarts } = await bench('transcript.mjs');

const records = readRecords(
  path.resolve('tests/fixtures/transcripts/claude-v1.0.17-long-edit-session.jsonl'),
);

test('no baseline is longer than what it is compared with', () => {
  for (const max of [1600, 9000]) {
    for (const each of SHORT_FORMS) {
      const { length } = lastMessages(records, max, each);
      expect(length).toBeLessThanOrEqual(max);
    }
    expect(lastMessages(records, max, 1000).length).toBeGreaterThan(max - 200);
    expect(bareNames(records, '/', max).length).toBeLessThanOrEqual(max);
    for (const level of ['minimal', 'normal', 'full'])
      expect(contextKeeper(records, level, max).length).toBeLessThanOrEqual(max);
  }
  expect(oracle(['path aaaa', 'number 100'], 6)).toBe('100');
});

test('the last messages end with the newest, and keep commands and paths in short form', () => {
  const text = lastMessages(records, 1600, 120);
  expect(text.split('\n').at(-1)).toContain('Bash python radical_musical_ai.py');
  expect(text).toContain('Write /Users/chip/dev/ai-music/radical_musical_ai.py');
});

test('ContextKeeper has the commands, the open to-dos and the files that its hooks see', () => {
  const text = contextKeeper(records.slice(0, 100), 'full', 9000);
  expect(text).toContain('| python diverse_musical_ai.py |');
  expect(text).toContain('/Users/chip/dev/ai-music/diverse_musical_ai.py');
  expect(text.split('- [ ] ')[1]).toMatch(/^Test with diverse model embeddings/);
});

test('a turn is one answer of the model with its results; a prompt belongs to the next', () => {
  const starts = turnStarts(records);
  const ids = new Set(
    records.flatMap((one: { message?: { id?: string } }) => one.message?.id ?? []),
  );
  expect(starts).toHaveLength(ids.size);
  expect(partsOf(records[starts[0]])[0].kind).toBe('prompt');
});

test('what the next turns use counts only if it was there before the cut', {
  tags: 'long',
}, () => {
  const cuts = allCuts();
  expect(cuts.length).toBeGreaterThan(60);
  for (const { before, references, cwd } of cuts.slice(0, 20)) {
    const past = before
      .flatMap(partsOf)
      .map(({ text }: { text: string }) => text)
      .join('\n');
    for (const reference of references) expect(holds(past, reference, cwd)).toBe(true);
  }
  const [first] = turnStarts(records);
  expect(nextReferences(records.slice(0, first), records.slice(first), '/')).toEqual([]);
});

test("the client's own summaries are found, and are no part of what was there before", () => {
  const cuts = recordedCompactions();
  expect(cuts.length).toBeGreaterThan(0);
  for (const { summary, before } of cuts) {
    expect(summary).toContain('continued from a previous conversation');
    const past = before
      .flatMap(partsOf)
      .map(({ text }: { text: string }) => text)
      .join('\n');
    expect(past).not.toContain('continued from a previous conversation');
  }
});
