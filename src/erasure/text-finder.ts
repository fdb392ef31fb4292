import { changed, ERASED, type Finder } from './finder.ts';
import { type Forms, folded, formsOf } from './forms.ts';
import { type Layer, placesOf, type Span, withReplaced } from './layer.ts';
import { hexOf, piecesIn, unpackedIn, unwrapped } from './packed.ts';
import { withoutPieces } from './pieces.ts';
import { layersOf } from './unescaped.ts';

/** Base64 within base64, as a secret of Kubernetes in a file that was encoded again. */
export const PACKED_DEPTH_MAX = 3;
/** First what is told apart, then what is packed; and what is left may read as something else, together. */
const ROUNDS_MAX = 4;

/** Finds texts in every form that `formsOf` knows, escaped by whatever `unescaped` undoes, and both within base64 or hex. */
export function textFinder(secrets: readonly string[]): Finder {
  const wanted = new WantedForms(secrets.map(formsOf));
  const isIn = (bytes: Buffer): boolean => wanted.isIn(bytes, 0);
  const withoutIt = (text: string): string => {
    let left = text;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const layers = layersOf(left);
      const found = [...wanted.spansIn(left, layers)];
      // All of what is packed goes only where no part of it could be told.
      const spans = found.length > 0 ? found : [...wanted.packedIn(layers.at(-1)!, 0)];
      if (spans.length === 0) return left;
      left = withReplaced(left, spans, ERASED);
    }
    return isIn(Buffer.from(left)) ? ERASED : left;
  };
  const stateText = (text: string): string => withoutPieces(withoutIt(text), secrets);
  return {
    isIn,
    withoutIt,
    dataWithoutIt: (data) => changed(data, withoutIt, isIn),
    stateWithoutIt: (state) => changed(state, stateText, isIn),
  };
}

class WantedForms {
  readonly #plain: readonly string[];
  readonly #read: readonly string[];
  readonly #base64: readonly string[];
  readonly #hex: readonly string[];
  readonly #bytes: readonly Buffer[];
  /** Whatever holds one of them has as many bytes. */
  readonly #bytesMin: number;

  constructor(forms: readonly Forms[]) {
    this.#read = unique(forms.flatMap((one) => one.read));
    this.#base64 = unique(forms.flatMap((one) => one.base64));
    this.#plain = unique([...forms.map((one) => one.plain), ...this.#base64]);
    this.#hex = unique(forms.flatMap((one) => one.hex));
    this.#bytes = forms.flatMap((one) => one.bytes);
    const lengths = forms.map(({ plain, read }) => [plain, ...read].map((one) => one.length));
    this.#bytesMin = Math.min(...lengths.flat());
  }

  isIn(bytes: Buffer, depth: number): boolean {
    if (this.#bytes.some((needle) => bytes.includes(needle))) return true;
    const text = bytes.toString('utf8');
    const layers = layersOf(text);
    return isAny(this.spansIn(text, layers)) || isAny(this.packedIn(layers.at(-1)!, depth));
  }

  /** Where in the text it stands, in any form that is known beforehand. */
  *spansIn(text: string, layers: readonly Layer[]): Generator<Span> {
    for (const one of this.#plain) yield* placesOf(text, one);
    for (const layer of layers) yield* piecesIn({ ...layer, text: folded(layer.text) }, this.#read);
    const read = layers.at(-1)!;
    yield* piecesIn(unwrapped(read), this.#base64);
    yield* piecesIn(hexOf(read), this.#hex);
  }

  /** Where something is packed that has it, in any form, when it is unpacked. */
  *packedIn(read: Layer, depth: number): Generator<Span> {
    if (depth === PACKED_DEPTH_MAX) return;
    for (const { span, bytes } of unpackedIn(unwrapped(read), hexOf(read), this.#bytesMin)) {
      if (this.isIn(bytes, depth + 1)) yield span;
    }
  }
}

const isAny = (found: Generator<Span>): boolean => found.next().done !== true;
const unique = (texts: readonly string[]): string[] => [...new Set(texts)].filter(Boolean);
