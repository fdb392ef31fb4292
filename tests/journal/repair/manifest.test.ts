import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../src/journal/format/manifest.ts';
import { manifestItem } from '../../../src/journal/repair/plan.ts';
import { flipped } from '../../damage/damages.ts';
import { MemoryFs } from '../../damage/memory-fs.ts';
import { codeOf } from '../../support.ts';
import { systemError } from '../support.ts';
import { journalInMemory, layout, makers, plan, quarantined, repair, verify } from './repairs.ts';

/** Of a manifest that is looked at bit by bit. */
const MEND_BYTES_MAX = 4096;

/** The same manifest with blanks at the end of its first line, so that it has so many bytes. */
function padded(bytes: Buffer, length: number): Buffer {
  const [line] = bytes.toString().split('\n');
  const sumBytes = '\n0123456789abcdef\n'.length;
  const longer = line!.padEnd(length - sumBytes);
  const sum = makers.xxh64(Buffer.from(longer), 0n).toString(16).padStart(16, '0');
  return Buffer.from(`${longer}\n${sum}\n`);
}

/** Makes the manifest one that can be opened so often, and then not. */
function openedOnly(fs: MemoryFs, times: number): void {
  const open = fs.open.bind(fs);
  let left = times;
  fs.open = (file, flags) => {
    if (file === layout.manifest) {
      left -= 1;
      if (left < 0) throw systemError('EACCES');
    }
    return open(file, flags);
  };
}

describe('a repair of the manifest', () => {
  it.each([
    [MEND_BYTES_MAX, 'mend'],
    [MEND_BYTES_MAX + 1, 'rebuild'],
  ])('of %i bytes with a flipped bit is to %s it', (length, action) => {
    const { fs, ports, damage } = journalInMemory();
    const { origin } = readManifest(ports, layout)!;
    damage(layout.manifest, (bytes) => padded(bytes, length));
    expect(fs.bytesOf(layout.manifest)).toHaveLength(length);
    const sound = readManifest(ports, layout)!;
    expect(sound).toMatchObject({ origin });
    damage(layout.manifest, (bytes) => flipped(bytes, 99));
    expect(plan(ports)).toMatchObject([{ segment: 'manifest', action, bytes: length }]);
    expect(repair(ports).after.ok).toBe(true);
    const { isRebuilt = false, blobKey } = readManifest(ports, layout)!;
    expect({ isRebuilt, hasKey: blobKey === sound.blobKey }).toEqual(
      action === 'mend' ? { isRebuilt: false, hasKey: true } : { isRebuilt: true, hasKey: false },
    );
    expect(readManifest(ports, layout)).toMatchObject({ origin });
  });

  it.each([
    ['CRLF at the ends of its lines', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a mark before it, as some editors write', (text: string) => `\uFEFF${text}`],
    ['no end of its last line', (text: string) => text.trimEnd()],
    ['an empty line behind it', (text: string) => `${text}\n`],
  ])('puts one right that has %s: its key stays', (_, change) => {
    const { fs, ports, damage } = journalInMemory();
    const own = readManifest(ports, layout)!;
    damage(layout.manifest, (bytes) => Buffer.from(change(bytes.toString())));
    const wrong = fs.bytesOf(layout.manifest);
    expect(verify(ports)).toMatchObject({ ok: false, damage: [{ kind: 'manifest' }] });
    expect(plan(ports)).toMatchObject([{ segment: 'manifest', action: 'mend' }]);
    expect(repair(ports)).toMatchObject({ lost: [], after: { ok: true } });
    expect(readManifest(ports, layout)).toEqual(own);
    expect(quarantined(fs).map(([, bytes]) => bytes)).toEqual([wrong]);
  });

  it('makes one anew that was cut in its first line', () => {
    const { ports, damage } = journalInMemory();
    damage(layout.manifest, (bytes) => bytes.subarray(0, 100));
    expect(plan(ports)).toMatchObject([{ segment: 'manifest', action: 'rebuild', bytes: 100 }]);
    const { kept, after } = repair(ports);
    expect(kept).toEqual([expect.stringMatching(/^manifest\./)]);
    expect(after.ok).toBe(true);
  });

  it('is none of one that a writer has put right since it was found damaged', () => {
    const { ports, append, damage } = journalInMemory();
    damage(layout.manifest, (bytes) => flipped(bytes, 99));
    expect(manifestItem(ports, layout)).toMatchObject({ action: 'mend' });
    append(1);
    expect(manifestItem(ports, layout)).toBeUndefined();
  });

  it('is none of one that nobody may read: that is no damage', () => {
    const { fs, ports, damage } = journalInMemory();
    damage(layout.manifest, (bytes) => flipped(bytes, 99));
    const before = fs.bytesOf(layout.manifest);
    for (let times = 0; times < 3; times += 1) {
      const copy = new MemoryFs(fs.image());
      openedOnly(copy, times);
      expect(() => plan({ ...ports, fs: copy })).toThrow(/EACCES/);
      expect(codeOf(() => repair({ ...ports, fs: copy }))).toBe('FS_PERMISSION_DENIED');
      expect(copy.bytesOf(layout.manifest)).toBe(before);
    }
  });
});
