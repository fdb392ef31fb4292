import { PASSWORD_PLACES, PLAIN } from '../../tests/capture/redaction/corpus/contexts.ts';
import { allKinds } from '../../tests/capture/redaction/corpus/generate.ts';
import {
  contextsOf,
  passwordRecall,
  type Recall,
  recallOf,
} from '../../tests/capture/redaction/corpus/recall.ts';

const GOALS = { plain: 0.99, contexts: 0.95 };
const SAMPLES_IN_CONTEXT = 50;

class Sum {
  found = 0;
  of = 0;
  add({ found, of }: Recall): void {
    this.found += found;
    this.of += of;
  }
  get part(): number {
    return this.found / this.of;
  }
}

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;

/** Prints recall by rule (those below the goals, or all) and by context; 1 when a goal is missed as a whole. */
export function printRecall(all: boolean): number {
  const [plain, contexts] = [new Sum(), new Sum()];
  const byContext = new Map<string, Sum>();
  const kinds = allKinds();
  let below = 0;
  for (const kind of kinds) {
    const own = recallOf(kind, PLAIN);
    plain.add(own);
    const inside = new Sum();
    const weak: string[] = [];
    for (const context of contextsOf(kind)) {
      const recall = recallOf(kind, context, SAMPLES_IN_CONTEXT);
      inside.add(recall);
      contexts.add(recall);
      if (!byContext.has(context.name)) byContext.set(context.name, new Sum());
      byContext.get(context.name)?.add(recall);
      if (recall.found / recall.of < GOALS.contexts) weak.push(`${context.name} ${recall.found}`);
    }
    const isBelow = own.found / own.of < GOALS.plain || inside.part < GOALS.contexts;
    if (isBelow) below += 1;
    if (all || isBelow || weak.length > 0) {
      const figures = `plain ${own.found}/${own.of} named ${own.named}  contexts ${percent(inside.part)}`;
      console.log(
        `${kind.id.padEnd(24)} ${kind.grammar.slice(0, 40).padEnd(40)} ${figures} ${weak.join(', ')}`,
      );
    }
  }
  console.log('\ncontexts');
  for (const [name, sum] of byContext) console.log(`  ${name.padEnd(34)} ${percent(sum.part)}`);
  console.log('\npasswords');
  for (const context of PASSWORD_PLACES) {
    const recall = passwordRecall(context);
    contexts.add(recall);
    console.log(`  ${context.name.padEnd(34)} ${recall.found}/${recall.of}`);
  }
  const ids = new Set(kinds.map(({ id }) => id));
  console.log(`\n${ids.size} ids, ${kinds.length} grammars, ${below} of them below a goal`);
  console.log(`plain ${percent(plain.part)} of ${plain.of} (goal ${percent(GOALS.plain)})`);
  console.log(
    `contexts ${percent(contexts.part)} of ${contexts.of} (goal ${percent(GOALS.contexts)})`,
  );
  return plain.part >= GOALS.plain && contexts.part >= GOALS.contexts ? 0 : 1;
}
