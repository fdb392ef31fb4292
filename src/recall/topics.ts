import { allNames, type Names } from '../projections/folds/evidence-names.ts';
import { referencesIn } from '../projections/references.ts';

const PART_CHARS_MIN = 4;
const PARTS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const partsOf = (text: string): string[] =>
  (text.match(PARTS) ?? [])
    .filter(({ length }) => length >= PART_CHARS_MIN)
    .map((part) => part.toLowerCase().replace(/s$/, ''));

/** `WAIT` is a word; `MAX_WAIT` is a name. */
const SHOUTED = /^[A-Z]+$/;

/** What a session's names are made of: who says `the invoice export` speaks of `invoice_export.ts`. */
export class Topics {
  readonly #parts: ReadonlySet<string>;

  constructor(names: Names) {
    this.#parts = new Set(
      allNames(names).flatMap(([text, { kind }]) =>
        kind === 'number' || SHOUTED.test(text) ? [] : partsOf(text),
      ),
    );
  }

  /** Whether a sentence is about anything that has a name in the work. */
  isAbout(sentence: string): boolean {
    return (
      referencesIn(sentence).size > 0 || partsOf(sentence).some((part) => this.#parts.has(part))
    );
  }
}
