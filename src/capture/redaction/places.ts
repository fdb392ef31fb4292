import { plainPlaces } from './rules-here.ts';
import { type Scanner, wasmScanner } from './scanner.ts';

/** Where in a text something stands by which secrets are found, by its kind (`kinds.ts`). */
export class Places {
  readonly #byKind = new Map<number, number[]>();

  /** In the order of their places for each kind. */
  add(kind: number, at: number): void {
    const known = this.#byKind.get(kind);
    if (known === undefined) this.#byKind.set(kind, [at]);
    else known.push(at);
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
  return places;
}
