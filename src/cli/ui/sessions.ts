import { type Tokens, tokenCount } from '../../projections/message-usage.ts';
import { oneLine, withVisible } from '../../projections/safe-text.ts';
import type { SessionAccount, SessionCommand } from '../../timetravel/session-account.ts';
import { cutTo, pad, padLeft } from './columns.ts';
import { dateTime, duration, plural, short, shortTime } from './format.ts';
import type { Colours } from './terminal.ts';

interface Layout {
  width: number;
  now: number;
  colours: Colours;
}

/** Enough for `show`, in most projects. */
const ID_CHARS = 8;
/** Least room for the prompt; a narrow terminal drops columns first. */
const PROMPT_WIDTH = 24;
const BRANCH_WIDTH = 20;

/** One line of `sessions --json`. Names and order of the keys are stable. */
export function listedSession(one: SessionAccount): object {
  const { session, client, title, branch, firstAt, lastAt, end, starts, calls, tokens } = one;
  return {
    ...{ session, client, title, branch, firstAt, lastAt, end, starts },
    prompts: one.prompts.length,
    calls,
    commands: one.commandCount,
    files: one.files.length,
    agents: one.agents.length,
    compactions: one.compactions.length,
    tokens,
  };
}

interface Column {
  head: string;
  cell: (one: SessionAccount, now: number) => string;
  isNumber?: true;
  /** The lowest goes first where there is no room. */
  rank: number;
}

const COLUMNS: readonly Column[] = [
  { head: 'session', cell: ({ session }) => oneLine(session).slice(0, ID_CHARS), rank: 9 },
  { head: 'active', cell: ({ lastAt }, now) => shortTime(lastAt, now), rank: 8 },
  { head: 'long', cell: ({ firstAt, lastAt }) => duration(lastAt - firstAt), rank: 3 },
  { head: 'files', cell: ({ files }) => short(files.length), isNumber: true, rank: 5 },
  { head: 'commands', cell: ({ commandCount }) => short(commandCount), isNumber: true, rank: 2 },
  { head: 'tokens', cell: ({ tokens }) => short(tokenCount(tokens)), isNumber: true, rank: 4 },
  { head: 'branch', cell: ({ branch }) => cutTo(oneLine(branch ?? '-'), BRANCH_WIDTH), rank: 1 },
  { head: 'end', cell: ({ end }) => end.how, rank: 6 },
];

export function sessionTable(
  sessions: readonly SessionAccount[],
  { width, now, colours }: Layout,
): string[] {
  const filled = COLUMNS.map((column) => {
    const cells = sessions.map((one) => column.cell(one, now));
    const size = Math.max(...[column.head, ...cells].map((cell) => cell.length));
    const align = column.isNumber === true ? padLeft : pad;
    return { ...column, lines: [column.head, ...cells].map((cell) => align(cell, size)), size };
  });
  const room = () => width - filled.reduce((sum, { size }) => sum + size + 2, 0);
  while (room() < PROMPT_WIDTH && filled.length > 1) {
    const least = filled.reduce((low, one) => (one.rank < low.rank ? one : low));
    filled.splice(filled.indexOf(least), 1);
  }
  const prompts = ['first prompt', ...sessions.map(({ title }) => oneLine(title) || '-')];
  return prompts.map((prompt, n) => {
    const line = [...filled.map(({ lines }) => lines[n]), cutTo(prompt, room())].join('  ');
    return n === 0 ? colours.dim(line) : line;
  });
}

const ENDS = {
  ended: 'ended',
  running: 'still running',
  'cut off': 'cut off: no end was recorded',
  unknown: 'unknown: a transcript does not say it',
} as const;

/** All that is known of one, its lists cut to the newest. */
export function sessionLines(one: SessionAccount, limit: number, layout: Layout): string[] {
  const { width, now, colours } = layout;
  const { end, firstAt, lastAt, agents, starts } = one;
  const why = end.reason === null ? '' : ` (${oneLine(end.reason).replaceAll('_', ' ')})`;
  const facts = [
    ['Session', oneLine(one.session)],
    ['Time', `${dateTime(firstAt)} to ${dateTime(lastAt)}, ${duration(lastAt - firstAt)}`],
    ['End', `${ENDS[end.how]}${why}`],
    ...(starts > 1 ? [['Starts', `${starts}, resumed ones included`]] : []),
    ['Branch', oneLine(one.branch ?? '-')],
    ['Work', [plural(one.calls, 'call'), plural(agents.length, 'sub-agent')].join(', ')],
  ].map(([name = '', text = '']) => `${pad(name, 9)}${text}`);
  const list = (title: string, all: number, rows: readonly string[]): string[] => {
    if (all === 0) return [];
    const kept = rows.slice(Math.max(0, rows.length - limit));
    const left = all - kept.length;
    const more = left > 0 ? colours.dim(`  … ${left} earlier; to see all: --limit 0`) : '';
    const lines = kept.map((row) => cutTo(`  ${row}`, width));
    return ['', colours.bold(`${title} (${all})`), ...(more === '' ? [] : [more]), ...lines];
  };
  const { prompts, files, commands, compactions, models } = one;
  const moment = ({ seq, at }: { seq: number; at: number }) => `@${seq}  ${shortTime(at, now)}`;
  return [
    ...facts,
    ...list(
      'Prompts',
      prompts.length,
      prompts.map((it) => `${moment(it)}  ${oneLine(it.text)}`),
    ),
    ...list(
      'Changed files',
      files.length,
      files.map(({ path, changes }) => `${plural(changes, 'change')}  ${withVisible(path)}`),
    ),
    ...list(
      'Commands',
      one.commandCount,
      commands.map((it) => `${moment(it)}  ${commandText(it)}`),
    ),
    ...list(
      'Compactions',
      compactions.length,
      compactions.map((it) => `${moment(it)}  ${shrunk(it)}`),
    ),
    ...list(
      'Tokens',
      Object.keys(models).length,
      Object.entries(models).map(([model, tokens]) => `${oneLine(model)}: ${tokensText(tokens)}`),
    ),
  ];
}

function commandText({ command, outcome, exitCode, line, agent }: SessionCommand): string {
  const word = outcome === 'passed' ? 'ok' : outcome;
  const said = outcome === 'open' ? 'no outcome' : word;
  const isTold = exitCode !== null && (exitCode !== 0 || word !== 'ok');
  const exit = isTold ? `, exit ${exitCode}` : '';
  const by = agent === null ? '' : `[agent ${oneLine(agent).slice(0, 6)}] `;
  return `${by}${oneLine(command)} → ${said}${exit}${line === '' ? '' : `: ${oneLine(line)}`}`;
}

const shrunk = ({ from, to }: SessionAccount['compactions'][number]): string =>
  from === null ? '' : `from ${short(from)}${to === null ? '' : ` to ${short(to)}`} tokens`;

const tokensText = ({ input, output, cacheWrite, cacheRead }: Tokens): string =>
  `${short(input)} in, ${short(output)} out, ${short(cacheWrite)} to cache, ${short(cacheRead)} from cache`;
