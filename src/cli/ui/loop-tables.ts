import type { contextOf, iterationData } from '../../loop/of-project.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { cutTo } from './columns.ts';
import { count, plural, short } from './format.ts';
import { table } from './table.ts';
import type { Colours } from './terminal.ts';

type Row = ReturnType<typeof iterationData>;

const CHECKS_WIDTH = 30;
const HEADS = [
  '>#',
  'session',
  '>peak',
  '>tokens',
  '>$',
  'todos',
  'tree',
  'checks',
  'in → out',
  'ended',
];
const NONE = '–';

/** One line for each iteration, in columns. */
export function ledgerLines(rows: readonly Row[], colours: Colours): string[] {
  if (rows.length === 0) return ['No iteration yet.'];
  return table(HEADS, rows.map(cellsOf)).map((line, at) =>
    at === 0 ? colours.bold(line) : colourOf(rows[at - 1]!, colours)(line),
  );
}

const colourOf = ({ outcome, checks }: Row, colours: Colours) =>
  outcome === 'client-error' || checks.some(({ isPassed }) => !isPassed)
    ? colours.yellow
    : (line: string) => line;

function cellsOf(row: Row): string[] {
  const { n, session, peak, tokens, costUsd, todos, checks, handoffIn, handoffOut } = row;
  const tree = (hash: string | null) => hash?.slice(0, 4) ?? NONE;
  // What is cut off has passed.
  const checked = checks
    .toSorted((a, b) => Number(a.isPassed) - Number(b.isPassed))
    .map(({ command, isPassed }) => `${isPassed ? '✓' : '✗'} ${oneLine(command)}`);
  return [
    String(n),
    session === null ? NONE : `${oneLine(session).slice(0, 4)}…`,
    peak === null ? NONE : `${Math.round(peak)}%`,
    tokens === null ? NONE : short(tokens),
    costUsd === null ? NONE : costUsd.toFixed(2),
    todos === null ? NONE : `${todos.done}/${todos.all}`,
    `${tree(row.treeBefore)}→${tree(row.treeAfter)}`,
    cutTo(checked.join(', ') || NONE, CHECKS_WIDTH),
    handoffIn === null && handoffOut === null
      ? NONE
      : `${handoffIn ?? NONE} → ${handoffOut ?? NONE}`,
    endedText(row),
  ];
}

function endedText({ outcome, level, isPromised }: Row): string {
  if (outcome === null) return 'at work';
  if (outcome === 'checkpoint' && level !== null) return `${level} checkpoint`;
  return `${outcome.replace('-', ' ')}${isPromised ? ', promised' : ''}`;
}

/** How full it is, one line for each iteration, and what is left. */
export function contextLines(found: ReturnType<typeof contextOf>, colours: Colours): string[] {
  const { percent, level, forecast, iterations, left } = found;
  const limits = [
    plural(left.max, 'iteration'),
    ...(left.usd === null ? [] : [`$${left.usd.toFixed(2)}`]),
    ...(left.tokens === null ? [] : [`${count(left.tokens)} tokens`]),
    ...(left.minutes === null ? [] : [`${Math.round(left.minutes)} min`]),
  ];
  const soon = forecast && `; ${forecast.to} in about ${Math.round(forecast.minutes)} min`;
  return [
    percent === null
      ? 'No context is known of a session at work.'
      : `Context at ${percent}%, ${level}${soon ?? ''}`,
    ...iterations.map(({ n, peak, checkpoint }) => {
      const full = peak === null ? NONE : `${Math.round(peak)}%`;
      const line = `  ${n}  peak ${full}${checkpoint ? ', checkpoint' : ''}`;
      return checkpoint ? colours.yellow(line) : line;
    }),
    `Left: ${limits.join(', ')}. As it went so far, that is ${plural(left.iterations, 'iteration')} (${LIMITS[left.first]}).`,
  ];
}

const LIMITS: Readonly<Record<string, string>> = {
  max: '--max',
  usd: '--budget-usd',
  tokens: '--budget-tokens',
  minutes: '--minutes',
};
