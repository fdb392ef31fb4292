import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LockFile } from '../../src/journal/append/locking.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { fourSegments } from '../journal/journals.ts';
import { portsWith, readAll, segmentFiles } from '../journal/support.ts';
import { decoders, realPorts } from '../support.ts';

it('nobody appends while a repair gives segments their names back', () => {
  const root = fourSegments();
  const seqs = readAll(root).entries.map(({ seq }) => seq);
  const [one, other] = segmentFiles(root) as [string, string];
  const [bytes, others] = [readFileSync(one), readFileSync(other)];
  writeFileSync(one, others);
  writeFileSync(other, bytes);
  const wasFree: boolean[] = [];
  const ports = portsWith({
    rename(from, to) {
      if ([one, other].includes(to)) {
        const lock = new LockFile(realPorts, layoutOf(root).lock);
        wasFree.push(lock.hold(0, () => true) !== undefined);
        lock.close();
      }
      realPorts.fs.rename(from, to);
    },
  });
  expect(repairJournal(ports, root, decoders).lost).toEqual([]);
  expect(wasFree).toEqual([false, false]);
  expect(readAll(root).entries.map(({ seq }) => seq)).toEqual(expect.arrayContaining(seqs));
});
