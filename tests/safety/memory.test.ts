import { describe, expect, it } from 'vitest';
import { RECORD_HEAD, SEGMENT } from '../../src/journal/format/format.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { isSound } from '../../src/journal/repair/files.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { LEVEL_SEAL } from '../../src/journal/seal/seal.ts';
import { readFile } from '../../src/platform/files.ts';
import type { Image } from '../sim/image.ts';
import { decoders, loadCodecs, SIM_ROOT } from '../sim/process.ts';
import { newEvent } from '../support.ts';
import { append, change, diskAfter, entriesOf, erase, flipAt, started } from './machine.ts';

const codecs = await loadCodecs();
const MARK = 'keepsake-4711';
const BYTES_MAX = 1 << 20;

const grown = (): Image =>
  diskAfter((ports) => {
    const first = [newEvent(), newEvent({ data: { text: MARK } }), newEvent()];
    append(ports, first, [newEvent()]);
  });

/** Packs, and turns a bit over in what it was given: a flag of the first event, which no chain covers. */
const flipping: Codecs = {
  decoders,
  zstd: {
    compress: (plain) => {
      flipAt(plain as Buffer, RECORD_HEAD.flags);
      return undefined;
    },
  },
};

const flagsIn = (ports: JournalPorts) => entriesOf(ports).map(({ seq, flags }) => [seq, flags]);

describe('a bit that turns over in memory', () => {
  it('while a segment is sealed leaves the old one in its place', () => {
    const { ports } = started(grown());
    const before = flagsIn(ports);
    const { segments } = compactJournal(ports, SIM_ROOT, flipping, { level: LEVEL_SEAL });
    expect(segments.map(({ action }) => action)).not.toContain('sealed');
    expect(flagsIn(ports)).toEqual(before);
  });

  it('while events are erased from a sealed segment leaves the old one in its place', () => {
    const { ports } = started(grown());
    compactJournal(ports, SIM_ROOT, codecs, { level: LEVEL_SEAL });
    const before = flagsIn(ports);
    expect(() => erase(ports, flipping, [2])).toThrow('did not read back');
    expect(flagsIn(ports).slice(0, before.length)).toEqual(before);
  });

  it('while a damaged segment is repaired puts nothing damaged in its place', () => {
    const image = change(grown(), '0000000000000001.b10', (bytes) => {
      flipAt(bytes, bytes.indexOf(MARK));
      flipAt(bytes, bytes.indexOf('4711'));
    });
    let calls = 0;
    for (let call = 0; call <= calls; call += 1) {
      const { ports } = started(image);
      calls = 0;
      const unsound: string[] = [];
      // A second round of the repair would mend it: what counts is what ever stood there.
      const rename = (from: string, to: string) => {
        const isSegment = /\/\d{16}\.b10z?$/.test(to) && from.endsWith('.tmp');
        if (isSegment && !isSound(ports, readFile(ports.fs, from, BYTES_MAX))) unsound.push(to);
        ports.fs.rename(from, to);
      };
      const summing = {
        ...ports,
        fs: { ...ports.fs, rename },
        xxh64(bytes: Uint8Array, seed: bigint): bigint {
          const sum = ports.xxh64(bytes, seed);
          // What a segment's header is summed over: of the new one, and of each that is read.
          const isHeader = bytes.length === SEGMENT.checksum && seed === 0n;
          if (isHeader && calls++ === call) flipAt(bytes as Buffer, SEGMENT.salt);
          return sum;
        },
      };
      try {
        repairJournal(summing, SIM_ROOT, decoders);
      } catch {
        // it noticed
      }
      expect(unsound, `call ${call}`).toEqual([]);
    }
  });
});
