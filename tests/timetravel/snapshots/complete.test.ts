import { describe, expect, it } from 'vitest';
import type { EventData, EventType } from '../../../src/events/types.ts';
import type { Project } from '../../../src/project/open.ts';
import { listSnapshots } from '../../../src/timetravel/snapshots/indexed.ts';
import { completeSnapshot, leftBehind } from '../../../src/timetravel/snapshots/left.ts';
import { takeSnapshot } from '../../../src/timetravel/snapshots/take.ts';
import { SESSION, taken, todo } from './support.ts';

let fact = 0;

function told<T extends EventType>(
  { recorder, ports }: Project,
  type: T,
  data: EventData[T],
  who: { session?: string; agent?: string } = {},
): void {
  const { session = SESSION, agent = null } = who;
  fact += 1;
  const seen = { type, fact: `f${fact}`, session, agent, at: ports.clock.now() + fact, data };
  recorder.append([recorder.event(seen, 'transcript')]);
}

const compaction = { trigger: 'auto', summary: 'We worked.' };
const usage = (inputTokens: number, messageId = `m${inputTokens}`) => ({
  messageId,
  inputTokens,
  outputTokens: 1,
  cacheCreationTokens: 2,
  cacheReadTokens: 3,
});
const REST = { messages: 1, files: 0, toolExecutions: 0 };

describe('completeSnapshot', () => {
  it('has the tokens that the client told with the compaction, before and after', () => {
    const project = todo();
    const [made] = taken(project);
    told(project, 'compaction.finished', { ...compaction, preTokens: 700, postTokens: 70 });
    told(project, 'usage.sampled', usage(500));
    expect(completeSnapshot(project, SESSION)).toEqual({
      snapshot: made!.snapshot,
      after: { tokens: 70, ...REST },
    });
    expect(completeSnapshot(project, SESSION)).toBeUndefined();
    const by = { tokensBy: 'client', before: { tokens: 700 }, ratio: 0.1 };
    expect(listSnapshots(project).snapshots[0]).toMatchObject(by);
    expect(made!.before.tokens).not.toBe(700);
  });

  it('takes both from the model’s answers where the client told but one of them', () => {
    const project = todo();
    const [made] = taken(project);
    told(project, 'compaction.finished', { ...compaction, postTokens: 70 });
    told(project, 'usage.sampled', usage(500));
    completeSnapshot(project, SESSION);
    const { tokens } = made!.before;
    const by = { tokensBy: 'answers', before: { tokens }, after: { tokens: 505 } };
    expect(listSnapshots(project).snapshots[0]).toMatchObject({ ...by, ratio: 505 / tokens! });
  });

  it('says what it knows at once, and the tokens when they were told', () => {
    const project = todo();
    taken(project);
    expect(completeSnapshot(project, SESSION)).toMatchObject({ after: REST });
    expect(completeSnapshot(project, SESSION)).toBeUndefined();
    told(project, 'compaction.finished', compaction);
    expect(completeSnapshot(project, SESSION)).toBeUndefined();
    told(project, 'usage.sampled', usage(200));
    expect(listSnapshots(project).snapshots[0]).toMatchObject({ after: { tokens: 205 } });
    expect(completeSnapshot(project, SESSION)).toMatchObject({ after: { tokens: 205, ...REST } });
  });

  it('is about the session’s newest snapshot, whoever else compacted since', () => {
    const project = todo();
    const [, second] = taken(project, 2);
    told(project, 'prompt.submitted', { text: 'Hello.' }, { session: 'other' });
    const other = takeSnapshot(project, { session: 'other', trigger: 'manual' });
    expect(completeSnapshot(project, SESSION)!.snapshot).toBe(second!.snapshot);
    expect(completeSnapshot(project, 'other')!.snapshot).toBe(other.snapshot);
    expect(completeSnapshot(project, 'nobody')).toBeUndefined();
    const after = listSnapshots(project).snapshots.map((one) => one.after !== null);
    expect(after).toEqual([true, true, false]);
  });

  it('does nothing where none was taken', () => {
    expect(completeSnapshot(todo(), SESSION)).toBeUndefined();
  });
});

describe('what a compaction left', () => {
  it('has tokens of no sub-agent, no copy, and nothing before the compaction', () => {
    const project = todo();
    const [made] = taken(project);
    const tokensNow = () =>
      leftBehind(project, { upto: made!.upto, session: SESSION })?.after.tokens;
    told(project, 'usage.sampled', usage(900));
    expect(leftBehind(project, { upto: made!.upto, session: SESSION })).toBeUndefined();
    told(project, 'compaction.finished', compaction);
    told(project, 'usage.sampled', usage(800), { agent: 'a1' });
    told(project, 'usage.sampled', { ...usage(700), copied: true });
    expect(tokensNow()).toBeUndefined();
    told(project, 'usage.sampled', usage(60));
    told(project, 'usage.sampled', usage(6000));
    expect(tokensNow()).toBe(65);
  });
});
