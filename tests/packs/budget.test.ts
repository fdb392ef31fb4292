import { describe, expect, it } from 'vitest';
import { KeptCounts } from '../../src/packs/render/kept.ts';
import type { Policy } from '../../src/packs/render/pack.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { folder } from '../support.ts';
import { tokensOf } from './oracle.ts';
import { POLICY, reasonsOf, renderIn, textOf } from './support.ts';

const words = (tokens: number): string => `${' a'.repeat(tokens)}\n`;
const FILES = {
  'a.txt': words(100),
  'b.txt': words(2000),
  'c.txt': words(250),
  'd.txt': words(10),
};
/** Room for about 300 tokens of items. */
const policy: Policy = { ...POLICY, budgetTokens: 525 };

describe('a budget', () => {
  const rendered = (fields: Partial<Policy> = {}, more = {}) =>
    renderIn(folder(FILES), ['glob:*'], { policy: { ...policy, ...fields }, ...more });
  const labels = async (fields: Partial<Policy>) =>
    (await rendered(fields)).included.map(({ candidate, isFilled }) => [candidate.label, isFilled]);

  it('passes over what is larger than all of it, and drops the rest from the first that does not fit', async () => {
    const some = await rendered();
    expect(some.included.map(({ candidate }) => candidate.label)).toEqual(['a.txt']);
    expect(reasonsOf(some)).toEqual({
      'b.txt': 'too_large',
      'c.txt': 'over_budget',
      'd.txt': 'over_budget',
    });
    expect(textOf(some)).toContain(
      '<ben10-left>3 of 4 left out: b.txt (too_large), c.txt (over_budget), d.txt (over_budget)</ben10-left>\n',
    );
  });

  it('goes on with smaller ones where it is to be filled, and tells which', async () => {
    expect(await labels({ fill: 'fill' })).toEqual([
      ['a.txt', undefined],
      ['d.txt', true],
    ]);
  });

  it('gives no payload where it is to fail, but the table', async () => {
    const failed = await rendered({ fill: 'fail' });
    expect(failed.payload).toEqual([]);
    expect(Object.keys(reasonsOf(failed))).toEqual(['b.txt', 'c.txt', 'd.txt']);
    expect((await rendered({ fill: 'fail', budgetTokens: 9000 })).payload).not.toEqual([]);
  });

  it('reads nothing behind the cut, and estimates it; unless it is to be exact', async () => {
    const opened: string[] = [];
    const fs = {
      ...nodeFs,
      open: (...args: Parameters<typeof nodeFs.open>) => {
        opened.push(args[0]);
        return nodeFs.open(...args);
      },
    };
    const some = await rendered({}, { ground: { fs } });
    expect(opened.filter((name) => name.endsWith('d.txt'))).toEqual([]);
    const [behind] = some.excluded.filter(({ candidate }) => candidate.label === 'd.txt');
    expect(behind).toMatchObject({ tokens: 7, isEstimate: true });
    const exact = await rendered({}, { isExact: true });
    const [counted] = exact.excluded.filter(({ candidate }) => candidate.label === 'd.txt');
    expect(counted!.isEstimate).toBeUndefined();
    expect(textOf(exact)).toBe(textOf(some));
  });

  it('of the least that there is holds the frame', async () => {
    const some = await rendered({ budgetTokens: 100 });
    expect(tokensOf(textOf(some))).toBe(some.tokens);
    expect(some.tokens).toBeLessThanOrEqual(100);
    await expect(rendered({ budgetTokens: 20 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});

describe('counts that are kept', () => {
  it('make the same render without a tokenizer', async () => {
    const dir = folder(FILES);
    const kept = new KeptCounts(Buffer.alloc(32));
    const cold = await renderIn(dir, ['glob:*'], { kept });
    const again = new KeptCounts(Buffer.alloc(32), kept.toBytes());
    const warm = await renderIn(dir, ['glob:*'], { kept: again });
    expect(again.isChanged).toBe(false);
    expect(warm).toEqual(cold);
  });

  it('are of one way to count', async () => {
    const dir = folder({ 'a.ts': words(10), 'b.ts': words(10), text: 'x\n' });
    const kept = new KeptCounts(Buffer.alloc(32));
    for (const source of ['file:a.ts', 'file:b.ts#L1', 'file:text', 'text:x\n'])
      for (const tokenizer of ['cl100k', 'o200k'] as const) {
        const one = await renderIn(dir, [source], { kept, policy: { ...POLICY, tokenizer } });
        expect(one.tokens).toBe(tokensOf(textOf(one), tokenizer));
      }
  });

  it('tell nothing without their key, and drop the oldest', () => {
    const kept = new KeptCounts(Buffer.alloc(32, 1));
    const name = kept.nameOf('x', Buffer.from('y'));
    expect(new KeptCounts(Buffer.alloc(32, 2)).nameOf('x', Buffer.from('y'))).not.toBe(name);
    kept.set(name, { tokens: 3, isRaw: true });
    for (let n = 0; n < 50_000; n += 1) {
      kept.set(n.toString().padStart(16), { tokens: n, isRaw: false });
      if (n === 40_000) expect(kept.get(name)).toEqual({ tokens: 3, isRaw: true });
    }
    expect(kept.get(name)).toBeDefined();
    expect(kept.get('0'.padStart(16))).toBeUndefined();
    expect(JSON.parse(kept.toBytes().toString())).toHaveLength(50_000);
  });
});
