import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withMarkers } from '../../../src/capture/redaction/markers.ts';
import { type Places, placesBehind, placesOf } from '../../../src/capture/redaction/places.ts';
import { AHEAD_CHARS } from '../../../src/capture/redaction/scanner-reach.ts';
import { LITERALS } from '../../../src/capture/redaction/table/literals.ts';
import { allSigns } from '../../../src/capture/redaction/table/token-at.ts';

const pieces = fc.oneof(
  fc.constantFrom(...Object.values(LITERALS).flat(), ...allSigns()),
  fc.constantFrom('=', ': ', ' ', '"', '\\', '\n', '%3D', '://', '.', '_', '\x1b[1m', '--', 'a'),
  fc.stringMatching(/^[A-Za-z0-9]{10,80}$/),
  fc.constantFrom(' '.repeat(90), 'x'.repeat(200), '- \n'.repeat(3000)),
);

/** Behind the end of a text the scanner sees what it had before, and may find a place too many: it does not get there. */
const TAIL = `\n${' '.repeat(AHEAD_CHARS)}`;

const all = (places: Places) =>
  [...places.kinds].sort().map((kind) => [kind, places.at(kind)] as const);

it('what is found where markers stand is what is found when all of the text is searched', () => {
  const texts = fc.array(fc.tuple(pieces, fc.boolean()), { maxLength: 60 });
  fc.assert(
    fc.property(texts, (parts) => {
      let text = '';
      const found = [];
      for (const [piece, isSecret] of parts) {
        const start = text.length;
        text += piece;
        if (isSecret) found.push({ start, end: text.length, id: 'API-KEY', rank: 0 });
      }
      text += TAIL;
      const after = withMarkers(text, found, {});
      expect(all(placesBehind(placesOf(text), found, after))).toEqual(all(placesOf(after)));
    }),
    { numRuns: 1000 },
  );
});
