import { describe, expect, it } from 'vitest';
import { lengthOfFrameBefore } from '../../../src/journal/append/recent-ids.ts';
import { eraseEvents } from '../../../src/journal/erase/erase.ts';
import { FRAME_KIND } from '../../../src/journal/format/format.ts';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import {
  decoders,
  entriesOf,
  journalInMemory,
  layout,
  makers,
  ROOT,
  repair,
  verify,
} from './repairs.ts';

const codecs = { zstd: makers.zstd, decoders };

/** A journal whose first segment is sealed, with @2 erased or not, and a backup of that segment as it was before. */
function sealed(isErased: boolean) {
  const journal = journalInMemory();
  const { fs, ports, segments } = journal;
  const raw = segments()[0]!;
  const backup = fs.bytesOf(raw);
  const { origin } = readManifest(ports, layout)!;
  const events = isErased ? [{ origin, seq: 2 }] : [];
  if (isErased)
    eraseEvents(ports, ROOT, codecs, () => ({ by: 'event', events, blobs: [], files: [] }));
  compactJournal(ports, ROOT, codecs);
  const putBack = (bytes: Buffer) => {
    const fd = fs.open(raw, 'wx');
    fs.write(fd, bytes, 0);
    fs.close(fd);
  };
  return { ...journal, raw, backup, putBack };
}

const garbageBehind = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(9, 1)]);

describe('a raw segment that a backup put back beside its sealed form, which is damaged', () => {
  it('stays beside it where it lacks the last of its events: none is lost', () => {
    const { ports, backup, raw, putBack, damage } = sealed(false);
    putBack(backup.subarray(0, backup.length - lengthOfFrameBefore(backup, backup.length)!));
    damage(`${raw}z`, garbageBehind);
    const before = entriesOf(ports).map(({ seq }) => seq);
    const { after, lost } = repair(ports);
    expect(lost).toEqual([]);
    expect(after).toMatchObject({ ok: true, leftovers: [raw.split('/').at(-1)] });
    expect(entriesOf(ports).map(({ seq }) => seq)).toEqual(expect.arrayContaining(before));
    compactJournal(ports, ROOT, codecs);
    expect(verify(ports)).toMatchObject({ ok: true, leftovers: [] });
  });

  it('stays beside it where it holds what was erased since: nothing of that comes back', () => {
    const { ports, backup, raw, putBack, damage } = sealed(true);
    putBack(backup);
    damage(`${raw}z`, garbageBehind);
    expect(repair(ports).after.ok).toBe(true);
    expect(entriesOf(ports)[1]).toMatchObject({ seq: 2, kind: FRAME_KIND.tombstone });
  });
});
