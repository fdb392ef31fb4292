import type { Item, Kind } from './item.ts';

/** Shorter texts are too common to count as repeated; less so within one event. */
const CHARS_MIN = 12;
const OWN_CHARS_MIN = 5;
const charsMin = (isSameEvent: boolean): number => (isSameEvent ? OWN_CHARS_MIN : CHARS_MIN);
const END = /[\s.!?…]+$/;
const WORD = '[\\p{L}\\p{N}_]';
/** Bounds of a sentence, an output or a quote: `do not use tabs` does not contain `use tabs`. */
const STARTS = '(?<=^|[.!?;:→⏎–—…]["\'”’)`]?\\s+|["“‘(`])';
const ENDS = '(?=$|[)"”’`]|[.!?;…]+["\'”’)`]*(?:\\s|$)|\\s+[(→⏎–—])';

export type Told = Pick<Item, 'kind' | 'text' | 'seq' | 'extras' | 'brief'>;

/** Other people's words do not repeat a user's rule, and refuted lines repeat nothing. */
const STATED: ReadonlySet<Kind> = new Set(['rule', 'correction']);
const STATES: ReadonlySet<Kind> = new Set(['rule', 'correction', 'prompt']);
const isRefuted = ({ text }: Told): boolean => text.startsWith('refuted by @');

/** Whether a line contains another one as a sentence or output, ignoring case and punctuation; within one event, anywhere. */
export function repeats(part: Told, whole: Told): boolean {
  if ((part.extras ?? []).length > 0 || isRefuted(whole)) return false;
  if (STATED.has(part.kind) && !STATES.has(whole.kind)) return false;
  const isSame = part.seq === whole.seq;
  if (part.text.length < charsMin(isSame) || !plainOf(whole).includes(plainOf(part))) return false;
  return pattern(part.text, isSame).test(whole.text);
}

/** Replaces parts stated elsewhere by a mark; empty when nothing is left. */
export function without(
  text: string,
  told: readonly Pick<Told, 'text' | 'seq'>[],
  seq: number,
): string {
  let left = text;
  for (const one of told)
    if (has(left, one.text, one.seq === seq))
      left = left.replace(pattern(one.text, one.seq === seq), '…');
  if (left === text) return text;
  const joined = left.replace(/…(?:[\s,.;]*…)+/g, '…').replace(/^[\s…,.;:]+|[\s…,;:]+$/g, '');
  return /\p{L}{2}/u.test(joined) ? joined : '';
}

/** Equal endings of different commands are no repetition. */
const RUNS: ReadonlySet<Kind> = new Set(['command', 'error']);

/** A successful command without output that another line has. */
export function withoutOutput<T extends Told>(item: T, others: readonly Told[]): T {
  const { kind, text, brief = text, seq } = item;
  if (kind !== 'command' || !text.startsWith(`${brief}: `)) return item;
  const output = { kind, text: text.slice(brief.length + 2), seq };
  const isTold = others.some((one) => !RUNS.has(one.kind) && repeats(output, one));
  return isTold ? { ...item, text: brief } : item;
}

/** What earlier lines do not say; null for nothing. @param given in the shortest form in which they were given */
export function unrepeated<T extends Told>(item: T, given: readonly Told[]): T | null {
  if (given.some((one) => repeats(item, one))) return null;
  const { kind, text, seq } = item;
  if (kind !== 'prompt') return withoutOutput(item, given);
  const left = without(text, given, seq);
  if (left === text) return item;
  return left === '' ? null : { ...item, text: left, brief: left };
}

export const briefly = <T extends Told>(item: T): T =>
  item.brief === undefined ? item : { ...item, text: item.brief };

function has(text: string, part: string, isSameEvent: boolean): boolean {
  if (part.length < CHARS_MIN || !plain(text).includes(plain(part))) return false;
  return pattern(part, isSameEvent).test(text);
}

/** Lines are compared again and again. */
const plains = new WeakMap<Told, string>();

/** A line's normalised words. */
export function plainOf(item: Told): string {
  let found = plains.get(item);
  if (found === undefined) {
    found = plain(item.text);
    plains.set(item, found);
  }
  return found;
}

export const plainTexts = (items: readonly Told[]): string => items.map(plainOf).join('\n');

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').replace(END, '');

function pattern(part: string, isSameEvent: boolean): RegExp {
  const words = part.replace(END, '').trim().split(/\s+/);
  const said = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+');
  const whole = isSameEvent ? `(?<!${WORD})${said}(?!${WORD})` : `${STARTS}${said}${ENDS}`;
  return new RegExp(`${whole}[.!?…]*`, 'giu');
}
