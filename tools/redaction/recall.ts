import { PLAIN, PREFIXED } from '../../tests/capture/redaction/corpus/contexts.ts';
import { allKinds } from '../../tests/capture/redaction/corpus/generate.ts';
import { PASSWORD_PLACES } from '../../tests/capture/redaction/corpus/password-places.ts';
import {
  pemRecall,
  recallInPieces,
  sampleRecall,
} from '../../tests/capture/redaction/corpus/pieces.ts';
import {
  contextsOf,
  passwordRecall,
  type Recall,
  recallOf,
  SAMPLES_PER_KIND,
} from '../../tests/capture/redaction/corpus/recall.ts';
import { STRONG_PLACES, strongRecall } from '../../tests/capture/redaction/corpus/strong.ts';
export const GOALS = { plain: 0.98, contexts: 0.9 };
/** Of each kind in each context; a rule has some twenty contexts. */
const SAMPLES_IN_CONTEXT = 10;
/** Of passwords full of signs, in each place. */
const STRONG_SAMPLES = 200;
/** Found and searched, by name. */
class Sums {
  readonly #byName = new Map<string, { found: number; of: number }>();

  add(name: string, { found, of }: Recall): void {
    const sum = this.#byName.get(name) ?? { found: 0, of: 0 };
    this.#byName.set(name, { found: sum.found + found, of: sum.of + of });
  }

  get parts(): { name: string; part: number }[] {
    return [...this.#byName].map(([name, { found, of }]) => ({ name, part: found / of }));
  }

  get total(): number {
    const sums = [...this.#byName.values()];
    return sums.reduce((sum, { found }) => sum + found, 0) / this.of;
  }

  get of(): number {
    return [...this.#byName.values()].reduce((sum, { of }) => sum + of, 0);
  }

  get worst(): { name: string; part: number } {
    return this.parts.reduce((a, b) => (b.part < a.part ? b : a));
  }
}

export const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;

/** Recall of every rule in plain text, and of all of them in each context. */
export function measureRecall(): { plain: Sums; contexts: Sums } {
  const plain = new Sums();
  const contexts = new Sums();
  for (const kind of allKinds()) {
    plain.add(kind.id, recallOf(kind, PLAIN, SAMPLES_PER_KIND));
    for (const context of contextsOf(kind))
      contexts.add(context.name, recallOf(kind, context, SAMPLES_IN_CONTEXT));
    contexts.add('cut over chunks', recallInPieces(kind, SAMPLES_IN_CONTEXT));
  }
  for (const { name, recall } of sampleRecall(SAMPLES_PER_KIND * 2)) plain.add(name, recall);
  for (const { name, recall } of pemRecall(SAMPLES_PER_KIND)) contexts.add(name, recall);
  for (const place of [...PASSWORD_PLACES, ...PREFIXED])
    contexts.add(`password, ${place.name}`, passwordRecall(place));
  for (const place of STRONG_PLACES)
    contexts.add(`strong password, ${place.name}`, strongRecall(place, STRONG_SAMPLES));
  return { plain, contexts };
}

/** Prints what is below its goal, or everything. */
export function printRecall(all: boolean): { ok: boolean; figure: string } {
  const { plain, contexts } = measureRecall();
  for (const [title, sums, goal] of [
    ['plain', plain, GOALS.plain],
    ['context', contexts, GOALS.contexts],
  ] as const) {
    for (const { name, part } of sums.parts)
      if (all || part < goal) console.log(`${title.padEnd(8)} ${name.padEnd(36)} ${percent(part)}`);
    console.log(`${title}: ${percent(sums.total)} of ${sums.of} (goal ${percent(goal)})`);
  }
  const ok = plain.total >= GOALS.plain && contexts.total >= GOALS.contexts;
  const about = (sums: Sums) =>
    `${percent(sums.total)}, worst ${sums.worst.name} ${percent(sums.worst.part)}`;
  return { ok, figure: `recall plain ${about(plain)}; contexts ${about(contexts)}` };
}
