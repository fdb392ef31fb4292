import type { Names } from '../projections/folds/evidence-names.ts';
import { referencesIn } from '../projections/references.ts';

const PARTS = /[A-Z]?[a-z]{3,}|[A-Z]{4,}(?![a-z])/g;
const partsOf = (text: string): string[] =>
  (text.match(PARTS) ?? [])
    .map((part) => part.toLowerCase().replace(/s$/, ''))
    .filter(({ length }) => length >= 4);
/** A shouted word is no name: `WAIT`, unlike `MAX_WAIT`. */
const SHOUTED = /^[A-Z]+$/gm;

/** Words in a session's names: `the invoice export` is about `invoice_export.ts`. */
export class Topics {
  readonly #parts: ReadonlySet<string>;

  constructor({ texts }: Names) {
    this.#parts = new Set(partsOf(texts.replace(SHOUTED, '')));
  }
  /** Whether a sentence mentions anything with a name. */
  isAbout(sentence: string): boolean {
    return (
      partsOf(sentence).some((part) => this.#parts.has(part)) || referencesIn(sentence).size > 0
    );
  }
}
