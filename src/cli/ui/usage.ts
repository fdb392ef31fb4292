import { tokenCount } from '../../projections/message-usage.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { PRICES_AS_OF } from '../../usage/prices.ts';
import type { Group, Sum, Usage } from '../../usage/tally.ts';
import { cutTo, pad, padLeft } from './columns.ts';
import { plural, short } from './format.ts';
import type { Colours } from './terminal.ts';

interface Layout {
  width: number;
  colours: Colours;
  /** First prompts, by session. */
  titles: ReadonlyMap<string, string>;
  limit: number;
}

const HEADS = ['cost', 'tokens', 'in', 'out', 'to cache', 'from cache'];
const ID_CHARS = 8;
const NAME_WIDTH = 36;
/** Where there is less room, there is no bar. */
const BAR_MIN = 6;
const BAR_MAX = 20;

/** A table for each group, and the total with what it leaves out. */
export function usageLines(usage: Usage, groups: readonly Group[], layout: Layout): string[] {
  const { bold, dim } = layout.colours;
  const tables = groups.flatMap((group) => [...table(usage, group, layout), '']);
  const { total, unpriced } = usage;
  const without =
    unpriced.length === 0
      ? ''
      : `, without ${short(total.unpriced)} tokens of ${unpriced.map(oneLine).join(', ')}: no price`;
  const said = `Total: ${money(total)}, ${short(tokenCount(total.tokens))} tokens in ${plural(total.messages, 'message')}`;
  return [
    ...tables,
    bold(said) + without,
    dim(`At the API's list prices of ${PRICES_AS_OF}; your plan may differ.`),
  ];
}

function table({ by }: Usage, group: Group, layout: Layout): string[] {
  const { width, colours, titles, limit } = layout;
  const all = by[group];
  // Days are in order: the newest are last.
  const rows = all.slice(...(group === 'day' ? [Math.max(0, all.length - limit)] : [0, limit]));
  const left = all.length - rows.length;
  const names = rows.map(({ key }) =>
    group === 'session' ? key.slice(0, ID_CHARS) : oneLine(key),
  );
  const cells = rows.map(({ sum }) => cellsOf(sum));
  const sizes = HEADS.map((head, n) =>
    Math.max(head.length, ...cells.map((row) => row[n]!.length)),
  );
  const name = Math.min(NAME_WIDTH, Math.max(group.length, ...names.map((one) => one.length)));
  // A narrow terminal does without the kinds of tokens.
  const widthOf = (count: number) =>
    name + sizes.slice(0, count).reduce((sum, size) => sum + size + 2, 0);
  const count = [HEADS.length, 2, 1].find((one) => widthOf(one) <= width) ?? 1;
  const line = (first: string, row: readonly string[]) =>
    [
      pad(cutTo(first, name), name),
      ...row.slice(0, count).map((cell, n) => padLeft(cell, sizes[n]!)),
    ].join('  ');
  const room = width - widthOf(count) - 2;
  const most = Math.max(...rows.map(({ sum }) => worth(sum)));
  const beside = rows.map(({ key, sum: used }) => {
    if (group === 'session')
      return room < BAR_MIN ? '' : cutTo(oneLine(titles.get(key) ?? ''), room);
    const bar =
      room < BAR_MIN || most === 0 ? 0 : Math.round((worth(used) / most) * Math.min(room, BAR_MAX));
    return colours.cyan('█'.repeat(bar));
  });
  return [
    colours.dim(line(group, HEADS)),
    ...rows.map((_, n) => `${line(names[n]!, cells[n]!)}  ${beside[n]}`.trimEnd()),
    ...(left > 0 ? [colours.dim(`${left} more with --by ${group}`)] : []),
  ];
}

/** Bars are of money where there is some. */
const worth = ({ cost, tokens }: Sum): number => cost ?? tokenCount(tokens) / 1e9;

const cellsOf = (sum: Sum): string[] => {
  const { input, output, cacheWrite, cacheRead } = sum.tokens;
  const all = tokenCount(sum.tokens);
  return [money(sum), ...[all, input, output, cacheWrite, cacheRead].map(short)];
};

/** With + where a part has no price. */
const money = ({ cost, unpriced }: Sum): string =>
  cost === null
    ? 'no price'
    : `${cost > 0 && cost < 0.005 ? '<$0.01' : `$${cost.toFixed(2)}`}${unpriced > 0 ? '+' : ''}`;
