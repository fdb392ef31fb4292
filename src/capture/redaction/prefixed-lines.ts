import type { Plain } from './escapes.ts';
import { expression } from './expression.ts';
import { onDemand, type Span } from './rule.ts';
import { originalPlaces } from './rules-here.ts';

/**
 * Texts without what programs print before each line: a name and its value, a manifest, a key stand in several lines, and read
 * as in their file only then.
 */

/** Longer than a path and its number. */
export const PREFIX_CHARS_MAX = 256;
/** Prefixes before each other: a service's name, then a time, then a number. */
export const LAYERS_MAX = 3;

/** A time and a level, a host, a service, a job and its step, a pod, a quotation or a comment, a number of a line, a path
 * with or without one, a frame. */
export const PREFIX = expression(
  `^(?:${[
    '\\[?(?:\\d{4}[-/]\\d\\d[-/]\\d\\d[T ])?\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z| ?[+-]\\d\\d:?\\d\\d)?\\]?(?:[ \\t]|$)(?:\\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\\]?:?[ \\t])?',
    '[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d [\\w.-]{1,64} [\\w./@-]{1,64}(?:\\[\\d{1,9}\\])?: ',
    '[\\w./-]{1,64} {0,40}\\|(?: |$)',
    '[^\\t]{1,64}\\t[^\\t]{1,64}\\t(?=\\d{4}-)',
    '\\[pod/[^\\]\\s]{1,200}\\] ',
    '(?:>|#|//)(?: |$)',
    ' {0,8}\\d{1,7}(?:[\\t\\u2192:-]|(?: ?[|\\u2502])(?: |$))',
    '[\\w./@+-]{1,200}?(?:[:-]\\d{1,7}[:-]|(?<=\\.\\w{1,10})[:-])',
    '[|\\u2502](?: |$)',
  ].join('|')})`,
);

/** The same of each line of a stretch: numbers and spaces may differ, and grep puts `-` where it puts `:` in a match. */
const shapeOf = (prefix: string): string =>
  prefix.replace(/\d+/g, '0').replace(/-/g, ':').replace(/\s+/g, ' ').trim();

function* linesOf(text: string): Generator<Span> {
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start);
    const end = at < 0 ? text.length : at + 1;
    yield { start, end };
    start = end;
  }
}

/** The prefixes that stand before at least two lines, one after the other. */
function prefixesIn(text: string): Span[] {
  const found: Span[] = [];
  let last: { shape: string; span: Span } | undefined;
  for (const { start, end } of linesOf(text)) {
    const line = text.slice(start, Math.min(end, start + PREFIX_CHARS_MAX)).trimEnd();
    const prefix = PREFIX.exec(line)?.[0] ?? '';
    const own = prefix && { shape: shapeOf(prefix), span: { start, end: start + prefix.length } };
    if (own && own.shape === last?.shape) {
      if (found.at(-1) !== last.span) found.push(last.span);
      found.push(own.span);
    }
    last = own || undefined;
  }
  return found;
}

/**
 * The signs of a diff, and the lines that have the `other` one: what stands around both is one file before, another after.
 * Undefined where there is no diff.
 */
function signsIn(text: string, other: '+' | '-'): Span[] {
  const found: Span[] = [];
  let stretch: Span[] = [];
  let isDiff = false;
  const close = () => {
    // One by one: as arguments of one call, a hundred thousand lines are too many.
    if (isDiff && stretch.length > 1) for (const one of stretch) found.push(one);
    stretch = [];
    isDiff = false;
  };
  for (const { start, end } of linesOf(text)) {
    const sign = text[start] ?? '';
    if ('+- '.includes(sign)) {
      stretch.push({ start, end: sign === other ? end : start + 1 });
      isDiff ||= sign !== ' ';
    } else if (!'\r\n\\'.includes(sign)) close();
  }
  close();
  return found;
}

function without(text: string, removed: readonly Span[], inside?: Plain['original']): Plain {
  let rest = '';
  let from = 0;
  for (const { start, end } of removed) {
    rest += text.slice(from, start);
    from = end;
  }
  const place = onDemand(() => originalPlaces(removed));
  return {
    text: rest + text.slice(from),
    original: ({ start, end }) => {
      const span = { start: place()(start), end: place()(end - 1) + 1 };
      return inside?.(span) ?? span;
    },
  };
}

/**
 * The text without its lines' prefixes, once for each that stand before each other, and as it was before and after a diff.
 * @param original of the text, where that is none of its own
 */
export function withoutPrefixes(text: string, original?: Plain['original']): Plain[] {
  const readings: Plain[] = [];
  let last: { text: string; original?: Plain['original'] } = {
    text,
    ...(original && { original }),
  };
  for (let layer = 0; layer < LAYERS_MAX; layer += 1) {
    const removed = prefixesIn(last.text);
    if (removed.length === 0) break;
    readings.push(without(last.text, removed, last.original));
    last = readings.at(-1) ?? last;
  }
  for (const other of ['-', '+'] as const) {
    const removed = signsIn(last.text, other);
    if (removed.length > 0) readings.push(without(last.text, removed, last.original));
  }
  return readings;
}
