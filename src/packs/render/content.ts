import { isUtf8 } from 'node:buffer';
import {
  findSecrets,
  marker,
  type NamedFound,
  type RedactionCount,
  type RedactionOptions,
  redactText,
} from '../../capture/redaction/index.ts';
import { contained } from '../../projections/safe-text.ts';
import { isBinary } from '../../timetravel/file-on-disk.ts';
import type { Changes, Content, Lines, Reason, Secrets } from './pack.ts';

/** One bad byte in so many is taken for a slip. */
const BYTES_PER_BAD = 1000;

/**
 * What stands in a payload of some bytes: text with LF, without secrets, of which the lines are taken, without anything that could
 * pass for a frame.
 * @param known the secrets that are in the same bytes by the same rules
 */
export function contentOf(
  raw: Buffer,
  lines: Lines | undefined,
  redaction: RedactionOptions,
  known?: Secrets,
): Content | Reason {
  const decoded = decode(raw);
  if (typeof decoded === 'string') return decoded;
  const text = decoded.text.includes('\r') ? decoded.text.replace(/\r\n?/g, '\n') : decoded.text;
  const span = spanOf(text, lines);
  if (span === undefined) return 'range_past_end';
  const plain = redactedSpan(text, span, redaction, known);
  const clean = finished(plain, redaction);
  const changes: Changes = {
    ...clean.changes,
    ...(decoded.bad > 0 && { badBytes: decoded.bad }),
    ...(span.isCut && { isCut: true as const }),
  };
  return {
    text: clean.text,
    isRaw: !decoded.isConverted && clean.text === decoded.text + (changes.isEnded ? '\n' : ''),
    ...(lines && { lines: { from: span.from, to: span.to } }),
    secrets: plain.secrets,
    redactions: clean.counts,
    changes,
  };
}

function decode(raw: Buffer): { text: string; bad: number; isConverted: boolean } | Reason {
  const utf16 = utf16Of(raw);
  if (utf16 === undefined && isBinary(raw)) return 'binary';
  if (utf16 === undefined && isUtf8(raw)) {
    const text = raw.toString('utf8');
    const hasMark = text.charCodeAt(0) === 0xfeff;
    return { text: hasMark ? text.slice(1) : text, bad: 0, isConverted: hasMark };
  }
  const text = new TextDecoder(utf16 ?? 'utf-8').decode(raw);
  if (text.includes('\0')) return 'binary';
  const bad = replacements(text) - (utf16 === undefined ? ownReplacements(raw) : 0);
  if (bad * BYTES_PER_BAD > raw.length) return 'encoding';
  return { text, bad, isConverted: true };
}

function utf16Of(raw: Buffer): string | undefined {
  if (raw[0] === 0xff && raw[1] === 0xfe) return 'utf-16le';
  return raw[0] === 0xfe && raw[1] === 0xff ? 'utf-16be' : undefined;
}

const REPLACEMENT = '\ufffd';
const replacements = (text: string): number => text.split(REPLACEMENT).length - 1;

const ownReplacements = (raw: Buffer): number =>
  replacements(raw.toString('latin1').replaceAll('\xef\xbf\xbd', REPLACEMENT));

interface Span {
  start: number;
  end: number;
  from: number;
  to: number;
  isCut: boolean;
}

/** Undefined if the range begins behind the last line. A final LF makes no further line. */
function spanOf(text: string, lines: Lines | undefined): Span | undefined {
  if (lines === undefined) return { start: 0, end: text.length, from: 1, to: 1, isCut: false };
  const starts = [0, ...Array.from(text.matchAll(/\n(?!$)/g), ({ index }) => index + 1)];
  const last = text === '' ? 0 : starts.length;
  const to = Math.min(lines.to ?? last, last);
  if (lines.from > last) return undefined;
  return {
    start: starts[lines.from - 1]!,
    end: starts[to] ?? text.length,
    from: lines.from,
    to,
    isCut: lines.to !== undefined && lines.to > last,
  };
}

interface Redacted {
  text: string;
  counts: RedactionCount;
}

const ROUNDS_MAX = 8;

/**
 * The span of a text that was redacted as a whole. A secret that goes over its edge is in it as a marker.
 * @param known what an earlier call found in the same text
 */
export function redactedSpan(
  text: string,
  span: Pick<Span, 'start' | 'end'>,
  redaction: RedactionOptions,
  known?: Secrets,
): Redacted & { secrets: Secrets } {
  let current = text;
  let { start, end } = span;
  const counts: RedactionCount = {};
  const secrets: (readonly NamedFound[])[] = [];
  while (secrets.length < ROUNDS_MAX) {
    const found = known === undefined ? findSecrets(current, redaction) : known[secrets.length];
    if (found === undefined || found.length === 0) break;
    secrets.push(found.map(({ start: at, end: to, id }) => ({ start: at, end: to, id })));
    const parts: string[] = [];
    let done = 0;
    let length = 0;
    const [from, until] = [start, end];
    for (const secret of found) {
      const mark = marker(secret.id);
      parts.push(current.slice(done, secret.start), mark);
      length += secret.start - done;
      if (secret.start < until && secret.end > from)
        counts[secret.id] = (counts[secret.id] ?? 0) + 1;
      if (secret.end <= from) start += mark.length - (secret.end - secret.start);
      else if (secret.start < from) start = length;
      length += mark.length;
      if (secret.end <= until) end += mark.length - (secret.end - secret.start);
      else if (secret.start < until) end = length;
      done = secret.end;
    }
    current = parts.join('') + current.slice(done);
  }
  return { text: current.slice(start, end), counts, secrets };
}

export function summed(counts: readonly RedactionCount[]): RedactionCount {
  const sum: RedactionCount = {};
  for (const [rule, count] of counts.flatMap((one) => Object.entries(one)))
    sum[rule] = (sum[rule] ?? 0) + count;
  return sum;
}

const brokenTags = (text: string): number => text.split('‹').length - 1;

/** Contained, and ended by LF. */
function finished(given: Redacted, redaction: RedactionOptions): Redacted & { changes: Changes } {
  const inside = contained(given.text);
  const cleaned = given.text.length - inside.length + brokenTags(inside) - brokenTags(given.text);
  // What stood between the halves of a secret may be gone by now.
  const again = inside === given.text ? undefined : redactText(inside, redaction);
  const text = again?.text ?? inside;
  const counts = summed([given.counts, again?.counts ?? {}]);
  const isEnded = text !== '' && !text.endsWith('\n');
  const changes: Changes = {
    ...(cleaned > 0 && { cleaned }),
    ...(isEnded && { isEnded }),
  };
  return { text: isEnded ? `${text}\n` : text, counts, changes };
}
