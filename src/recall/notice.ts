import type { Item } from './item.ts';

/** What people look for first; the rest is counted together. */
const NAMED: readonly [one: string, many: string, is: (item: Item) => boolean][] = [
  ['rule', 'rules', ({ kind }) => kind === 'rule'],
  [
    'open task',
    'open tasks',
    ({ kind, text }) => kind === 'task' && !/^\[(?:done|gone)\]/.test(text),
  ],
  ['failure', 'failures', ({ kind }) => kind === 'error'],
  ['file changed on disk', 'files changed on disk', ({ kind }) => kind === 'disk'],
];

/** What was given back, in few words: `6 rules`, `1 open task`, `20 more`. */
export function countsOf(items: readonly Item[]): string[] {
  const counts = NAMED.map(([one, many, is]): [number, string, string] => [
    items.filter(is).length,
    one,
    many,
  ]);
  const named = counts.flatMap(([n, one, many]) => (n === 0 ? [] : `${n} ${n === 1 ? one : many}`));
  const rest = items.length - counts.reduce((sum, [n]) => sum + n, 0);
  const more = named.length > 0 ? 'more' : rest === 1 ? 'item' : 'items';
  return rest === 0 ? named : [...named, `${rest} ${more}`];
}
