import { expect, it } from 'vitest';
import { relevanceOf, withRelevance } from '../../src/projections/file-relevance.ts';
import { files } from '../../src/projections/folds/files.ts';
import { factOf, foldOf } from './support/telling.ts';

let calls = 0;
function touches(name: string, ...paths: string[]) {
  return paths.flatMap((path) => {
    calls += 1;
    const toolUseId = `t${calls}`;
    return [
      factOf('tool.called', { toolUseId, name, input: { file_path: path } }),
      factOf('tool.succeeded', { toolUseId, response: {} }),
    ];
  });
}
const of = (...facts: ReturnType<typeof touches>) => relevanceOf(foldOf(files, facts));

it('lies between 0 and 1, and grows with every touch', () => {
  const facts = touches('Edit', 'a');
  let before = 0;
  for (let n = 0; n < 12; n += 1) {
    facts.push(...touches('Edit', 'a'));
    const value = of(...facts).get('a')!;
    expect(value).toBeGreaterThan(before);
    expect(value).toBeLessThan(1);
    before = value;
  }
});

it('is more for what was touched later, changed rather than read, or touched more often', () => {
  const later = of(...touches('Read', 'old', 'new'));
  expect(later.get('new')).toBeGreaterThan(later.get('old')!);
  const changed = of(...touches('Edit', 'changed'), ...touches('Read', 'read'));
  expect(changed.get('changed')).toBeGreaterThan(changed.get('read')!);
  const often = of(...touches('Read', 'often', 'often', 'often', 'once'));
  expect(often.get('often')).toBeGreaterThan(often.get('once')!);
});

it('half of its recency is gone when ten other files were touched', () => {
  const others = Array.from({ length: 10 }, (_, n) => `f${n}`);
  const now = of(...touches('Read', 'a')).get('a')!;
  const then = of(...touches('Read', 'a', ...others)).get('a')!;
  expect(now - then).toBeCloseTo(0.25, 3);
});

it('is said of each file, and the state itself is left as it was', () => {
  const state = foldOf(files, touches('Read', 'a', 'a'));
  const copy = structuredClone(state);
  expect(withRelevance(state).files.a).toEqual({
    ...state.files.a,
    accessCount: 2,
    relevance: 0.567,
  });
  expect(state).toEqual(copy);
});
