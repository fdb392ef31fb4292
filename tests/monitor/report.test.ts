import { expect, test } from 'vitest';
import type { Observation } from '../../src/capture/observation.ts';
import { costsBy, renewalsOf } from '../../src/monitor/costs.ts';
import { reportOf } from '../../src/monitor/report.ts';
import type { Project } from '../../src/project/open.ts';
import { seeded } from '../seeded.ts';
import { openTestProject } from '../support.ts';
import { ran, saw, tell, used } from '../tell.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const read = (id: string, file: string, session = 's') =>
  ran(id, 'Read', { file_path: file }, { response: 'text' }, { session });
const bash = (id: string, command: string, session = 's', stdout = '') =>
  ran(id, 'Bash', { command }, { response: { stdout } }, { session });
const todo = (id: string, content: string, status: string, session = 's') =>
  ran(id, 'TodoWrite', { todos: [{ content, status }] }, { response: 'ok' }, { session });
const edit = (id: string, file: string, session = 's') =>
  ran(id, 'Edit', { file_path: file }, { response: 'ok' }, { session });
const compaction = (preTokens: number, session = 's') =>
  saw('compaction.finished', { trigger: 'auto', summary: 'so', preTokens }, { session });

const COMMITTED = '[main 1a2b3c4] x\n 1 file changed, 1 insertion(+)';
const CHECKPOINT = '0123456789abcdef';

function handoff({ recorder }: Project, trigger: 'turn-end' | 'manual', name = CHECKPOINT): void {
  const claim = (kind: string, subject: string) => ({
    ...{ n: 1, kind, basis: 'seen' as const, seq: 1, subject, fact: '' },
  });
  const more = {
    ...{ title: 't', type: 'change' as const, concepts: [], level: 'L2' as const, worktree: '.' },
    ...{ nextSteps: [], claims: [claim('file', 'src/a.ts'), claim('todo', 'Mend it')] },
  };
  const about = { file: '.claude/handoffs/x.md', sha256: 'ab', upto: 1, chain: 'ab', text: 'text' };
  const begun = { level: 'L2' as const, trigger, epoch: 'start', worktree: '.' };
  recorder.append([
    recorder.ownEvent('checkpoint.begun', 's', { checkpoint: name, ...begun }, 'hook'),
    recorder.ownEvent('handoff.created', 's', { checkpoint: name, ...about, ...more }, 'hook'),
  ]);
}

function resume({ recorder }: Project, session: string): void {
  const data = { handoff: CHECKPOINT, holds: 1, changed: 0 };
  recorder.append([recorder.ownEvent('handoff.resumed', session, data, 'hook')]);
}

test('the report counts checkpoints by level and cause, and what was redone after each way to a new context', () => {
  const project = openTestProject();
  tell(project, ...read('r1', '/a'), ...read('r2', '/b'), ...bash('b1', 'npm test'));
  tell(project, compaction(160_000));
  tell(project, ...read('r3', '/a'), ...read('r4', '/new'), ...bash('b2', 'npm test'));
  tell(project, ...read('r5', '/a'));
  handoff(project, 'turn-end');
  resume(project, 'next');
  tell(project, ...read('n1', '/b', 'next'), ...bash('n2', 'ls', 'next'));
  const none = { tokens: 0, minutes: 0 };
  expect(reportOf(project)).toMatchObject({
    levels: { L2: 1 },
    triggers: { 'turn-end': 1 },
    handoffs: 1,
    resumed: 1,
    afterCompactions: { times: 1, reads: 1, commands: 1, ...none },
    afterHandoffs: { times: 1, reads: 1, commands: 0, ...none },
  });
});

test('a resume is good if it soon goes on with what the handoff names, and reads little that was known', () => {
  const project = openTestProject();
  tell(project, ...read('r1', '/p/src/b.ts'), ...read('r2', '/p/src/a.ts'));
  tell(project, ...edit('e1', '/p/src/a.ts'));
  handoff(project, 'manual');
  handoff(project, 'turn-end', 'fedcba9876543210');
  const went = (session: string, ...seen: Observation[][]) => {
    resume(project, session);
    tell(project, ...seen.flat());
  };
  const later = Array.from({ length: 15 }, (_, n) => bash(`l${n}`, `ls ${n}`, 'late')).flat();
  went('edits', read('a1', '/p/src/a.ts', 'edits'), edit('a2', '/p/src/a.ts', 'edits'));
  went('todo', todo('t1', 'Mend it', 'in_progress', 'todo'));
  went('other', edit('o1', '/p/src/c.ts', 'other'), todo('o2', 'Mend it', 'pending', 'other'));
  went('reads', read('d1', '/p/src/b.ts', 'reads'), edit('d2', '/p/src/a.ts', 'reads'));
  went('late', later, edit('l15', '/p/src/a.ts', 'late'));
  const good = renewalsOf(project).filter(({ isGood }) => isGood);
  expect(good.map(({ session }) => session)).toEqual(['edits', 'todo']);
  expect(reportOf(project).success).toMatchObject({
    goodResumes: { of: 5, are: 2 },
    manual: { of: 2, are: 1 },
  });
});

test('a compaction is in mid-task with a todo in work and nothing finished in the ten calls before', () => {
  const project = openTestProject();
  const calls = (from: string, n: number, session: string) =>
    Array.from({ length: n }, (_, at) => bash(`${from}${at}`, `ls ${at}`, session)).flat();
  tell(project, ...calls('n', 3, 'idle'), compaction(1, 'idle'));
  tell(project, ...todo('w', 'Mend it', 'in_progress', 'work'), compaction(2, 'work'));
  tell(project, ...todo('c1', 'Mend it', 'in_progress', 'commit'));
  tell(project, ...bash('c2', 'git commit -m x', 'commit', COMMITTED), ...calls('k', 9, 'commit'));
  tell(project, compaction(3, 'commit'), ...calls('d', 10, 'commit'), compaction(4, 'commit'));
  tell(project, ...todo('z', 'Done', 'completed', 'done'));
  expect(reportOf(project).success).toMatchObject({
    midTask: { of: 4, are: 2 },
    tasksDone: { of: 4, are: 1 },
  });
});

/** By another way: everything is listed first, and each compaction looks at what is behind and before it. */
function expected(log: readonly (readonly [string, number, string | number])[]) {
  return log.flatMap(([what, , name], at) => {
    if (what !== 'compact') return [];
    const before = new Set(log.slice(0, at).flatMap(([kind, , of]) => (kind === 'read' ? of : [])));
    const end = log.findIndex(([kind], n) => n > at && kind === 'compact');
    const behind = log.slice(at + 1, end === -1 ? undefined : end);
    const first = behind.filter(([kind]) => kind === 'read').slice(0, 30);
    const again = [...new Set(first.map(([, , of]) => of))].filter((of) => before.has(of));
    // What a call brought shows in the next message; some end before it.
    const lastUsed = behind.findLastIndex(([kind]) => kind === 'used');
    const places = again.map((of) => behind.findIndex((one) => one[2] === of));
    const last = Math.max(-1, ...places.filter((n) => n < lastUsed));
    if (last === -1) return [{ name, reads: again.length, tokens: 0, minutes: 0 }];
    const used = behind.findIndex(([kind], n) => n > last && kind === 'used');
    const upto = log.slice(at, at + used + 2);
    const minutes = upto.slice(1).map(([, time], n) => Math.min(2, (time - upto[n]![1]) / MINUTE));
    const start = behind.find(([kind]) => kind === 'used')![2] as number;
    const tokens = (behind[used]![2] as number) - start;
    return [{ name, reads: again.length, tokens, minutes: minutes.reduce((a, b) => a + b, 0) }];
  });
}

test('what compactions cost is what an independent count says, also since a time and by week', () => {
  const random = seeded(Number(process.env.BEN10_SEED));
  const project = openTestProject();
  const log: [string, number, string | number][] = [];
  let [at, tokens] = [10 * DAY, 20_000];
  for (let n = 0; n < 1500; n += 1) {
    at += Math.round(random() * 4 * MINUTE) + (random() < 0.01 ? DAY : 0);
    const about = { at, fact: `f${n}` };
    if (random() < 0.02) {
      log.push(['compact', at, n]);
      tell(project, { ...compaction(100_000 + n), ...about });
      tokens = 20_000;
    } else if (random() < 0.5) {
      const file = `/f${Math.floor(random() * 300)}`;
      log.push(['read', at, file]);
      tell(project, { ...read(`t${n}`, file)[0]!, ...about });
    } else {
      tokens += Math.round(random() * 3000);
      log.push(['used', at, tokens]);
      tell(project, used(`m${n}`, tokens, about));
    }
  }
  const found = renewalsOf(project);
  const wanted = expected(log);
  expect(found.length).toBe(wanted.length);
  for (const [n, one] of wanted.entries()) {
    expect(found[n]!.reads, `${one.name}`).toBe(one.reads);
    expect(found[n]!.tokens, `${one.name}`).toBe(one.tokens);
    expect(found[n]!.minutes, `${one.name}`).toBeCloseTo(one.minutes, 6);
  }
  const since = 15 * DAY;
  expect(renewalsOf(project, since)).toEqual(found.filter((one) => one.at >= since));
  const weeks = costsBy(found, 'week');
  const times = weeks.map(({ afterCompactions }) => afterCompactions.times);
  expect(times.reduce((a, b) => a + b, 0)).toBe(found.length);
  for (const { name } of weeks) expect(new Date(name).getUTCDay(), name).toBe(1);
});
