import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { withTimeLimit } from '../../src/platform/time-limit.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    if (signal.aborted) resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'));
  });

it('a time limit ends work also behind a garbage collection, as another signal does', async () => {
  const other = new AbortController();
  const limited = withTimeLimit(200, other.signal, untilAborted);
  const stopped = withTimeLimit(600_000, other.signal, untilAborted);
  await new Promise((resolve) => setTimeout(resolve, 20));
  collect();
  expect(await limited).toBe('aborted');
  other.abort();
  expect(await stopped).toBe('aborted');
  expect(await withTimeLimit(600_000, other.signal, untilAborted)).toBe('aborted');
});
