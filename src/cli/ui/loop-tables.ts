import type { contextOf, iterationData } from '../../loop/of-project.ts';
import { leftText } from '../../projections/folds/loops.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { cutTo } from './columns.ts';
import { plural } from './format.ts';
import { tookOf } from './loops.ts';
import { table } from './table.ts';
import type { Colours } from './terminal.ts';

type Row = ReturnType<typeof iterationData>;

const CHECKS_WIDTH = 30;
const HEADS = '>#,session,>peak,>tokens,>$,todos,tree,checks,in → out,ended'.split(',');
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
  const { n, session, handoffIn, handoffOut } = row;
  const { peak = NONE, tokens = NONE, usd = NONE, todos = NONE, checks } = tookOf(row);
  const tree = (hash: string | null) => hash?.slice(0, 4) ?? NONE;
  return [
    String(n),
    session === null ? NONE : `${oneLine(session).slice(0, 4)}…`,
    ...[peak, tokens, usd, todos],
    `${tree(row.treeBefore)}→${tree(row.treeAfter)}`,
    // What is cut off has passed.
    cutTo(checks.join(', ') || NONE, CHECKS_WIDTH),
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
  const limits = [plural(left.max, 'iteration'), leftText(left)].filter(Boolean);
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
