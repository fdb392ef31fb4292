/** @module-tag long */
import { expect, it } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { WINDOW_BYTES } from '../../src/journal/append/tail.ts';
import { doneIn } from '../../src/journal/erase/events.ts';
import { resumeErasure } from '../../src/journal/erase/resume.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { crashStates } from '../sim/crash-states.ts';
import { filesIn } from '../sim/image.ts';
import { decoders, loadCodecs, SIM_ROOT } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import { append, diskAfter, entriesOf, erase, findings, started } from './machine.ts';

const codecs = await loadCodecs();
const SECRET = 'kanari-4711-vogel';
const CAP = 30;

it('an event that waited in the inbox does not come back from there once it is erased', () => {
  const image = diskAfter((ports) => {
    append(ports, [newEvent()]);
    // So much behind it that the next writer does not know its id any more.
    const far = newEvent({ data: { text: 'x'.repeat(2 * WINDOW_BYTES) } }, 'disk');
    spool(ports, layoutOf(SIM_ROOT), [newEvent({ data: { text: SECRET } }, 'disk'), far]);
  });
  const { disk, ports } = started(image);
  erase(ports, codecs, [2]);
  for (let point = 0; point <= disk.log.length; point += 1) {
    for (const left of crashStates(disk.base, disk.log, point, 'paranoid', CAP).states) {
      const next = started(left.image);
      append(next.ports, [newEvent()]);
      resumeErasure(next.ports, SIM_ROOT, decoders);
      if (!entriesOf(next.ports).some((entry) => doneIn(entry) !== undefined)) continue;
      const found = findings(next.ports, filesIn(next.disk.live), SECRET);
      expect(found, `call ${point} [${left.choice}]`).toEqual([]);
    }
  }
});
