import type { Item, Kind } from './item.ts';

/** Fewer letters say too little to be told twice by; of the same event `peak 212 MB` is what its output says. */
const CHARS_MIN = 12;
const OWN_CHARS_MIN = 5;
const charsMin = (isSameEvent: boolean): number => (isSameEvent ? OWN_CHARS_MIN : CHARS_MIN);
const END = /[\s.!?…]+$/;
const WORD = '[\\p{L}\\p{N}_]';
/** Where a sentence, an output or something quoted starts and ends: `do not use tabs` does not say `use tabs`. */
const STARTS = '(?<=^|[.!?;:→⏎–—…]["\'”’)`]?\\s+|["“‘(`])';
const ENDS = '(?=$|[)"”’`]|[.!?;…]+["\'”’)`]*(?:\\s|$)|\\s+[(→⏎–—])';

export type Told = Pick<Item, 'kind' | 'text' | 'seq' | 'extras' | 'brief'>;

/** What the user laid down is not told by what somebody else said of it, nor anything by what turned out wrong. */
const STATED: ReadonlySet<Kind> = new Set(['rule', 'correction']);
const STATES: ReadonlySet<Kind> = new Set(['rule', 'correction', 'prompt']);
const isRefuted = ({ text }: Told): boolean => text.startsWith('refuted by @');

/**
 * Whether a line says all that another one would: it has its words in it as they are, as a sentence or an output of it, whatever
 * their case and how they end; of the same event also inside a sentence.
 */
export function repeats(part: Told, whole: Told): boolean {
  if ((part.extras ?? []).length > 0 || isRefuted(whole)) return false;
  if (STATED.has(part.kind) && !STATES.has(whole.kind)) return false;
  const isSame = part.seq === whole.seq;
  if (part.text.length < charsMin(isSame) || !plainOf(whole).includes(plainOf(part))) return false;
  return pattern(part.text, isSame).test(whole.text);
}

/** A text without what is told elsewhere, which leaves a mark; empty where nothing is left of it. */
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

/** Several commands may end alike: that is told of each. */
const RUNS: ReadonlySet<Kind> = new Set(['command', 'error']);

/** A command that passed without its output, where that stands in another line. */
export function withoutOutput<T extends Told>(item: T, others: readonly Told[]): T {
  const { kind, text, brief = text, seq } = item;
  if (kind !== 'command' || !text.startsWith(`${brief}: `)) return item;
  const output = { kind, text: text.slice(brief.length + 2), seq };
  const isTold = others.some((one) => !RUNS.has(one.kind) && repeats(output, one));
  return isTold ? { ...item, text: brief } : item;
}

/**
 * What of an item is not told by lines that were given before it; null when that is nothing.
 * @param given in the form that they were given in at least: briefly
 */
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

/** Lines are compared with each other again and again. */
const plains = new WeakMap<Told, string>();

/** The words of a line as they are compared; what these of another do not have in them, that does not repeat. */
export function plainOf(item: Told): string {
  let found = plains.get(item);
  if (found === undefined) {
    found = plain(item.text);
    plains.set(item, found);
  }
  return found;
}

/** Of many lines, to be looked through at once. */
export const plainTexts = (items: readonly Told[]): string => items.map(plainOf).join('\n');

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').replace(END, '');

function pattern(part: string, isSameEvent: boolean): RegExp {
  const words = part.replace(END, '').trim().split(/\s+/);
  const said = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+');
  const whole = isSameEvent ? `(?<!${WORD})${said}(?!${WORD})` : `${STARTS}${said}${ENDS}`;
  return new RegExp(`${whole}[.!?…]*`, 'giu');
}
