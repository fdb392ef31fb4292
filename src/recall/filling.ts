import type { Extra, Item, Kind } from './item.ts';
import { namesStatedIn } from './name-items.ts';
import { renderItem, sectionChars } from './render.ts';
import { repeats } from './repeats.ts';

/** An item, or one more name for an item. */
export interface Candidate {
  item: Item;
  extra?: Extra;
  chars: number;
  density: number;
}

export const baseChars = ({ text, seq, cites = [] }: Item): number =>
  renderItem({ text, seq, cites }).length + 1;

/** What is chosen so far, each thing once, and the characters that are left. */
export class Filling {
  readonly chosen = new Map<Item, Extra[]>();
  readonly #kinds = new Set<Kind>();
  readonly #named = new Set<string>();
  readonly #lengths: ReadonlyMap<Item, number>;
  left: number;

  /** @param lengths of all items' lines without names */
  constructor(lengths: ReadonlyMap<Item, number>, left: number) {
    this.#lengths = lengths;
    this.left = left;
  }

  takeAll(candidates: readonly Candidate[]): void {
    for (const one of candidates)
      if (one.item.text !== '' || one.extra !== undefined) this.#take(one);
  }

  #take({ item, extra, chars }: Candidate): void {
    const own = this.chosen.get(item);
    const isKnown = extra === undefined ? own !== undefined : own?.includes(extra);
    if (isKnown || (extra !== undefined && this.#named.has(extra.text))) return;
    const base = own === undefined ? this.#lengths.get(item)! : 0;
    const section = this.#kinds.has(item.kind) ? 0 : sectionChars(item.kind);
    const cost = base + section + (extra === undefined ? 0 : chars);
    if (cost > this.left || (own === undefined && this.#isTold(item))) return;
    this.left -= cost;
    this.#kinds.add(item.kind);
    if (own === undefined) this.#takeIn(item);
    // Names in the line need no mention beside it.
    if (own === undefined) for (const name of namesStatedIn(item.text)) this.#named.add(name);
    if (extra !== undefined) this.#named.add(extra.text);
    if (own === undefined) this.chosen.set(item, extra === undefined ? [] : [extra]);
    else if (extra !== undefined) own.push(extra);
  }

  #isTold(item: Item): boolean {
    return [...this.chosen.keys()].some((one) => repeats(item, one));
  }

  /** The user's last words stay their own line: in a command's they would pass for the agent's. */
  #takeIn(item: Item): void {
    for (const one of [...this.chosen.keys()]) {
      if (one.sure || !repeats(one, item)) continue;
      this.chosen.delete(one);
      this.left += this.#lengths.get(one)!;
    }
  }
}
