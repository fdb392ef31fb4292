import {
  FRAME,
  FRAME_HEADER_BYTES,
  FRAME_TRAILER_BYTES,
  ID_BYTES,
  SALT_BYTES,
  SEGMENT,
  SEGMENT_HEADER_BYTES,
  TRAILER,
} from '../../src/journal/format/format.ts';
import { EPOCH_MS } from './bytes.ts';

type Fields = readonly [name: string, offset: number, meaning: (field: Buffer) => string][];

const number = (field: Buffer): string =>
  String(field.length === 8 ? field.readBigUInt64LE() : field.readUIntLE(0, field.length));
const hlc = (field: Buffer): string => {
  const ms = Number(field.readBigUInt64LE() >> 16n);
  return `${ms - EPOCH_MS} ms after 2026-01-01T00:00Z, count ${field.readUInt16LE()}`;
};
const is = (text: string) => () => text;

const SEGMENT_FIELDS: Fields = [
  ['magic', SEGMENT.magic, is('BEN10J, NUL, 1')],
  ['headerBytes', SEGMENT.headerBytes, number],
  ['formatMinor', SEGMENT.formatMinor, number],
  ['flags', SEGMENT.flags, number],
  ['journalId', SEGMENT.journalId, is('')],
  ['originId', SEGMENT.originId, is("the folder's name")],
  ['firstSeq', SEGMENT.firstSeq, (field) => `${number(field)}, as in the file's name`],
  ['baseHlc', SEGMENT.baseHlc, hlc],
  ['prevChain', SEGMENT.prevChain, is('zeros: nothing comes before')],
  ['salt', SEGMENT.salt, (field) => `0x${field.readBigUInt64LE().toString(16)}`],
  ['reserved', SEGMENT.reserved, is('')],
  ['checksum', SEGMENT.checksum, is('XXH64 of 0000..0077, seed 0')],
];

const frameFields = (at: number): Fields => [
  ['magic', FRAME.magic, is('B10F')],
  ['kind', FRAME.kind, is('event')],
  ['flags', FRAME.flags, number],
  ['headerBytes', FRAME.headerBytes, number],
  ['bodyBytes', FRAME.bodyBytes, number],
  ['typeTag', FRAME.typeTag, is('low half of XXH64 of the type, seed 0')],
  ['seq', FRAME.seq, number],
  ['hlc', FRAME.hlc, hlc],
  ['id', FRAME.id, is('')],
  ['syncedUpto', FRAME.syncedUpto, number],
  ['commit', FRAME.commit, is('SHA-256("ben10/body/1", salt, payload)')],
  ['chain', FRAME.chain, is('SHA-256("ben10/chain/1", chain before, this header 12..87)')],
  ['checksum', FRAME.checksum, is(`XXH64 of this header 0..119, seed salt ^ 0x${at.toString(16)}`)],
];

/** Bytes with their offsets, at most 16 a line; a field's name and meaning stand behind its first line. */
function dump(bytes: Buffer, offset: number, name: string, meaning: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += ID_BYTES) {
    const hex = [...bytes.subarray(at, at + ID_BYTES)].map((byte) =>
      byte.toString(16).padStart(2, '0'),
    );
    const about = at === 0 ? `${name.padEnd(12)} ${meaning}` : '';
    lines.push(
      `${(offset + at).toString(16).padStart(4, '0')}  ${hex.join(' ').padEnd(47)}  ${about}`.trimEnd(),
    );
  }
  return lines;
}

function dumpFields(bytes: Buffer, offset: number, end: number, fields: Fields): string[] {
  return fields.flatMap(([name, start, meaning], index) => {
    const field = bytes.subarray(offset + start, offset + (fields[index + 1]?.[1] ?? end));
    return dump(field, offset + start, name, meaning(field));
  });
}

/** A segment's bytes as a fenced block: every byte, by its field. */
export function exampleOf(bytes: Buffer): string {
  const lines = ['# segment header', ...dumpFields(bytes, 0, SEGMENT_HEADER_BYTES, SEGMENT_FIELDS)];
  for (let at = SEGMENT_HEADER_BYTES, index = 1; at < bytes.length; index += 1) {
    const bodyBytes = bytes.readUInt32LE(at + FRAME.bodyBytes);
    const body = at + FRAME_HEADER_BYTES;
    const trailer = body + Math.ceil(bodyBytes / 8) * 8;
    const end = trailer + FRAME_TRAILER_BYTES;
    const seq = number(bytes.subarray(at + FRAME.seq, at + FRAME.hlc));
    lines.push(
      '',
      `# frame ${index}: header`,
      ...dumpFields(bytes, at, FRAME_HEADER_BYTES, frameFields(at)),
    );
    lines.push(`# frame ${index}: body and padding`);
    lines.push(...dump(bytes.subarray(body, body + SALT_BYTES), body, 'salt', ''));
    const payload = bytes.subarray(body + SALT_BYTES, body + bodyBytes);
    lines.push(...dump(payload, body + SALT_BYTES, 'payload', 'MessagePack, taken apart below'));
    lines.push(...dump(bytes.subarray(body + bodyBytes, trailer), body + bodyBytes, 'padding', ''));
    const trailerFields: Fields = [
      ['bodyChecksum', TRAILER.bodyChecksum, is(`XXH64 of salt and payload, seed salt ^ ${seq}`)],
      ['frameBytes', TRAILER.frameBytes, number],
      ['endMagic', TRAILER.endMagic, is('F01B')],
    ];
    lines.push(
      `# frame ${index}: trailer`,
      ...dumpFields(bytes, trailer, FRAME_TRAILER_BYTES, trailerFields),
    );
    at = end;
  }
  return `\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`;
}
