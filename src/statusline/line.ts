import { levelOf, type Thresholds } from '../monitor/levels.ts';
import type { Payload, Sample } from '../monitor/payload.ts';
import type { MonitorView } from '../monitor/view.ts';
import { oneLine } from '../projections/safe-text.ts';

export const STYLES = ['brackets', 'plain', 'powerline'] as const;

/** What a line shows: the client's numbers, and what is known of the session. */
export interface Shown {
  payload: Payload;
  view: MonitorView | undefined;
  /** Percent at which the levels begin, where nothing is known of the session. */
  levels: Thresholds;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface Look {
  style: (typeof STYLES)[number];
  /** In this order; by default those that matter at the level. */
  segments?: readonly Segment[] | undefined;
  /** Columns. */
  width: number;
  isColoured: boolean;
  /** Only characters that every terminal has. */
  isAscii: boolean;
}

type Level = MonitorView['level'];
type Text = (shown: Shown, level: Level) => string | null | undefined;

const CELLS = 10;
const NAME_CHARS_MAX = 40;
/** Below these widths there are only numbers. */
const NARROW = 60;
const TINY = 30;
const COLOURS = { L0: '32', L1: '33', L2: '35', L3: '1;31' };
const MARKS = { L0: '', L1: ' ⚠️ L1', L2: ' 🔶 L2', L3: ' 🔴 L3' };
const ASCII: Readonly<Record<string, string>> = {
  '█': '#',
  '░': '-',
  '–': '-',
  '·': '|',
  '→': '->',
  '\ue0b0': '>',
  '⚠': '!',
  '🔶': '!!',
  '🔴': '!!!',
  '\ufe0f': '',
};
/** Two columns each, but for what is known to be narrow. */
const WIDE = /[^\x20-\x7e█░–·→…\ue0b0]/gu;

const TEXTS = {
  ctx: ({ payload }, level) => `${bar(payload)} ${percentText(payload)}${MARKS[level]}`,
  issue: ({ view }) => view?.issue && nameText(view.issue),
  phase: ({ view }) => view?.phase && nameText(view.phase),
  ckpt: checkpointText,
  loop: ({ view }) =>
    view?.loop && `${view.loop.n}/${view.loop.max} · ${view.loop.checkpoints} ckpt`,
  forecast: ({ view }) => forecastText(view, true),
  compacts: compactsText,
  cost: ({ payload }) => costText(payload.sample.costUsd),
  limits: ({ payload }) => payload.sample.limits && limitsText(payload.sample.limits),
  model: ({ payload }) => payload.modelName && nameText(payload.modelName),
} satisfies Record<string, Text>;

export type Segment = keyof typeof TEXTS;
export const SEGMENTS = Object.keys(TEXTS) as Segment[];
const ALWAYS: readonly Segment[] = ['ctx', 'issue', 'phase', 'ckpt', 'loop'];

/** Of the number that is shown, so that 70 % is never L0. */
export const levelShown = ({ payload, view, levels }: Shown): Level =>
  levelOf(payload.sample.percent, view ?? levels, 'L0');

interface Part {
  text: string;
  /** What stands between it and the next one. */
  after: string;
}

/** One line. What has no room goes from the right, whole segments. */
export function statusLine(shown: Shown, look: Look): string {
  const level = levelShown(shown);
  const isNarrow = look.segments === undefined && look.width < NARROW;
  const parts = isNarrow ? narrowParts(shown, level, look.width) : wideParts(shown, level, look);
  while (parts.length > 1 && columnsOf(joined(parts)) > look.width) parts.pop();
  if (look.isAscii) return joined(parts).replace(/[^\x20-\x7e]/gu, (one) => ASCII[one] ?? '?');
  if (look.isColoured) parts[0]!.text = `\x1b[${COLOURS[level]}m${parts[0]!.text}\x1b[0m`;
  return joined(parts);
}

const joined = (parts: readonly Part[]): string =>
  parts.map(({ text, after }, n) => (n === parts.length - 1 ? text : text + after)).join('');

const columnsOf = (text: string): number =>
  text.replaceAll('\ufe0f', '').replace(WIDE, '??').length;

function wideParts(shown: Shown, level: Level, { style, segments }: Look): Part[] {
  const told = segments === undefined ? adviceText(shown, level) : undefined;
  const parts = (segments ?? [...ALWAYS, ...(told === undefined ? usual(level) : [])]).flatMap(
    (name): Part[] => {
      const text = (TEXTS[name] as Text)(shown, level);
      if (!text) return [];
      const isBracketed = style === 'brackets' && ALWAYS.includes(name);
      if (isBracketed) return [{ text: `[${name.toUpperCase()}: ${text}]`, after: ' ' }];
      return [{ text, after: style === 'powerline' ? ' \ue0b0 ' : ' · ' }];
    },
  );
  return told === undefined ? parts : [...parts, { text: told, after: '' }];
}

/** What else matters at a level, where nothing is to be done. */
const usual = (level: Level): Segment[] =>
  level === 'L0' ? ['forecast', 'cost', 'model'] : ['forecast', 'compacts', 'cost'];

function narrowParts(shown: Shown, level: Level, width: number): Part[] {
  const percent = `${percentText(shown.payload)}${level === 'L0' ? '' : ` ${level}`}`;
  const more = [TEXTS.issue(shown), forecastText(shown.view, false)];
  return [percent, ...(width < TINY ? [] : more)].flatMap((text) =>
    text ? [{ text, after: ' · ' }] : [],
  );
}

function adviceText({ view }: Shown, level: Level): string | undefined {
  const { state, handoff } = view?.checkpoint ?? {};
  if (state === 'ready' && handoff) return `${nameText(handoff)} → /clear, /orient`;
  return level === 'L3' ? 'hand off now' : undefined;
}

function bar({ sample: { percent } }: Payload): string {
  const filled = Math.round(Math.min(100, percent ?? 0) / (100 / CELLS));
  return '█'.repeat(filled) + '░'.repeat(CELLS - filled);
}

export const percentText = ({ sample: { percent, isRough } }: Payload): string =>
  percent === null ? '--%' : `${isRough ? '~' : ''}${percent}%`;

export function checkpointText({ view, now }: Pick<Shown, 'view' | 'now'>): string | undefined {
  if (view === undefined) return undefined;
  const { state, at } = view.checkpoint;
  const taken = at === null ? 'taken' : `${minutesText((now - at) / 60_000)} ago`;
  return { none: '–', taken, due: 'Due', ready: 'Ready', deferred: 'Deferred' }[state];
}

export function forecastText(
  view: MonitorView | undefined,
  withRange: boolean,
): string | undefined {
  if (!view?.forecast) return undefined;
  const { to, minutes, low, high } = view.forecast;
  const inHours = minutes >= 120;
  const scaled = (value: number) => Math.round(value / (inHours ? 60 : 1));
  const range = withRange ? ` (${scaled(low)}–${scaled(high)})` : '';
  return `${to === 'compaction' ? 'compacts' : to} ~${scaled(minutes)}${inHours ? 'h' : 'm'}${range}`;
}

export function compactsText({ view }: Pick<Shown, 'view'>): string | undefined {
  if (!view?.compactAt) return undefined;
  const { compactAt, window, isCompactKnown } = view;
  return `compacts ${isCompactKnown ? '' : '~'}${Math.round((100 * compactAt) / window)}%`;
}

/** `5h 24% · 7d 41%` */
export const limitsText = ({ fiveHour, sevenDay }: NonNullable<Sample['limits']>): string =>
  [fiveHour && `5h ${fiveHour.percent}%`, sevenDay && `7d ${sevenDay.percent}%`]
    .filter(Boolean)
    .join(' · ');

export const costText = (usd: number | undefined): string | undefined =>
  usd === undefined ? undefined : `$${usd.toFixed(2)}`;

function minutesText(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole < 120) return `${whole}m`;
  return whole < 2880 ? `${Math.round(whole / 60)}h` : `${Math.round(whole / 1440)}d`;
}

/** Names come from outside. Most need no cleaning, whose expressions take long to compile. */
export const nameText = (name: string): string =>
  [...(/^[\x20-\x7e]*$/.test(name) ? name : oneLine(name))].slice(0, NAME_CHARS_MAX).join('');
