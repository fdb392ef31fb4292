/** `start` to `end` of a text, in UTF-16 units, `end` not included. */
export type Span = readonly [start: number, end: number];

/** Bytes that a part of a text would decode to, and where that part stands. */
export interface Unpacked {
  span: Span;
  bytes: Buffer;
}

/** Where a part of a text stands, and what stands for it. */
export interface Edit {
  start: number;
  end: number;
  by: string;
}

/** A text that was made of another one, and the way back. */
export interface Layer {
  text: string;
  /** Where in the first text this part of `text` comes from: all of whatever a part of it was decoded from. */
  origin(span: Span): Span;
}

export const asIs = (text: string): Layer => ({ text, origin: (span) => span });

/** The same text after `edits`, which come in order and do not touch each other's places. */
export function edited(layer: Layer, edits: Iterable<Edit>): Layer {
  const from: Span[] = [];
  const into: Span[] = [];
  const parts: string[] = [];
  let done = 0;
  let length = 0;
  for (const { start, end, by } of edits) {
    parts.push(layer.text.slice(done, start), by);
    const at = length + start - done;
    from.push([start, end]);
    into.push([at, at + by.length]);
    done = end;
    length = at + by.length;
  }
  if (from.length === 0) return layer;
  const text = parts.join('') + layer.text.slice(done);
  const place = (at: number): Span => placeOf(at, from, into);
  return {
    text,
    origin: ([start, end]) => layer.origin([place(start)[0], place(end - 1)[1]]),
  };
}

/** What one character was made of. */
function placeOf(at: number, from: readonly Span[], into: readonly Span[]): Span {
  let low = 0;
  let high = into.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (into[middle]![0] <= at) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return [at, at + 1];
  const [, end] = into[low - 1]!;
  if (at < end) return from[low - 1]!;
  const place = from[low - 1]![1] + at - end;
  return [place, place + 1];
}

/** The text with each of the spans replaced; those that overlap become one. */
export function withReplaced(text: string, spans: readonly Span[], by: string): string {
  const sorted = spans.toSorted((a, b) => a[0] - b[0]);
  const parts: string[] = [];
  let done = 0;
  for (const [start, end] of sorted) {
    if (start >= done) parts.push(text.slice(done, start), by);
    done = Math.max(done, end);
  }
  return parts.join('') + text.slice(done);
}

/** Every place of a text; those that overlap too. */
export function* placesOf(text: string, wanted: string): Generator<Span> {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    yield [at, at + wanted.length];
  }
}
