import { unpackedIn } from './packed.ts';
import { PACKED_DEPTH_MAX } from './text-finder.ts';
import { unescaped, unquoted } from './unescaped.ts';

/** A text as it is, and as it would read if parts of it were decoded: what a pattern is looked for in. */
export function* viewsOf(text: string, depth = 0): Generator<string> {
  yield text;
  const read = unescaped(text);
  if (read.text !== text) yield read.text;
  for (const { text: quoted } of unquoted(read)) yield quoted;
  if (depth === PACKED_DEPTH_MAX) return;
  for (const { bytes } of unpackedIn(read, 0)) {
    yield* viewsOf(bytes.toString('utf8'), depth + 1);
    if (bytes.includes(0)) yield bytes.toString('utf16le');
  }
}
