import type { Names } from '../projections/folds/evidence-names.ts';
import { referencesIn } from '../projections/references.ts';

const PARTS = /[A-Z]?[a-z]{3,}|[A-Z]{4,}(?![a-z])/g;
const partsOf = (text: string): string[] =>
  (text.match(PARTS) ?? [])
    .map((part) => part.toLowerCase().replace(/s$/, ''))
    .filter(({ length }) => length >= 4);
/** `WAIT` is a word; `MAX_WAIT` is a name. */
const SHOUTED = /^[A-Z]+$/gm;

/** What a session's names are made of: who says `the invoice export` speaks of `invoice_export.ts`. */
export class Topics {
  readonly #parts: ReadonlySet<string>;

  constructor({ texts }: Names) {
    this.#parts = new Set(partsOf(texts.replace(SHOUTED, '')));
  }

  /** Whether a sentence is about anything that has a name in the work. */
  isAbout(sentence: string): boolean {
    return (
      partsOf(sentence).some((part) => this.#parts.has(part)) || referencesIn(sentence).size > 0
    );
  }
}
