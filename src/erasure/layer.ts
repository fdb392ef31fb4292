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
  /** Each character of `by` was made of so many; left out where all of it was made of all. */
  step?: number;
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
  const runs: Run[] = [];
  const parts: string[] = [];
  let run: Run | undefined;
  let done = 0;
  let length = 0;
  for (const { start, end, by, step: given } of edits) {
    if (start > done) parts.push(layer.text.slice(done, start));
    parts.push(by);
    const at = length + start - done;
    done = end;
    length = at + by.length;
    const step = given ?? (by.length === 1 ? end - start : 0);
    if (step > 0 && run?.step === step && run.end === start) {
      run.end = end;
      run.atEnd = length;
      continue;
    }
    run = { start, end, at, atEnd: length, step };
    runs.push(run);
  }
  if (runs.length === 0) return layer;
  const text = parts.join('') + layer.text.slice(done);
  const place = (at: number): Span => placeOf(at, runs);
  return {
    text,
    origin: ([start, end]) => layer.origin([place(start)[0], place(end - 1)[1]]),
  };
}

/** An edit, and where what stands for it is. Several side by side of the same step are one: a file of escapes has millions. */
interface Run {
  start: number;
  end: number;
  at: number;
  atEnd: number;
  /** 0 where all of it was made of all. */
  step: number;
}

/** What one character was made of. */
function placeOf(at: number, runs: readonly Run[]): Span {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return [at, at + 1];
  const run = runs[low - 1]!;
  if (at >= run.atEnd) {
    const place = run.end + at - run.atEnd;
    return [place, place + 1];
  }
  if (run.step === 0) return [run.start, run.end];
  const start = run.start + (at - run.at) * run.step;
  return [start, start + run.step];
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
