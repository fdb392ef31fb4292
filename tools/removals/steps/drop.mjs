// What keeps the state when old events are dropped for their age.
import { step } from './step.mjs';

const CRASH = 'timetravel/retention/crash';
const DROP = 'timetravel/retention/retention';
const GUESS = `${DROP}#nothing is dropped on a guess`;

export const drops = [
  step(
    'states of a drop are told before its request',
    CRASH,
    'journal/erase/job.ts',
    `  const told = parts.map(({ before, request }) => [...before, requestedEvent(ports, request)]);
  setMark(journal.nextSeq() + told.flat().length - 1);
  const doomed = doom(ports, also);
  const seqs = journal.append(told.flat());`,
    `  const seq = journal.nextSeq();
  if (first.request.bases) first.request.bases = [seq + 1, seq + first.before.length];
  const told = parts.map(({ before, request }) => [requestedEvent(ports, request), ...before]);
  setMark(seq);
  const doomed = doom(ports, also);
  const [asked, ...rest] = journal.append(told.flat());
  const seqs = [...rest, asked];`,
  ),
  step(
    'states of a drop are told at all',
    DROP,
    'journal/erase/job.ts',
    '[...before, requestedEvent(ports, request)]',
    '[requestedEvent(ports, request)]',
  ),
  step(
    'mark of an erasure or a drop before its request',
    CRASH,
    'journal/erase/job.ts',
    '  setMark(journal.nextSeq() + told.flat().length - 1);\n',
  ),
  step(
    'mark of several erasures is of the last until all requests are there',
    'journal/erase/power',
    'journal/erase/job.ts',
    'journal.nextSeq() + told.flat().length - 1',
    'journal.nextSeq() + first.before.length',
  ),
  step(
    'a drop whose states know of what was erased meanwhile is planned anew',
    `${DROP}#what is erased while`,
    'timetravel/retention/retention.ts',
    '(epochOf(project) === epoch ? { upto, kept, also, bases } : undefined);',
    '({ upto, kept, also, bases });',
  ),
  step(
    'a drop that cannot be finished is not begun',
    `${DROP}#could not be finished`,
    'journal/erase/retention.ts',
    '    assertErasable(job, origin, targetsOf({ targets, upto, kept }));\n',
  ),
  step(
    'states of a drop are not made of what could not be read',
    GUESS,
    'timetravel/retention/retention.ts',
    '    if (!isAll) throw unreadable();\n',
  ),
  step(
    'a drop is not planned of what could not be read',
    GUESS,
    'timetravel/retention/plan.ts',
    '    else if (!isRecorded({ ...damage, segment })) throw unreadable();\n',
  ),
  step(
    'what is in no state yet is not dropped',
    DROP,
    'timetravel/retention/plan.ts',
    'if (open.has(event.id) || isKept(event.type)) return true;',
    'if (isKept(event.type)) return true;',
  ),
  step(
    'what is told of a fact in no state yet is not dropped',
    DROP,
    'timetravel/retention/plan.ts',
    'return open.has((event.data as FactEnriched).of);',
    'return false;',
  ),
  step(
    'saves, snapshots and what the journal tells of itself are not dropped',
    DROP,
    'timetravel/retention/plan.ts',
    'if (open.has(event.id) || isKept(event.type)) return true;',
    'if (open.has(event.id)) return true;',
  ),
  step(
    'a hook leaves a drop alone',
    CRASH,
    'journal/erase/resume.ts',
    "const AT_ONCE: readonly Mark[] = ['erasing'];",
    "const AT_ONCE: readonly Mark[] = ['erasing', 'dropping'];",
  ),
  step(
    'states of sessions that a drop before stood for are kept',
    DROP,
    'timetravel/retention/plan.ts',
    '  for (const session of states.basedSessions()) sessions.set(session, { goesOn: false });\n',
  ),
];
