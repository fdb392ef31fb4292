import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INLINE_BYTES_MAX } from '../../src/journal/append/blobs.ts';
import { INBOX_FILES_MAX } from '../../src/journal/append/inbox.ts';
import { decodeEnvelope, ENVELOPE_FIELDS } from '../../src/journal/format/envelope.ts';
import * as format from '../../src/journal/format/format.ts';
import { DEPTH_MAX } from '../../src/journal/format/msgpack-read.ts';
import type { DamageKind } from '../../src/journal/read/scan.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { type Row, tableUnder } from './tables.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../journal-format');
const spec = readFileSync(path.join(FOLDER, 'SPEC.md'), 'utf8');

const pageOf = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');

const headingsIn = (name: string): string[] =>
  [...pageOf(name).matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replaceAll(' ', '-')
      .replace(/[^a-z0-9-]/g, ''),
  );

/** The structures by the SPEC's headings, and how long each is. */
const STRUCTURES: Record<string, [fields: Record<string, number>, bytes: number]> = {
  'Segment header': [format.SEGMENT, format.SEGMENT_HEADER_BYTES],
  'Frame header': [format.FRAME, format.FRAME_HEADER_BYTES],
  Trailer: [format.TRAILER, format.FRAME_TRAILER_BYTES],
  'Chunk header': [format.CHUNK, format.CHUNK_HEADER_BYTES],
  'Record head': [format.RECORD_HEAD, format.RECORD_HEAD_BYTES],
  Footer: [format.FOOTER, format.FOOTER_BYTES],
  'Container header': [format.CONTAINER, format.CONTAINER_HEADER_BYTES],
  'Block head': [format.BLOCK, format.BLOCK_HEADER_BYTES],
  'Spool header': [format.SPOOL, format.SPOOL_HEADER_BYTES],
  'Spool record': [format.SPOOL_RECORD, format.SPOOL_RECORD_HEAD_BYTES],
  'Sync hint': [format.HINT, format.HINT_BYTES],
};

const VALUES: Record<string, Record<string, number>> = {
  'Segment flags': format.SEGMENT_FLAG,
  'Frame kinds': format.FRAME_KIND,
  'Frame flags': format.FRAME_FLAG,
  Methods: format.METHOD,
};

/** Constants with names of their own; what is an object in the code is a structure above. */
const CONSTANTS: Record<string, unknown> = {
  ...Object.fromEntries(
    Object.entries(format).filter(
      ([, value]) => typeof value === 'number' || value instanceof Buffer,
    ),
  ),
  INLINE_BYTES_MAX,
  DEPTH_MAX,
  ENVELOPE_FIELDS,
  INBOX_FILES_MAX,
};

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** A constant as its row says it: a number, or bytes, which stand for a number where the code has one. */
function constantOf(row: Row, like: unknown): unknown {
  const text = row.value!;
  if (/^\d+$/.test(text)) return Number(text);
  return typeof like === 'number' ? hex(text).readUInt32LE() : hex(text);
}

describe.each(Object.entries(STRUCTURES))('the table of the %s', (heading, [fields, bytes]) => {
  const rows = tableUnder(spec, heading);

  it('has the fields and offsets of the code', () => {
    expect(Object.fromEntries(rows.map((row) => [row.field, Number(row.off)]))).toEqual(fields);
  });

  it('leaves no byte out', () => {
    let end = 0;
    for (const row of rows) {
      expect(Number(row.off), row.field!).toBe(end);
      end += Number(row.size);
    }
    expect(end).toBe(bytes);
  });
});

describe.each(Object.entries(VALUES))('the table of %s', (heading, values) => {
  it('has the values of the code', () => {
    const rows = tableUnder(spec, heading);
    expect(Object.fromEntries(rows.map((row) => [row.name, Number(row.value)]))).toEqual(values);
  });
});

describe('the table of limits', () => {
  const rows = tableUnder(spec, 'Limits');

  it('names every constant of the code and no other', () => {
    expect(rows.map((row) => row.NAME).sort()).toEqual(Object.keys(CONSTANTS).sort());
  });

  it.each(rows)('has the code’s $NAME', (row) => {
    expect(constantOf(row, CONSTANTS[row.NAME!])).toEqual(CONSTANTS[row.NAME!]);
  });

  it('gives every limit a unit and a reason', () => {
    const limits = rows.filter((row) => /_(MAX|TARGET|DEFAULT)$/.test(row.NAME!));
    for (const row of limits) expect(`${row.unit} ${row.because}`, row.NAME!).toMatch(/\S+ \S+/);
    expect(limits.length).toBeGreaterThan(8);
  });
});

describe('the SPEC', () => {
  it('lists the damage kinds of the code', () => {
    const kinds: Record<DamageKind, true> = {
      'segment-header': true,
      header: true,
      body: true,
      gap: true,
      tail: true,
      chunk: true,
      index: true,
      chain: true,
      commit: true,
      missing: true,
      inbox: true,
      blob: true,
      manifest: true,
    };
    const listed = new Set(tableUnder(spec, 'Damage').map((row) => row.kind));
    expect([...listed].sort()).toEqual(Object.keys(kinds).sort());
  });

  it('says which header bytes the chain covers', () => {
    const { start, end } = format.CHAINED;
    expect(spec).toContain(`frame header bytes ${start}..${end - 1})`);
  });

  it('lists XXH64 values that are right', () => {
    const rows = spec.split('\n').flatMap((line) => {
      const row = /^\| +(.+?) +\| +([0-9a-f]+) +\| +([0-9a-f]{16}) +\|$/.exec(line);
      return row === null ? [] : [row];
    });
    expect(rows).toHaveLength(5);
    for (const [, input, seed, sum] of rows) {
      expect(xxh64(inputOf(input!), BigInt(`0x${seed}`)).toString(16), input!).toBe(sum);
    }
  });

  it.each(['SPEC.md', 'WRITING.md', 'README.md', 'CHANGES.md'])(
    'links from %s only to headings and files that are there',
    (page) => {
      for (const [, target] of pageOf(page).matchAll(/\]\(([^):]+)\)/g)) {
        const [file, heading] = target!.split('#') as [string, string?];
        expect(existsSync(path.join(FOLDER, file)), target).toBe(true);
        if (heading !== undefined) expect(headingsIn(file || page), target).toContain(heading);
      }
    },
  );
});

/** `nothing`, a word, or "bytes 00..1f". */
function inputOf(text: string): Buffer {
  const range = /^bytes 00\.\.([0-9a-f]{2})$/.exec(text);
  if (range !== null)
    return Buffer.from(Array.from({ length: Number(`0x${range[1]}`) + 1 }, (_, i) => i));
  return text === 'nothing' ? Buffer.alloc(0) : Buffer.from(text.replaceAll('`', ''));
}

describe('the worked example', () => {
  const block = /<!-- example -->\n```text\n([\s\S]*?)```\n<!-- \/example -->/.exec(spec)![1]!;
  const lines = block.split('\n').filter((line) => /^[0-9a-f]{4} {2}/.test(line));
  const bytes = Buffer.concat(lines.map((line) => hex(line.slice(6, 53))));

  it('is the vector, byte for byte', () => {
    const origin = 'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf';
    const file = `vectors/valid/two-events/${origin}/0000000000000001.b10`;
    expect(bytes.equals(readFileSync(path.join(FOLDER, file)))).toBe(true);
    expect(spec).toContain(`${bytes.length} bytes. Offsets are hexadecimal.`);
  });

  it('has every line at the offset that it says', () => {
    let at = 0;
    for (const line of lines) {
      expect(Number.parseInt(line.slice(0, 4), 16), line).toBe(at);
      at += hex(line.slice(6, 53)).length;
    }
  });

  it('takes the first payload apart as it is', () => {
    const apart = /^98 {2,}an array of 8\n[\s\S]*?(?=```)/m.exec(spec)![0];
    const rows = apart.trim().split('\n');
    const payload = Buffer.concat(rows.map((row) => hex(/^(?:[0-9a-f]{2} )+/.exec(row)![0])));
    expect(payload.equals(bytes.subarray(0x110, 0x14b))).toBe(true);
    const said = Object.fromEntries(
      rows.slice(1).map((row) => {
        const [name, ...value] = row.slice(54).split(/\s+/);
        const text = value.join(' ');
        return [name, text === 'nil' ? null : JSON.parse(text)];
      }),
    );
    expect(decodeEnvelope(payload)).toEqual(said);
  });

  it('has the chain that the text computes', () => {
    expect(spec).toContain('the 32 at 00d8, the 76 from 016c to 01b7');
    const chain = createHash('sha256')
      .update('ben10/chain/1')
      .update(bytes.subarray(0xd8, 0xf8))
      .update(bytes.subarray(0x16c, 0x1b8))
      .digest();
    expect(bytes.subarray(0x1b8, 0x1d8).equals(chain)).toBe(true);
  });
});
