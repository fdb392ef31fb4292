import { type Item, KINDS } from './items.ts';
import { type Heading, renderItem, renderRecall } from './render.ts';

/** Of every kind, the best few come in before worth alone decides: a long list must not crowd out the others. */
const SURE_OF_EACH_KIND = 2;
/** A section's title and the line breaks around it. */
const SECTION_CHARS = 60;

/**
 * Fills a budget with the most valuable items.
 * @param maxChars of the whole text, a hard limit
 */
export function choose(
  items: readonly Item[],
  maxChars: number,
  heading: Heading,
): { items: Item[]; text: string } {
  const order = inOrderOfCare(items);
  const chosen: Item[] = [];
  const kinds = new Set<string>();
  let chars = renderRecall([], heading).length + 260 + heading.about.length;
  for (const item of order) {
    const cost = renderItem(item).length + 1 + (kinds.has(item.kind) ? 0 : SECTION_CHARS);
    if (chars + cost > maxChars) continue;
    kinds.add(item.kind);
    chosen.push(item);
    chars += cost;
  }
  // The estimate errs on the long side; should it ever not, the least valuable go.
  let text = renderRecall(chosen, heading);
  while (text.length > maxChars && chosen.length > 0) {
    chosen.pop();
    text = renderRecall(chosen, heading);
  }
  return { items: chosen, text };
}

function inOrderOfCare(items: readonly Item[]): Item[] {
  const byWorth = [...items].sort((a, b) => b.worth - a.worth || b.seq - a.seq);
  const sure = KINDS.flatMap((kind) =>
    byWorth.filter((item) => item.kind === kind).slice(0, SURE_OF_EACH_KIND),
  );
  sure.sort((a, b) => b.worth - a.worth);
  return [...sure, ...byWorth.filter((item) => !sure.includes(item))];
}
