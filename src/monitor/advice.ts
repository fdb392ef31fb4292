import type { Level } from '../events/types.ts';
import { contained, oneLine } from '../projections/safe-text.ts';
import { TRACKERS } from './issue.ts';
import type { MonitorView } from './view.ts';

const CHARS_MAX = 600;

export const tagOf = (level: Level): string => `ben10-context-${level}`;

/** A client that does not wait for its hooks gives the text one request late, which may be behind a `/clear`. */
const VOID = 'Void if the context was cleared since.';

/** What the model is told at a level, in a frame that names it: facts, and what may be done. */
export function alertText(view: MonitorView, level: Level, tracker = 'none'): string {
  const { issue } = view;
  const name = TRACKERS[tracker];
  const told =
    name !== undefined && level === 'L2' && issue !== null
      ? `${name} issue ${oneLine(contained(issue))} will be updated with progress.`
      : '';
  const said = [...TEXTS[level](view), told, loopText(view), facts(view, level), VOID];
  const lines = said.filter(Boolean);
  const tag = tagOf(level);
  const room = CHARS_MAX - 2 * tag.length - 7;
  return `<${tag}>\n${lines.join('\n').slice(0, room)}\n</${tag}>`;
}

const TEXTS: Readonly<Record<Level, (view: MonitorView) => string[]>> = {
  L0: () => [],
  L1: ({ percent }) => [
    `⚠️ Context at ${percent}% - Consider completing current task before starting new work.`,
    'Run `/handoff` to checkpoint, or continue if task is nearly complete.',
  ],
  L2: ({ percent }) => [
    `🔶 Context at ${percent}% - Initiating checkpoint sequence.`,
    'Completing current edit, then generating handoff document.',
  ],
  L3: ({ percent }) => [
    `🔴 Context at ${percent}% - Emergency checkpoint!`,
    'Committing WIP changes and generating handoff NOW.',
    'Next session should run `/orient` to continue.',
  ],
};

function loopText({ loop }: MonitorView): string {
  if (loop === null) return '';
  const left = loop.left === '' ? '' : `, with ${loop.left} left`;
  return `Iteration ${loop.n} of ${loop.max} of a loop${left}. The next one goes on from the handoff.`;
}

function facts({ compactAt, isCompactKnown, window, forecast }: MonitorView, level: Level): string {
  const at =
    compactAt !== null && isCompactKnown
      ? ` The client compacts at about ${Math.round((100 * compactAt) / window)}%.`
      : '';
  if (level !== 'L1')
    return `ben10: it is written from the journal when this turn ends, or in 60 s.${at} What comes next only you know: create_handoff or save_work_state, then end the turn. Next session: /orient`;
  const left =
    forecast === null ? '' : ` ${forecast.to} in about ${Math.round(forecast.minutes)} min.`;
  return at === '' && left === '' ? '' : `ben10:${left}${at}`;
}

/** In a sentence: what to do now. */
export function advice({ percent, level, checkpoint, deferredUntil }: MonitorView): string {
  if (percent === null) return 'Nothing is known of the context yet: go on.';
  if (level === 'L3') return 'Hand off now: create_handoff, then end the turn.';
  if (checkpoint.state === 'ready')
    return 'It is handed off: end here, and go on in a new session.';
  if (checkpoint.state === 'deferred') return `Put off up to ${deferredUntil}%: finish the task.`;
  if (level === 'L2') return 'Finish the current edit, then create_handoff, then end the turn.';
  if (level === 'L1') return 'Finish the current task; begin no large one here.';
  return 'Go on.';
}
