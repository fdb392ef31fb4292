import { headOf } from './excerpt.ts';
import { type Json, text } from './json.ts';

/** Types that are counted by name: clients have a few dozen. */
const TYPES_MAX = 50;
const TYPE_CHARS = 60;
const OTHERS = '(others)';
/** Anything else may be somebody's words. */
const TYPE_NAME = /^[\w ().:-]+$/;

/** Counts a transcript's lines: readable, malformed, and of unknown types. */
export class RecordTally {
  readonly #whole: RecordTally | undefined;
  #records = 0;
  #malformed = 0;
  readonly #unknown = new Map<string, number>();

  /** @param whole counts as well */
  constructor(whole?: RecordTally) {
    this.#whole = whole;
  }

  /** @param record undefined for a line that is no JSON object */
  add(record: Json | undefined, isKnown: boolean): void {
    this.#whole?.add(record, isKnown);
    if (record === undefined) this.#malformed += 1;
    else this.#records += 1;
    if (record !== undefined && !isKnown) this.#addUnknown(text(record.type) ?? '(none)');
  }

  #addUnknown(type: string): void {
    const short = headOf(type, TYPE_CHARS, true);
    // `__proto__` as a key would change a prototype.
    const named = short === '__proto__' || !TYPE_NAME.test(short) ? OTHERS : short;
    const isRoom = this.#unknown.has(named) || this.#unknown.size < TYPES_MAX;
    const key = isRoom ? named : OTHERS;
    this.#unknown.set(key, (this.#unknown.get(key) ?? 0) + 1);
  }

  counts(): { records: number; malformed: number; unknown: Record<string, number> } {
    const unknown = Object.fromEntries(this.#unknown);
    return { records: this.#records, malformed: this.#malformed, unknown };
  }
}
