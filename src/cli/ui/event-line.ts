import type { LogLine } from '../../log/joined.ts';
import { outcomeOf, summaryOf } from '../../log/summary.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { columnsOf, cutTo, pad, padLeft } from './columns.ts';
import { SHORT_TIME_WIDTH, shortTime } from './format.ts';
import type { Colours } from './terminal.ts';

/** Longer seqs push their line to the right. */
const SEQ_WIDTH = 5;
/** Enough of a session's id for --session. */
const SESSION_WIDTH = 6;
/** `checkpoint.created`, `compaction.finished`. */
const TYPE_WIDTH = 19;

/** Least width of the summary; a narrow terminal drops other columns first. */
const ABOUT_WIDTH = 24;

/** Seq, time, session, type and summary; without session and time in a narrow terminal. A call's type is that of its outcome. */
export function eventLine(
  { event, outcome }: LogLine,
  layout: { width: number; now: number; colours: Colours },
): string {
  const { width, now, colours } = layout;
  const seq = padLeft(event.waiting === true ? 'inbox' : String(event.seq), SEQ_WIDTH);
  const time = pad(shortTime(event.at, now), SHORT_TIME_WIDTH);
  const session = pad(oneLine(event.session ?? '-').slice(0, SESSION_WIDTH), SESSION_WIDTH);
  const type = pad(oneLine((outcome ?? event).type), TYPE_WIDTH);
  const about =
    event.agent === null ? summaryOf(event) : `${agentMark(event.agent)} ${summaryOf(event)}`;
  const end = outcome === undefined ? '' : ` → ${outcomeOf(outcome, event)}`;
  const heads = [[seq, time, session], [seq, time], [seq]].map((parts) => parts.join('  '));
  const roomBeside = (head: string) => width - columnsOf(`${head}  ${type}  `);
  const head = heads.find((one) => roomBeside(one) >= ABOUT_WIDTH) ?? seq;
  const paint = typePaint(type.trimEnd(), colours);
  const room = Math.max(roomBeside(head), 1);
  // A long call leaves half of the room to its outcome.
  const call = cutTo(about, Math.max(room - columnsOf(end), end === '' ? room : room >> 1));
  const line = `${colours.dim(head)}  ${paint(type)}  ${cutTo(`${call}${end}`, room)}`;
  return line.trimEnd();
}

const agentMark = (agent: string): string => `[agent ${oneLine(agent).slice(0, 6)}]`;

function typePaint(type: string, colours: Colours): (text: string) => string {
  if (type === 'tool.failed' || type === 'journal.repaired') return colours.red;
  if (type === 'prompt.submitted') return colours.green;
  if (type.startsWith('tool.')) return colours.cyan;
  if (type.startsWith('compaction.') || type.startsWith('session.')) return colours.magenta;
  return colours.dim;
}
