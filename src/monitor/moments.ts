import type { WorkMarks } from '../projections/work-marks.ts';

/** What was done so few calls ago still counts. */
const RECENT_CALLS = 10;

const DONE = { commit: 'committed', pr: 'pull request made', todo: 'todo done' } as const;

/** Whether the work is at a point at which little is lost by ending a session: what is for and against it, and the events that show it. */
export function momentOf({ calls, edit, test, done, failed }: WorkMarks) {
  const isBehindEdit = ({ call }: { call: number }) => call >= (edit?.call ?? 0);
  const isNew = (mark: { call: number }) => mark.call > calls - RECENT_CALLS && isBehindEdit(mark);
  const good = [
    ...(test?.hasPassed && isNew(test) ? [{ what: 'tests passed', seq: test.seq }] : []),
    ...(done !== null && isNew(done) ? [{ what: DONE[done.what], seq: done.seq }] : []),
  ];
  const isEdited = edit !== null && test?.hasPassed === true && !isBehindEdit(test);
  const bad = [
    ...(failed === null ? [] : [{ what: 'a command failed', seq: failed.seq }]),
    ...(isEdited ? [{ what: 'edited since the tests passed', seq: edit.seq }] : []),
  ];
  return { good, bad, isGood: good.length > 0 && bad.length === 0 };
}
