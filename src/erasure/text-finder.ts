import { changed, ERASED, type Finder } from './finder.ts';
import { type Forms, folded, formsOf, type Piece } from './forms.ts';
import { asIs, type Layer, placesOf, type Span, withReplaced } from './layer.ts';
import { piecesAtMarkers } from './marked-pieces.ts';
import { withDigestsOf } from './own-digests.ts';
import { hexOf, packedPiecesIn, piecesIn, unpackedIn } from './packed.ts';
import { withoutPieces } from './pieces.ts';
import { layersOf, unquoted } from './unescaped.ts';
import { unwrapped } from './unwrapped.ts';

/** Base64 within base64, as a secret of Kubernetes in a file that was encoded again. */
export const PACKED_DEPTH_MAX = 3;
/** First what is told apart, then what is packed; and what is left may read as something else, together. */
const ROUNDS_MAX = 4;

/** Finds texts in every form that `formsOf` knows, escaped by whatever `unescaped.ts` undoes, and both within what `packed.ts` unpacks. */
export function textFinder(secrets: readonly string[]): Finder {
  const wanted = new WantedForms(secrets.map(formsOf));
  const isIn = (bytes: Buffer): boolean => wanted.isIn(bytes, 0);
  const without = (text: string): string => {
    let left = text;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const layers = layersOf(left);
      const found = [...wanted.spansIn(left, layers)];
      // All of what is packed goes only where no part of it could be told.
      const spans = found.length > 0 ? found : [...wanted.packedIn(layers, 0)];
      if (spans.length === 0) return left;
      left = withReplaced(left, spans, ERASED);
    }
    return isIn(Buffer.from(left)) ? ERASED : left;
  };
  const withoutIt = rememberingShort(withDigestsOf(without));
  const stateText = withDigestsOf((text) => withoutPieces(withoutIt(text), secrets));
  return {
    isIn,
    isInFile: isIn,
    withoutIt,
    dataWithoutIt: (data) => changed(data, withoutIt, isIn),
    stateWithoutIt: (state) => changed(state, stateText, isIn),
  };
}

const ASCII = /^[\0\x07-\r\x1b -\x7f]*$/;
/**
 * A byte of ASCII text in any form: of UTF-8 and UTF-16, with colours of terminals in it, and of the other ways that Unicode has to
 * write a character of ASCII (U+037E, U+1FEF, U+212A), but for letters of full width and what nobody sees.
 */
const TEXT_BYTE = String.raw`[\0\x07-\r\x1b -\x7f\xc2\x9b\xcd\xbe\xe1\xbf\xaf\xe2\x84\xaa]`;
/** A longer pattern would be no faster. */
const RUN_BYTES_MAX = 64;

/** Names of fields, tools and sessions come again and again. */
const SHORT_CHARS = 128;
const SHORT_KEPT = 20_000;

/** The same change, which knows short texts again that stay what they are. */
function rememberingShort(change: (text: string) => string): (text: string) => string {
  const same = new Set<string>();
  return (text) => {
    if (text.length > SHORT_CHARS) return change(text);
    if (same.has(text)) return text;
    const changed = change(text);
    if (changed === text && same.size < SHORT_KEPT) same.add(text);
    return changed;
  };
}

class WantedForms {
  readonly #plain: readonly string[];
  readonly #read: readonly string[];
  readonly #packed: readonly Piece[];
  readonly #hex: readonly string[];
  readonly #bytes: readonly Buffer[];
  /** Whatever holds one of them has as many bytes, and a text as many characters. */
  readonly #bytesMin: number;
  readonly #hexMin: number;
  /** What any form of it has, unpacked; undefined when it is not all ASCII. */
  readonly #textRun: RegExp | undefined;

  constructor(forms: readonly Forms[]) {
    this.#read = unique(forms.flatMap((one) => one.read));
    this.#packed = uniquePieces(forms.flatMap((one) => one.packed));
    this.#plain = unique(forms.map((one) => one.plain));
    this.#hex = unique(forms.flatMap((one) => one.hex));
    this.#bytes = forms.flatMap((one) => one.bytes);
    const lengths = forms.map(({ plain, read }) => [plain, ...read].map((one) => one.length));
    this.#bytesMin = Math.min(...lengths.flat());
    this.#hexMin = Math.min(...this.#hex.map((one) => one.length));
    const isAscii = forms.every((one) =>
      [one.plain, ...one.read].every((text) => ASCII.test(text)),
    );
    const count = Math.min(this.#bytesMin, RUN_BYTES_MAX);
    this.#textRun = isAscii ? new RegExp(`${TEXT_BYTE}{${count},}`) : undefined;
  }

  isIn(bytes: Buffer, depth: number): boolean {
    if (this.#bytes.some((needle) => bytes.includes(needle))) return true;
    const text = bytes.toString('utf8');
    const layers = layersOf(text);
    return isAny(this.spansIn(text, layers)) || isAny(this.packedIn(layers, depth));
  }

  /** Where in the text it stands, in any form that is known beforehand. */
  *spansIn(text: string, layers: readonly Layer[]): Generator<Span> {
    for (const one of this.#plain) yield* placesOf(text, one);
    yield* packedPiecesIn(asIs(text), this.#packed);
    const read = layers.at(-1)!;
    for (const layer of [...layers, ...unquoted(read)]) {
      const { origin } = layer;
      const foldedText = folded(layer.text);
      yield* piecesIn({ origin, text: foldedText }, this.#read);
      for (const span of piecesAtMarkers(foldedText, this.#read)) yield origin(span);
    }
    for (const joined of unwrapped(read))
      if (joined.text !== text) yield* packedPiecesIn(joined, this.#packed);
    for (const layer of withHex(layers)) yield* piecesIn(hexOf(layer, this.#hexMin), this.#hex);
  }

  /** What is no base64 decodes to noise: no text in any form has so many bytes of a kind there. */
  #isText(bytes: Buffer): boolean {
    return this.#textRun?.test(bytes.toString('latin1')) ?? true;
  }

  /** Where something is packed that has it, in any form, when it is unpacked. */
  *packedIn(layers: readonly Layer[], depth: number): Generator<Span> {
    if (depth === PACKED_DEPTH_MAX) return;
    for (const layer of withHex(layers)) {
      for (const { span, bytes } of unpackedIn(layer, this.#bytesMin)) {
        if (this.#isText(bytes) && this.isIn(bytes, depth + 1)) yield span;
      }
    }
  }
}

/** Hex behind a backslash and an x, as PostgreSQL writes bytes: its first two digits read as an escape. */
const BYTEA = /\\x[0-9A-Fa-f]{4}/;

/** What is searched for hex: the text as it reads, and as it stands where an escape may have taken the beginning of some. */
const withHex = (layers: readonly Layer[]): Layer[] => [
  layers.at(-1)!,
  ...layers.slice(0, -1).filter(({ text }) => BYTEA.test(text)),
];

const isAny = (found: Generator<Span>): boolean => found.next().done !== true;
/** Many are the same in both alphabets, or at other alignments. */
const uniquePieces = (pieces: readonly Piece[]): Piece[] => [
  ...new Map(pieces.map((one) => [Object.values(one).join(), one])).values(),
];
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].filter(Boolean);
