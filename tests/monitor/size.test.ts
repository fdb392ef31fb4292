import { describe, expect, it } from 'vitest';
import { shardsOf, shardText } from '../../src/monitor/shards.ts';
import {
  featuresOf,
  itemsOf,
  learnFrom,
  NOTHING_LEARNT,
  plainTokens,
  sizeOf,
} from '../../src/monitor/size.ts';
import type { FinishedTask } from '../../src/projections/folds/task-sizes.ts';

const none = () => undefined;

const SPEC = `# Accounts

What this is about.

## Sign in

- [x] a form
- [ ] a form for a lost password
  - its mail
- [ ] tests of both

| id | requirement |
|---|---|
| A-1 | three tries |
| A-2 | then a pause |

\`\`\`gherkin
Scenario: a wrong password
  - this line is a step
\`\`\`

## Leave

1. a button
2) an answer
`;

describe('the size of a task', () => {
  it('counts list items, table rows and scenarios, the outermost of nested ones, and no ticked ones', () => {
    expect(itemsOf(SPEC).map(({ title, heading, isDone }) => [title, heading, isDone])).toEqual([
      ['a form', 'Sign in', true],
      ['a form for a lost password', 'Sign in', false],
      ['tests of both', 'Sign in', false],
      ['A-1 – three tries', 'Sign in', false],
      ['A-2 – then a pause', 'Sign in', false],
      ['a wrong password', 'Sign in', false],
      ['a button', 'Leave', false],
      ['an answer', 'Leave', false],
    ]);
    expect(featuresOf(SPEC, none)).toMatchObject({ items: 7, checks: 1, files: 0, newFiles: 0 });
  });

  it('counts the files that it names, the known ones by their bytes', () => {
    const sizes = new Map([
      ['src/a.ts', 3600],
      ['src/b.ts', 7200],
      ['src/large.ts', 1_000_000],
    ]);
    const text =
      '- change src/a.ts, @src/b.ts and src/large.ts (src/a.ts first)\n- add src/new.ts as Node.js has it\n';
    const features = featuresOf(text, (file) => sizes.get(file));
    // 3.6 bytes a token, and no more than 6,000 tokens of one file.
    expect(features).toMatchObject({
      items: 2,
      files: 3,
      fileTokens: 1000 + 2000 + 6000,
      newFiles: 1,
    });
    const byFiles = 9000 + 3 * 1500 + 2000;
    expect(plainTokens(features)).toBeCloseTo(Math.sqrt(2 * 5300 * byFiles), 5);
  });

  it('is that of its words where nothing is listed, and has a wide interval before anything was learnt', () => {
    const features = featuresOf('Rename the parser.', none);
    expect(sizeOf(features, NOTHING_LEARNT)).toEqual({ tokens: 4000, low: 1000, high: 13_200 });
    expect(featuresOf('word '.repeat(600), none).items).toBe(10);
  });

  it('is taken from any text in little time, and never throws', () => {
    for (const text of ['', '|', '|\n|-|', '- ', '```', '#'.repeat(9), '- a\n'.repeat(100_000)])
      expect(plainTokens(featuresOf(text, none))).toBeGreaterThan(0);
  });
});

const finished = (count: number, tokens: number, kind: FinishedTask['kind'] = 'task') =>
  Array.from({ length: count }, (_, seq) => ({ kind, words: 'Do it', tokens, seq }));

describe('what finished tasks teach', () => {
  it('thirty tasks that took twice as much bring an estimate to within 15 % of twice as much', () => {
    const learnt = learnFrom(finished(30, 8000));
    const { tokens, low, high } = sizeOf(featuresOf('Do it', none), learnt);
    expect(Math.abs(tokens / 8000 - 1)).toBeLessThan(0.15);
    expect(low).toBeLessThanOrEqual(tokens);
    expect(high).toBeGreaterThanOrEqual(8000);
    expect(learnt.error).toBeLessThan(15);
  });

  it('few of them say little, none says more than four times, and prompts count only beside few todos', () => {
    expect(learnFrom([])).toEqual(NOTHING_LEARNT);
    expect(learnFrom(finished(1, 8000)).factor).toBeCloseTo(2 ** (1 / 6), 5);
    expect(learnFrom(finished(50, 4_000_000)).factor).toBe(4);
    const todos = finished(30, 4000);
    expect(learnFrom([...todos, ...finished(30, 40_000, 'prompt')])).toEqual(learnFrom(todos));
    expect(learnFrom(finished(30, 40_000, 'prompt')).factor).toBeGreaterThan(2);
  });
});

describe('the shards of a text', () => {
  const spec = (items: number) =>
    `# Spec\n\n${Array.from({ length: items }, (_, n) => `- item ${n}\n  more of ${n}\n`).join('')}`;

  it('are three for a spec of 70 % of the window, each below a third of it', () => {
    const shards = shardsOf(spec(26), 140_000, { window: 200_000, bytesOf: none });
    expect(shards.map(({ items }) => items.length)).toEqual([9, 8, 9]);
    expect(Math.max(...shards.map(({ tokens }) => tokens))).toBeLessThan(200_000 / 3);
  });

  it('hold every item once and in order, however they are cut', () => {
    const text = spec(26);
    const all = itemsOf(text).map(({ title }) => title);
    for (let into = 1; into <= 30; into += 1) {
      const shards = shardsOf(text, 140_000, { window: 200_000, into, bytesOf: none });
      expect(shards).toHaveLength(Math.min(into, 26));
      expect(shards.flatMap(({ items }) => items.map(({ title }) => title))).toEqual(all);
      expect(shards.every(({ items }) => items.length > 0)).toBe(true);
    }
    expect(shardsOf('no list', 1000, { window: 200_000, bytesOf: none })).toEqual([]);
  });

  it('are files with the words of their items, below their headings and the heads of their tables', () => {
    const shards = shardsOf(SPEC, 40_000, { window: 200_000, into: 2, bytesOf: none });
    const files = shards.map((_, index) => shardText(shards, index, 'spec.md'));
    const found = files.flatMap((file) => itemsOf(file).map(({ title }) => title));
    expect(found).toEqual(itemsOf(SPEC).flatMap((one) => (one.isDone ? [] : [one.title])));
    expect(files[0]).toContain('  - its mail\n');
    expect(files.join('')).toContain('| id | requirement |\n|---|---|\n| A-1');
  });
});
