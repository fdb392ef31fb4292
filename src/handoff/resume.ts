import type { EventData, Source } from '../events/types.ts';
import type { NewEvent } from '../journal/append/inbox.ts';
import type { Given, HookMoment } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import type { Handoff } from '../projections/folds/handoffs.ts';
import { iterationOf, loops } from '../projections/folds/loops.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { oneLine } from '../projections/safe-text.ts';
import { allHandoffs, handoffsHere, nameOf } from './of-project.ts';
import { POINTER_CHARS, pointer } from './orient.ts';
import { heldIn, type Verification } from './verify.ts';

const DAYS_MAX = 7;
const DAY_MS = 86_400_000;

/** The newest handoff of a place that a session may go on from: not its own, not an old one. */
function handoffFor(project: Project, cwd: string | undefined, session: string) {
  const [newest] = handoffsHere(project, cwd);
  if (newest === undefined || newest.session === session) return undefined;
  if (project.ports.clock.now() - newest.handoff.at > DAYS_MAX * DAY_MS) return undefined;
  return newest.handoff.resumed.some((one) => one.session === session) ? undefined : newest;
}

/** What a session's start says of it: its pointer to the first session that comes, a word of warning to others while that one runs. */
export function resumeText(
  project: Project,
  { cwd, session }: Pick<HookMoment, 'cwd' | 'session'>,
  left: number,
): Given | undefined {
  if (left < POINTER_CHARS) return undefined;
  const inLoop = iterationOf(project.states.at(loops, null).state, session);
  const handoff = inLoop
    ? allHandoffs(project).find((one) => one.checkpoint === inLoop.iteration.handoffIn)
    : handoffFor(project, cwd, session);
  if (handoff === undefined) return undefined;
  const [first] = handoff.handoff.resumed;
  // An iteration may come behind one that was stopped before it did anything.
  if (first === undefined || inLoop !== undefined) {
    const { text, verification } = pointer(project, handoff);
    return { text, told: resumedEvent(project, handoff, session, verification, 'hook') };
  }
  const { sessions } = project.states.at(recentSessions, null).state;
  const isOver = Object.values(sessions).some(
    (one) => one.session === first.session && one.endedAt !== null,
  );
  if (isOver) return undefined;
  const who = oneLine(first.session).slice(0, 8);
  const text = `ben10: handoff ${nameOf(handoff)} was taken up by session ${who} at @${first.seq}, which has not ended. Do not work on the same without asking the user.`;
  return { text };
}

/** Claims it for a session. */
export function resumedEvent(
  { recorder }: Project,
  { checkpoint }: Handoff,
  session: string,
  verification: Verification,
  source: Source,
): NewEvent {
  const holds = heldIn(verification);
  const data: EventData['handoff.resumed'] = {
    handoff: checkpoint,
    holds,
    changed: verification.checked.length - holds,
  };
  return recorder.ownEvent('handoff.resumed', session, data, source);
}
