import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { put } from '../../damage/corpus.ts';
import { journalInMemory, plan, quarantined, repair, seqsOf, verify } from './repairs.ts';

describe('a segment that gzip packed', () => {
  it.each([0, 2])(
    'in its place is left there, and what to run brings all back: segment %i',
    (n) => {
      const { fs, ports, segments, damage } = journalInMemory();
      const file = segments()[n]!;
      damage(file, (bytes) => gzipSync(bytes));
      const packed = fs.bytesOf(file);
      const [item] = plan(ports);
      expect(item).toMatchObject({ action: 'none', kind: 'segment-header', bytes: packed.length });
      expect(item!.what).toContain(`mv ${file} ${file}.gz && gunzip ${file}.gz`);
      const { lost, after } = repair(ports);
      expect({ lost, ok: after.ok }).toEqual({ lost: [], ok: false });
      expect(quarantined(fs)).toEqual([]);
      damage(file, (bytes) => gunzipSync(bytes));
      expect(seqsOf(ports).slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(verify(ports).damage.every(({ kind }) => kind === 'missing')).toBe(true);
    },
  );

  it('beside its place is named where its events are missing', () => {
    const { fs, ports, segments } = journalInMemory();
    const file = segments()[1]!;
    put(fs, `${file}.gz`, gzipSync(fs.bytesOf(file)));
    fs.unlink(file);
    const [item] = plan(ports);
    expect(item).toMatchObject({ action: 'record', kind: 'missing', firstSeq: 4, lastSeq: 6 });
    expect(item!.what).toContain(`gunzip ${file}.gz`);
    put(fs, file, gunzipSync(fs.bytesOf(`${file}.gz`)));
    expect(plan(ports)).toEqual([]);
  });
});
