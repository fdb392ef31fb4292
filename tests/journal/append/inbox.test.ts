import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  INBOX_FILES_MAX,
  listInbox,
  type NewEvent,
  readSpool,
  spool,
} from '../../../src/journal/append/inbox.ts';
import { BODY_BYTES_MAX, SALT_BYTES } from '../../../src/journal/format/format.ts';
import { ensureLayout, layoutOf } from '../../../src/journal/format/layout.ts';
import { ensureManifest } from '../../../src/journal/format/manifest.ts';
import { newEvent, realPorts } from '../../support.ts';
import { edit, flipBit, handClock, newRoot, portsWith, recorded, systemError } from '../support.ts';

function newInbox() {
  const layout = layoutOf(newRoot());
  ensureLayout(realPorts.fs, layout);
  return layout;
}

const facts = (events: readonly NewEvent[] | undefined) =>
  events?.map(({ id, typeTag, payload }) => [id.toString('hex'), typeTag, payload.toString('hex')]);

/** An inbox with one file, and its path. */
function oneFile(events: NewEvent[] = [newEvent(), newEvent({ data: 'second' })]) {
  const layout = newInbox();
  const name = spool(realPorts, layout, events);
  return { layout, events, file: path.join(layout.inbox, name) };
}

const eventsIn = (file: string): NewEvent[] => readSpool(realPorts, file) as NewEvent[];

describe('an inbox file', () => {
  it('gives back any events that were put in', () => {
    const layout = newInbox();
    const one = fc.record({
      id: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((b) => Buffer.from(b)),
      typeTag: fc.nat(0xffffffff),
      payload: fc.uint8Array({ minLength: 1, maxLength: 200 }).map((b) => Buffer.from(b)),
      durability: fc.constant('process' as const),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 20 }), (events) => {
        const name = spool(realPorts, layout, events);
        expect(facts(eventsIn(path.join(layout.inbox, name)))).toEqual(facts(events));
      }),
      { numRuns: 50 },
    );
  });

  it('is noticed to be damaged at every flipped bit and every truncation', () => {
    const { file } = oneFile([newEvent({ data: null })]);
    const sound = readFileSync(file);
    for (let bit = 0; bit < sound.length * 8; bit += 1) {
      const damaged = Buffer.from(sound);
      flipBit(damaged, bit);
      writeFileSync(file, damaged);
      expect(readSpool(realPorts, file), `bit ${bit}`).toBe('damaged');
    }
    for (let length = 0; length < sound.length; length += 1) {
      writeFileSync(file, sound.subarray(0, length));
      expect(readSpool(realPorts, file), `${length} bytes`).toBe('damaged');
    }
  });

  it('may hold the largest payload, and one byte more is refused', () => {
    const largest = BODY_BYTES_MAX - SALT_BYTES;
    const at = (bytes: number): NewEvent => ({ ...newEvent(), payload: Buffer.alloc(bytes, 1) });
    expect(readSpool(realPorts, oneFile([at(largest)]).file)).toHaveLength(1);
    expect(readSpool(realPorts, oneFile([at(largest + 1)]).file)).toBe('damaged');
  });

  it('is refused when it is too large, a folder or a link, and an error when it cannot be opened', () => {
    const layout = newInbox();
    const file = path.join(layout.inbox, 'thing');
    writeFileSync(file, Buffer.alloc(32 * 1024 * 1024 + 1));
    expect(readSpool(realPorts, file)).toBe('damaged');
    rmSync(file);
    mkdirSync(file);
    expect(readSpool(realPorts, file)).toBe('damaged');
    rmSync(file, { recursive: true });
    symlinkSync('/etc/passwd', file);
    expect(readSpool(realPorts, file)).toBe('damaged');
    rmSync(file);
    expect(() => readSpool(realPorts, file)).toThrow(/ENOENT/);
  });
});

describe('spooling', () => {
  it('publishes files whole, under names that sort in the order of writing, even within a millisecond', () => {
    const layout = newInbox();
    const clock = handClock(5);
    const ports = { ...realPorts, clock };
    const names: string[] = [];
    for (let i = 0; i < 300; i += 1) {
      if (i === 100) clock.time = 2; // set back
      if (i === 200) clock.time = 77;
      names.push(spool(ports, layout, [newEvent({ data: i })], names.at(-1)));
    }
    expect(listInbox(realPorts, layout)).toEqual(names);
    expect(readdirSync(layout.inbox).sort()).toEqual(names);
    expect(names[0]).toMatch(/^0000000000050000-[0-9a-f]{12}\.evt$/);
  });

  it('takes several files for a large append, each well below what a reader accepts', () => {
    const layout = newInbox();
    const big = () => ({ ...newEvent(), payload: Buffer.alloc(1_000_000, 2) });
    const events = Array.from({ length: 40 }, big);
    const last = spool(realPorts, layout, events);
    const names = listInbox(realPorts, layout);
    expect(names.length).toBeGreaterThan(3);
    expect(names.at(-1)).toBe(last);
    const read = names.flatMap((name) => eventsIn(path.join(layout.inbox, name)));
    expect(facts(read)).toEqual(facts(events));
  });

  it('is of a later ben10 when its magic says so, but not when a byte of that rotted', () => {
    const { file } = oneFile([newEvent()]);
    edit(file, (bytes) => void bytes.writeUInt8(2, 7));
    expect(readSpool(realPorts, file)).toBe('damaged');
    edit(file, (bytes) => void bytes.writeUInt8(9, 12));
    expect(readSpool(realPorts, file)).toBe('later');
    edit(file, (bytes) => void bytes.writeUInt8(0, 7));
    expect(readSpool(realPorts, file)).toBe('damaged');
  });

  it('leaves no empty file when the last one is full to the brim', () => {
    const layout = newInbox();
    const big = () => ({ ...newEvent(), payload: Buffer.alloc(1024 * 1024 - 24, 2) });
    spool(realPorts, layout, Array.from({ length: 8 }, big));
    expect(listInbox(realPorts, layout)).toHaveLength(1);
    spool(realPorts, layout, Array.from({ length: 9 }, big));
    expect(listInbox(realPorts, layout)).toHaveLength(3);
  });

  it.each([
    ['disk', ['datasync', 'rename', 'syncDir']],
    ['interval', ['datasync', 'rename', 'syncDir']],
    ['process', ['rename']],
  ] as const)('of a %s event does %j where there is a manifest', (durability, expected) => {
    const layout = newInbox();
    ensureManifest(realPorts, layout);
    const { calls, ports } = recorded(['datasync', 'rename', 'syncDir']);
    spool(ports, layout, [newEvent({}, durability)]);
    expect(calls).toEqual(expected);
  });

  it('of a disk event makes the names of the folders durable where there is no manifest: nobody else has', () => {
    const { calls, ports } = recorded(['datasync', 'rename', 'syncDir']);
    spool(ports, newInbox(), [newEvent({}, 'disk')]);
    expect(calls).toEqual(['datasync', 'rename', ...new Array<string>(4).fill('syncDir')]);
  });

  it.each(['write', 'datasync', 'rename'] as const)(
    'leaves nothing behind when %s fails',
    (call) => {
      const layout = newInbox();
      const ports = portsWith({
        [call]: () => {
          throw systemError('ENOSPC');
        },
      });
      expect(() => spool(ports, layout, [newEvent({}, 'disk')])).toThrow(/ENOSPC/);
      expect(readdirSync(layout.inbox)).toEqual([]);
    },
  );
});

describe('a listing of the inbox', () => {
  it('passes by whatever has another name', () => {
    const layout = newInbox();
    for (const name of [
      'a.evt',
      `${'0'.repeat(16)}-${'0'.repeat(12)}.evt.tmp`,
      `${'g'.repeat(16)}-${'0'.repeat(12)}.evt`,
    ])
      writeFileSync(path.join(layout.inbox, name), '');
    expect(listInbox(realPorts, layout)).toEqual([]);
  });

  it('is empty without a folder', () => {
    expect(listInbox(realPorts, layoutOf(newRoot()))).toEqual([]);
  });

  it('stops at the limit, with the oldest', () => {
    const name = (n: number) => `${n.toString(16).padStart(16, '0')}-000000000000.evt`;
    const many = Array.from({ length: INBOX_FILES_MAX + 5 }, (_, i) =>
      name(INBOX_FILES_MAX + 4 - i),
    );
    const list = listInbox(portsWith({ readdir: () => many }), newInbox());
    expect(list).toHaveLength(INBOX_FILES_MAX);
    expect([list[0], list.at(-1)]).toEqual([name(0), name(INBOX_FILES_MAX - 1)]);
  });
});
