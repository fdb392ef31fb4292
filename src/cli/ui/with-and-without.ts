import { headOf } from '../../projections/bounds.ts';
import { oneLine } from '../../projections/safe-text.ts';
import type { Example, WithAndWithout } from '../../recall/with-and-without.ts';
import { pad } from './columns.ts';
import { fold } from './fold.ts';
import { count, plural } from './format.ts';
import type { Colours } from './terminal.ts';

/** In a narrower terminal the two stand below each other. */
const SIDE_BY_SIDE = 76;
/** Of a quoted line of the summary. */
const QUOTE_CHARS = 130;
const GAP = ' │ ';

type Paint = (text: string) => string;
interface Cell {
  text: string;
  paint: Paint;
}
type Pair = [without: Cell, withBen10: Cell];

/** A compaction without ben10 and with it, side by side where there is room. */
export function withAndWithoutLines(
  account: WithAndWithout,
  width: number,
  colours: Colours,
): string[] {
  const { tokensBefore, tokensAfter, summaryChars, givenChars, held, kept, back } = account;
  const { bold, red, green } = colours;
  const plain: Paint = (text) => text;
  const head: Pair[] = [
    [
      { text: 'WITHOUT BEN10', paint: bold },
      { text: 'WITH BEN10', paint: bold },
    ],
    [
      { text: `The client’s summary: ${count(summaryChars)} characters.`, paint: plain },
      { text: `The same, and ${count(givenChars)} characters from the journal.`, paint: plain },
    ],
    [
      { text: `It has ${kept} of ${plural(held, 'fact')}.`, paint: red },
      { text: `They have ${back} of ${plural(held, 'fact')}.`, paint: green },
    ],
    [
      { text: '', paint: plain },
      { text: '', paint: plain },
    ],
  ];
  const rows = account.examples.map(
    (one): Pair => [
      { text: withoutText(one), paint: red },
      { text: `✓ ${oneLine(one.text)} @${one.seq}`, paint: green },
    ],
  );
  const shrinks =
    tokensBefore === null || tokensAfter === null
      ? []
      : [`The client cut the context from ${count(tokensBefore)} tokens to ${count(tokensAfter)}.`];
  const body =
    width >= SIDE_BY_SIDE
      ? sideBySide([...head, ...rows], width)
      : below([...head, ...rows], width);
  return [...shrinks, '', ...body];
}

const withoutText = ({ kind, closest }: Example): string => {
  const line =
    closest === undefined
      ? 'no line like it'
      : `the closest line is “${headOf(oneLine(closest), QUOTE_CHARS)}”`;
  return `✗ ${kind}: ${line}`;
};

function sideBySide(pairs: readonly Pair[], width: number): string[] {
  const column = Math.floor((width - GAP.length) / 2);
  return pairs.flatMap(([left, right]) => {
    const [a, b] = [cellLines(left, column), cellLines(right, column)];
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => {
      const painted = left.paint(pad(a[index] ?? '', column));
      return `${painted}${GAP}${right.paint(b[index] ?? '')}`.trimEnd();
    });
  });
}

function below(pairs: readonly Pair[], width: number): string[] {
  const painted = (cell: Cell) => cellLines(cell, width).map((line) => cell.paint(line));
  const without = pairs.flatMap(([cell]) => painted(cell));
  return [...without, '', ...pairs.flatMap(([, cell]) => painted(cell))];
}

/** What follows a mark is indented. */
const cellLines = ({ text }: Cell, width: number): string[] =>
  fold(text, width, /^[✓✗] /.test(text) ? '  ' : '');
