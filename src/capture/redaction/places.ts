import type { Found } from './merge.ts';
import { plainPlaces, spansAround, withMoved } from './rules-here.ts';
import { type Scanner, wasmScanner } from './scanner.ts';
import { addTold, holdsTold } from './told-names.ts';

/** Where in a text something stands by which secrets are found, by its kind (`kinds.ts`). */
export class Places {
  readonly #byKind = new Map<number, number[]>();
  /** Of a kind that is a sign, whether one of its places is: what `isSign` has said. */
  readonly signs: Map<number, boolean>;

  constructor(signs: Map<number, boolean> = new Map()) {
    this.signs = signs;
  }

  /** In the order of their places for each kind. */
  add(kind: number, at: number): void {
    const known = this.#byKind.get(kind);
    if (known === undefined) this.#byKind.set(kind, [at]);
    else known.push(at);
  }

  /** All of a kind, in order. */
  set(kind: number, places: number[]): void {
    this.#byKind.set(kind, places);
  }

  /** The same without some places of these kinds, of which none is a sign. */
  without(kinds: ReadonlySet<number>, isGone: (at: number) => boolean): Places {
    const left = new Places(this.signs);
    for (const [kind, all] of this.#byKind) {
      const own = kinds.has(kind) ? all.filter((at) => !isGone(at)) : all;
      if (own.length > 0) left.set(kind, own);
    }
    return left;
  }

  get isEmpty(): boolean {
    return this.#byKind.size === 0;
  }

  get kinds(): Iterable<number> {
    return this.#byKind.keys();
  }

  has(kind: number): boolean {
    return this.#byKind.has(kind);
  }

  at(kind: number): readonly number[] {
    return this.#byKind.get(kind) ?? NONE;
  }
}

const NONE: readonly number[] = [];

let scanner: Scanner | null | undefined;

/** One pass over the text. */
export function placesOf(text: string): Places {
  if (scanner === undefined) scanner = wasmScanner();
  const places = new Places();
  if (scanner === null) plainPlaces(text, places);
  else scanner.scan(text, places);
  addTold(text, places);
  return places;
}

/** The places of a text as it is, and without a terminal's sequences. */
export interface BothPlaces {
  itself: Places;
  plain: Places;
}

/**
 * Both in little more than one pass; of the text as it is only those that may be places without its sequences, too, or near
 * such. Undefined where that does not say all.
 * @param text with sequences as a terminal gets them
 */
export function placesOfBoth(text: string): BothPlaces | undefined {
  if (scanner === undefined) scanner = wasmScanner();
  if (holdsTold(text)) return undefined;
  const both = { itself: new Places(), plain: new Places() };
  return scanner?.scanPlain(text, both.plain, both.itself) ? both : undefined;
}

/**
 * The same of a text in which markers stand in the place of what was found in another, whose places are known: only what is
 * near a marker is searched again.
 */
export function placesBehind(before: Places, found: readonly Found[], text: string): Places {
  if (!scanner) return placesOf(text);
  const places = new Places();
  for (const span of spansAround(found, text.length)) scanner.scan(text, places, span);
  withMoved(places, before, found);
  addTold(text, places);
  return places;
}
