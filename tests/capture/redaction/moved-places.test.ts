import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as KIND from '../../../src/capture/redaction/kinds.ts';
import { withMarkers } from '../../../src/capture/redaction/markers.ts';
import { SEEN_CHARS_MAX } from '../../../src/capture/redaction/moved-places.ts';
import { type Places, placesBehind, placesOf } from '../../../src/capture/redaction/places.ts';
import { AHEAD_CHARS } from '../../../src/capture/redaction/scanner-reach.ts';
import { LITERALS } from '../../../src/capture/redaction/table/literals.ts';
import { allSigns } from '../../../src/capture/redaction/table/token-at.ts';
import { TOLD_NAMES } from '../../../src/capture/redaction/told-names.ts';

const pieces = fc.oneof(
  fc.constantFrom(...Object.values(LITERALS).flat(), ...allSigns(), ...TOLD_NAMES),
  fc.constantFrom('=', ': ', ' ', '"', '\\', '\n', '%3D', '://', '.', '_', '\x1b[1m', '--', 'a'),
  fc.stringMatching(/^[A-Za-z0-9]{10,80}$/),
  fc.constantFrom(' '.repeat(90), 'x'.repeat(200), '- \n'.repeat(3000)),
);

/** Behind the end of a text the scanner sees what it had before, and may find a place too many: it does not get there. */
const TAIL = `\n${' '.repeat(AHEAD_CHARS)}`;

/** Two words of a kind, of which one begins the other, have one place: a scanner may tell of it twice. */
const all = (places: Places) =>
  [...places.kinds].sort().map((kind) => [kind, [...new Set(places.at(kind))]] as const);

const BLOCKS: readonly number[] = [KIND.privateTag, KIND.privateKey, KIND.kubernetes, KIND.told];

it('what is found where markers stand is what is found near one when all of the text is searched, and anywhere of blocks', () => {
  const texts = fc.array(fc.tuple(pieces, fc.boolean()), { maxLength: 60 });
  fc.assert(
    fc.property(texts, (parts) => {
      let text = '';
      const found = [];
      const markers: [start: number, end: number][] = [];
      let moved = 0;
      for (const [piece, isSecret] of parts) {
        const start = text.length;
        text += piece;
        if (!isSecret) continue;
        found.push({ start, end: text.length, id: 'API-KEY', rank: 0 });
        markers.push([start + moved, start + moved + '[REDACTED:API-KEY]'.length]);
        moved += '[REDACTED:API-KEY]'.length - piece.length;
      }
      text += TAIL;
      const after = withMarkers(text, found, {});
      const isNear = (at: number) =>
        markers.some(([start, end]) => at >= start - SEEN_CHARS_MAX && at <= end + SEEN_CHARS_MAX);
      const expected = all(placesOf(after))
        .map(([kind, own]) => [kind, BLOCKS.includes(kind) ? own : own.filter(isNear)] as const)
        .filter(([, own]) => own.length > 0);
      expect(all(placesBehind(placesOf(text), found, after))).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});
