import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasHole } from '../../../src/journal/append/recover.ts';
import type { Frame } from '../../../src/journal/format/frame.ts';
import { hintPath } from '../../../src/journal/format/hint.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import type { JournalPorts } from '../../../src/journal/format/ports.ts';
import { ownSegments } from '../../../src/journal/read/origins.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { writeHint } from '../../hints.ts';
import { realPorts } from '../../support.ts';
import {
  appendAll,
  damageOf,
  edit,
  eventsOf,
  journalOf,
  originFolder,
  quarantined,
  readAll,
  repairsOf,
  segmentFiles,
  verify,
  withFailing,
} from '../support.ts';

const BOOTED_AT = Date.now() - 60_000;
/** A machine that was started a minute ago. */
const rebooted: JournalPorts = {
  ...realPorts,
  clock: { ...systemClock, bootedAt: () => BOOTED_AT },
};

const only = (root: string): string => segmentFiles(root)[0]!;
const offsetOf = (root: string, seq: number): number =>
  (readAll(root).entries.find((entry) => entry.seq === seq) as Frame).offset;

/** Six events that nobody synced; the bytes of one never reached the disk. @param writtenAt of the segment */
function holed(seq: number, writtenAt = BOOTED_AT - 1000): { root: string; offset: number } {
  const root = journalOf(6);
  const [offset, end] = [offsetOf(root, seq), offsetOf(root, seq + 1)];
  edit(only(root), (bytes) => void bytes.fill(0, offset, end));
  utimesSync(only(root), writtenAt / 1000, writtenAt / 1000);
  return { root, offset };
}

describe('a hole that a loss of power left', () => {
  it('is cut by the next writer with all behind it, kept in quarantine, and told of in an event', () => {
    const { root, offset } = holed(3);
    const before = readFileSync(only(root));
    expect(damageOf(root)).toEqual(['header 3-3']);
    appendAll(root, eventsOf(1), {}, rebooted);
    expect(repairsOf(root)).toMatchObject([
      { seq: 3, kind: 'torn-tail', offset, bytes: before.length - offset },
    ]);
    expect(readAll(root)).toMatchObject({ seqs: [1, 2, 3, 4], damage: [] });
    expect(verify(root)).toMatchObject({ ok: true, lastSeq: 4 });
    const [kept] = quarantined(root);
    expect(readFileSync(path.join(layoutOf(root).quarantine, kept!))).toEqual(
      before.subarray(offset),
    );
  });

  it('is no damage to the reader that knows the format alone, once it was cut', () => {
    const { root } = holed(3);
    const program = path.resolve(import.meta.dirname, '../../../journal-format/reader.mjs');
    const read = () =>
      spawnSync(process.execPath, [program, '--verify', layoutOf(root).journal], {
        encoding: 'utf8',
      });
    expect(read().stderr).toContain('"header"');
    appendAll(root, eventsOf(1), {}, rebooted);
    const { stdout, stderr } = read();
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toHaveLength(4);
  });

  it('is cut when the tail is torn as well', () => {
    const { root, offset } = holed(3);
    const writtenAt = statSync(only(root)).mtime;
    edit(only(root), (bytes) => bytes.subarray(0, bytes.length - 20));
    utimesSync(only(root), writtenAt, writtenAt);
    appendAll(root, eventsOf(1), {}, rebooted);
    expect(repairsOf(root)).toMatchObject([{ seq: 3, kind: 'torn-tail', offset }]);
    expect(verify(root)).toMatchObject({ ok: true, lastSeq: 4 });
  });

  it('is looked for once: what is written then has another time', () => {
    const { root } = holed(3);
    appendAll(root, eventsOf(1), {}, rebooted);
    appendAll(root, eventsOf(2), {}, rebooted);
    expect(repairsOf(root)).toHaveLength(1);
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is none where the segment was written to since the machine was started: that is rot', () => {
    for (const ports of [
      rebooted,
      { ...realPorts, clock: { ...rebooted.clock, bootedAt: () => 0 } },
    ]) {
      const { root } = holed(3, ports === rebooted ? BOOTED_AT + 1000 : BOOTED_AT - 1000);
      appendAll(root, eventsOf(1), {}, ports);
      expect(readAll(root).seqs).toEqual([1, 2, 4, 5, 6, 7]);
      expect(damageOf(root)).toEqual(['header 3-3']);
    }
  });

  it('is none up to what a sync reached: nothing is cut that was promised', () => {
    const { root } = holed(3);
    const [origin] = [path.basename(originFolder(root))];
    writeHint(realPorts, hintPath(layoutOf(root), origin), { syncedUpto: 3, syncedAt: 1 });
    appendAll(root, eventsOf(1), {}, rebooted);
    expect(readAll(root).seqs).toEqual([1, 2, 4, 5, 6, 7]);
    expect(damageOf(root)).toEqual(['header 3-3']);
  });

  it('is cut right behind what a sync reached', () => {
    const { root } = holed(3);
    writeHint(realPorts, hintPath(layoutOf(root), path.basename(originFolder(root))), {
      syncedUpto: 2,
      syncedAt: 1,
    });
    appendAll(root, eventsOf(1), {}, rebooted);
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4]);
    expect(verify(root).ok).toBe(true);
  });

  it('is not there in a sound segment of before the start, which goes on as it is', () => {
    const root = journalOf(4);
    utimesSync(only(root), 1, 1);
    appendAll(root, eventsOf(1), {}, rebooted);
    expect(readAll(root).seqs).toEqual([1, 2, 3, 4, 5]);
    expect(repairsOf(root)).toEqual([]);
  });
});

describe('a hole in a segment that cannot be read', () => {
  it.each(['EIO', 'ENOENT'])('is seen by nobody, and nothing is cut for it: %s', (code) => {
    const { root } = holed(3);
    const file = ownSegments(realPorts, layoutOf(root))[0]!;
    const failing = withFailing('open', code);
    expect(hasHole(realPorts, file, 0)).toBe(true);
    expect(hasHole(failing, file, 0)).toBe(false);
  });
});

describe('the clock', () => {
  it('knows when the machine was started', () => {
    const bootedAt = systemClock.bootedAt!();
    expect(bootedAt).toBeLessThan(Date.now() - process.uptime() * 1000);
    expect(Math.abs(systemClock.bootedAt!() - bootedAt)).toBeLessThan(1000);
  });
});
