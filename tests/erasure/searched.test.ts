import { expect, onTestFinished, test } from 'vitest';
import { erase } from '../../src/erasure/erase.ts';
import type { Finder } from '../../src/erasure/finder.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { NO_BLOBS } from '../../src/erasure/redact-event.ts';
import { searchText } from '../../src/erasure/search-text.ts';
import { Searched } from '../../src/erasure/searched.ts';
import { openProject } from '../../src/project/open.ts';
import { NOON, prompt } from '../log/events.ts';
import { openTestProject, realPorts, scratch } from '../support.ts';
import { CANARY, canaries, codecs } from './support.ts';

const seen = (text: string) =>
  ({
    type: 'prompt.submitted',
    fact: null,
    session: 's1',
    agent: null,
    at: NOON,
    data: { text },
  }) as never;

test('a search that is done again looks at new events, and at those again that hold it', () => {
  const project = openTestProject();
  const looked: string[] = [];
  const withoutIt = (text: string) => text.replace('kanari', '#');
  const finder: Finder = {
    isIn: (bytes) => bytes.includes('kanari'),
    isLike: () => false,
    isInPayload: () => false,
    withoutIt,
    dataWithoutIt(data) {
      const { text } = data as { text: string };
      if (!text.includes('#')) looked.push(text);
      return text.includes('kanari') ? { text: withoutIt(text) } : data;
    },
    stateWithoutIt: (state) => state,
  };
  const searched = new Searched();
  searched.finder(() => finder, false);
  const seqs = () => searchText(project, finder, NO_BLOBS, searched).events.map(({ seq }) => seq);
  project.writer.append([prompt('one'), prompt('kanari'), prompt('three')]);
  expect(seqs()).toEqual([2]);
  looked.length = 0;
  project.writer.append([prompt('four'), prompt('kanari again')]);
  expect(seqs()).toEqual([2, 5]);
  expect(looked).toEqual(['kanari', 'four', 'kanari again']);
  // Whoever looks for more has to look everywhere.
  searched.finder(() => finder, true);
  looked.length = 0;
  expect(seqs()).toEqual([2, 5]);
  expect(looked).toHaveLength(5);
});

test.each([
  ['a text', CANARY],
  ['a pattern', '/zq.Kanari.enVogel.77\\d\\d/'],
])('what comes while an erasure by %s waits for the locks is erased as well', (_, given) => {
  const dir = scratch();
  const other = openTestProject(dir);
  other.writer.append([prompt(`one ${CANARY}`), prompt('two')]);
  const { tryLock, unlock } = realPorts.lock!;
  let isLate = false;
  const lock = {
    unlock,
    tryLock(fd: number) {
      if (!isLate) {
        isLate = true;
        const large = 'line\n'.repeat(20_000);
        other.writer.append([prompt(`late zq/Kanari"enVogel+7799`), prompt(`late ${CANARY}`)]);
        other.recorder.append([other.recorder.event(seen(`${large}${CANARY}`), 'hook')]);
      }
      return tryLock(fd);
    },
  };
  const project = openProject(dir, { lockBudgetMs: 1000, lock });
  onTestFinished(() => project.close());
  const request = { by: 'pattern', wanted: parsePattern(given) } as const;
  const { plan, left } = erase(project, request, codecs);
  expect(plan.events.map(({ seq }) => seq)).toEqual(given === CANARY ? [1, 4, 5] : [1, 3, 4, 5]);
  expect([left, canaries(project)]).toEqual([[], []]);
});
