import { FENCE, featuresOf, type Item, openIn, plainTokens } from './size.ts';

/** A part of a text that fits into a session. */
export interface Shard {
  title: string;
  items: Item[];
  tokens: number;
}

/** Of the window: what one shard should take. */
export const SHARE_OF_SHARD = 0.3;
export const SHARDS_MAX = 50;

/**
 * Cuts the open items of a text, in their order, into parts of about the same size.
 * @param tokens of the whole text
 * @param into how many; by default as many as leave each below 30 % of the window
 * @param bytesOf a file's size, or undefined if it is not there
 */
export function shardsOf(
  text: string,
  tokens: number,
  { window, into, bytesOf }: { window: number; into?: number | undefined; bytesOf: BytesOf },
): Shard[] {
  const items = openIn(text);
  if (items.length === 0) return [];
  const wanted = into ?? Math.ceil(tokens / (SHARE_OF_SHARD * window));
  const count = Math.min(Math.max(1, wanted), items.length, SHARDS_MAX);
  const sizes = items.map(({ lines }) =>
    plainTokens({ ...featuresOf(lines.join('\n'), bytesOf), items: 1 }),
  );
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const shards: Shard[] = [];
  let [at, before] = [0, 0];
  for (let n = 1; n <= count; n += 1) {
    // Each leaves one for those behind it, and ends where it is nearest to its share.
    const most = items.length - (count - n);
    let [to, size] = [at, 0];
    while (
      to < most &&
      (to === at || n === count || before + size + sizes[to]! / 2 <= (whole * n) / count)
    )
      size += sizes[to++]!;
    const own = items.slice(at, to);
    shards.push({ title: titleOf(own), items: own, tokens: Math.round((tokens * size) / whole) });
    [at, before] = [to, before + size];
  }
  return shards;
}

/** As surfaces tell it: with its items' titles. */
export const toldOf = ({ title, tokens, items }: Shard) => ({
  ...{ title, tokens },
  items: items.map((one) => one.title),
});

type BytesOf = (file: string) => number | undefined;

/** The headings of its first and last item, or that item. */
function titleOf(items: readonly Item[]): string {
  const [first, last] = [items[0]!, items.at(-1)!];
  const name = ({ heading, title }: Item) => (heading || title).slice(0, 80);
  return name(first) === name(last) ? name(first) : `${name(first)} to ${name(last)}`;
}

/** A shard as a file of its own: its items word for word, below their headings. */
export function shardText(shards: readonly Shard[], index: number, source: string): string {
  const { title, items } = shards[index]!;
  const number = `Shard ${index + 1} of ${shards.length}`;
  const before = shards.slice(0, index).reduce((sum, shard) => sum + shard.items.length, 0);
  const all = shards.reduce((sum, shard) => sum + shard.items.length, 0);
  const parts = [
    `# ${title}`,
    '',
    `${number} of ${source}: items ${before + 1} to ${before + items.length} of ${all}. The others are not part of this task.`,
  ];
  let [heading, head]: [string, Item['head']] = ['', undefined];
  for (const item of items) {
    if (item.heading !== '' && item.heading !== heading) parts.push('', `## ${item.heading}`, '');
    if (item.head !== head) parts.push(...(item.head ?? []));
    ({ heading, head } = item);
    parts.push(fenced(item));
  }
  return `${parts.join('\n')}\n`;
}

/** What stood in a block of code, which others may share, has one of its own; who stands before it leaves its begin behind. */
function fenced({ isCode, lines }: Item): string {
  const fences = lines.flatMap((line, at) => (FENCE.test(line) ? [at] : []));
  const end = fences.length % 2 === 0 ? lines.length : fences.at(-1)!;
  if (isCode !== true) return lines.slice(0, end).join('\n').trimEnd();
  const inner = lines.filter((line) => !FENCE.test(line));
  return ['```', inner.join('\n').trimEnd(), '```'].join('\n');
}
