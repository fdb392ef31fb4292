import { oneLine } from '../../projections/safe-text.ts';
import { serverText } from '../../status/servers.ts';
import type { ContextStatus } from '../../status/status.ts';
import { facts } from './facts.ts';
import { bytes, count, dateTime, duration, plural } from './format.ts';
import type { Colours } from './terminal.ts';
import { wrap } from './wrap.ts';

export type StatusColours = Pick<Colours, 'green' | 'yellow' | 'red' | 'bold'>;

export function statusLines(found: ContextStatus, colours: StatusColours): string[] {
  const { directory, health, warnings } = found;
  const { green, yellow, red, bold } = colours;
  const paint = { good: green, warning: yellow, error: red }[health];
  const head = `${bold(oneLine(directory))}  ${paint(health)}`;
  const notes = warnings.map((warning) => yellow(wrap(`! ${oneLine(warning)}`)));
  return [head, ...(found.exists ? ['', ...facts(rowsOf(found))] : []), ...spaced(notes)];
}

const spaced = (lines: string[]): string[] => (lines.length === 0 ? [] : ['', ...lines]);

function rowsOf(found: ContextStatus): [string, string][] {
  const { journal, cost } = found;
  const events = `${plural(journal.events, 'event')}, the newest is @${journal.lastSeq}`;
  const size = `${bytes(journal.bytes)} in ${plural(journal.segments, 'segment')}`;
  return [
    ['journal', `${events}; ${size}`],
    ...(journal.inbox === 0
      ? []
      : [['waiting', plural(journal.inbox, 'append')] as [string, string]]),
    ['sessions', count(found.sessionCount)],
    [
      'last session',
      `${plural(found.messageCount, 'message')}, ${plural(found.tokenCount, 'token')} in its context, ` +
        plural(found.trackedFiles, 'file'),
    ],
    ...cutOffRow(found),
    ['last saved', dateTime(found.lastSaved)],
    ['disk', bytes(cost.bytes)],
    ['hooks', hooksText(cost)],
    ['MCP server', serverText(found.servers)],
    ['given to the agent', injectedText(cost)],
  ];
}

const injectedText = ({ injectedTokens, injectedChars }: ContextStatus['cost']): string =>
  injectedChars === 0
    ? 'nothing yet'
    : `about ${plural(injectedTokens, 'token')} in ${plural(injectedChars, 'character')}`;

function hooksText(cost: ContextStatus['cost']): string {
  const { hookCalls, hookMs, hookP95Ms, slowHooks, slowest } = cost;
  const times =
    hookMs === null || hookP95Ms === null
      ? 'none measured yet; to measure one: ben10 doctor'
      : `${plural(hookCalls, 'call')}, median ${duration(hookMs)}, p95 ${duration(hookP95Ms)}`;
  if (slowest === null) return times;
  const most = `the slowest ${duration(slowest.ms)} (${oneLine(slowest.event)})`;
  return `${times}; ${slowHooks} took over 1 s in all, ${most}`;
}

function cutOffRow({ cutOff }: ContextStatus): [string, string][] {
  if (cutOff === null) return [];
  const id = oneLine(cutOff.session).slice(0, 8);
  return [
    [
      'cut off',
      `session ${id} at ${dateTime(cutOff.at)} (or still open elsewhere); recovered up to @${cutOff.seq}`,
    ],
  ];
}
