import { expect, it } from 'vitest';
import { wanted } from '../../src/tracker/wanted.ts';
import { seeded } from '../seeded.ts';
import { type Fault, Linear } from './linear-server.ts';
import { deliver, handOff, settingsOf, trackedProject } from './support.ts';

const FAULTS: Fault[] = ['drop', 'late', 'limited', 'broken', 'nonsense'];
const ISSUES = ['ENG-1', 'ENG-2', 'OPS-3'];
const SESSIONS = ['one', 'two', null];
/** All of them take half a minute. */
const COUNT = process.env.BEN10_WHOLE === '1' ? 1000 : 100;

it('tells everything once, whatever fails on the way, and at the end all of it', {
  tags: 'long',
  timeout: 300_000,
}, async () => {
  const seed = Number(process.env.BEN10_SEED ?? 39);
  const random = seeded(seed);
  const any = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const linear = await new Linear().listen();
  for (const name of ISSUES) linear.issue(name, 's-todo', name.slice(0, 3));
  const project = trackedProject();
  const steps: string[] = [];
  let faults = 0;
  linear.fault = () => {
    if (faults >= COUNT || random() > 0.7) return undefined;
    faults += 1;
    return any(FAULTS);
  };
  while (faults < COUNT) {
    if (steps.length === 0 || wanted(project, settingsOf()).size === 0) {
      const step = `step ${steps.length}`;
      steps.push(step);
      handOff(project, { issue: any(ISSUES), session: any(SESSIONS), steps: [step] });
    }
    await deliver(project, linear);
  }
  const { open, failed } = await deliver(project, linear);
  const about = `seed ${seed}`;
  expect([open, failed], about).toEqual([0, []]);
  expect(new Set(linear.changes).size, about).toBe(linear.changes.length);
  expect(linear.comments.length, about).toBeLessThanOrEqual(ISSUES.length * SESSIONS.length);
  // A comment shows the newest of a session's handoffs; the tests are about fewer.
  for (const step of steps.slice(-9)) {
    const holding = linear.comments.filter(({ body }) => body.includes(`\`${step}\``));
    expect(holding, `${about}: ${step}`).toHaveLength(1);
    expect(holding[0]!.body.split(`\`${step}\``), `${about}: ${step}`).toHaveLength(2);
  }
  for (const { state, labels } of linear.issues)
    expect([state, labels.length], about).toEqual(['s-doing', 1]);
});
