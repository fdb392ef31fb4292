import { fact } from '../events/identity.ts';
import type { MonitorSettings } from '../platform/config/keys.ts';
import type { HookStep } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { contextUse } from '../projections/folds/context-use.ts';
import { handoffs } from '../projections/folds/handoffs.ts';
import { momentOf } from './moments.ts';
import { type MonitorView, readView } from './view.ts';

/** Fewer checkpoints by hand show no preference. */
const MANUAL_MIN = 5;
/** By so many points it moves the hint. */
const MOVED_MAX = 10;
const BUDGET_PARTS = [100, 80];

/** What the user alone is told at a turn's end, each once a session: a good moment to end, and a budget that is used up. */
export const hintStep: HookStep = {
  on: ['Stop'],
  failed: 'the user was not told how the session stands',
  run(project, { session, config: { monitor } }) {
    const view = readView(project.root, session);
    if (view === undefined) return undefined;
    const hints = [budgetHint(project, view, monitor), stopHint(project, view, monitor)];
    return (
      hints.flatMap((hint) => (hint && tell(project, view, hint)) ?? []).join('\n') || undefined
    );
  },
};

interface Hint {
  name: string;
  text: string;
}

function stopHint({ states }: Project, view: MonitorView, { stopHintAt }: MonitorSettings) {
  const { session, percent, checkpoint } = view;
  const isHandled = checkpoint.state !== 'none' && checkpoint.state !== 'taken';
  if (stopHintAt === 0 || percent === null || isHandled) return undefined;
  const { checkpoints } = states.at(handoffs, null).state;
  const byHand = Object.values(checkpoints).filter(({ trigger }) => trigger === 'manual');
  const percents = byHand.map((one) => one.percent);
  if (percent < hintAt(stopHintAt, percents)) return undefined;
  const { good, isGood } = momentOf(states.at(contextUse, session).state.work);
  if (!isGood) return undefined;
  const why = good.map(({ what, seq }) => `${what} @${seq}`).join(', ');
  const text = `context at ${percent}%, and a good moment to go on in a new session: ${why}. Run /handoff, then /clear and /orient`;
  return { name: 'stop', text };
}

/** The setting, moved towards where the user takes checkpoints. */
export function hintAt(set: number, byHand: readonly (number | undefined)[]): number {
  const percents = byHand.filter((one) => one !== undefined).sort((a, b) => a - b);
  if (percents.length < MANUAL_MIN) return set;
  const median = percents[Math.floor((percents.length - 1) / 2)]!;
  return Math.min(set + MOVED_MAX, Math.max(set - MOVED_MAX, median));
}

/** By what the client says that the session cost. */
function budgetHint({ states }: Project, view: MonitorView, { budgetUsd }: MonitorSettings) {
  const { costUsd } = states.at(contextUse, view.session).state;
  if (budgetUsd === 0 || costUsd === null) return undefined;
  const used = (100 * costUsd) / budgetUsd;
  const part = BUDGET_PARTS.find((one) => used >= one);
  const text = `this session cost $${costUsd.toFixed(2)}, ${Math.floor(used)}% of its budget of $${budgetUsd} (monitor.budgetUsd)`;
  return part === undefined ? undefined : { name: `budget-${part}`, text };
}

/** @returns the line, to who notes it first */
function tell(
  { recorder, writer, states }: Project,
  { session, level, epoch }: MonitorView,
  { name, text }: Hint,
): string | undefined {
  if (states.at(contextUse, session).state.hints.includes(name)) return undefined;
  const said = `ben10: ${text}.`;
  const data = { level, epoch, event: 'Stop', to: 'user' as const, chars: said.length, hint: name };
  const named = fact.monitor('hint', '', name);
  const event = recorder.ownEvent('context.alerted', session, data, 'hook', named);
  return writer.appendFirst(event) === true ? said : undefined;
}
