/** @module-tag long */
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHook } from '../hook/run-hook.ts';
import { HooksHere } from './hook-here.ts';
import { HookProject } from './hook-project.ts';
import {
  type HookTally,
  injectIntoHooks,
  injectIntoHooksHere,
  processOf,
  type Ran,
} from './hooks.ts';

describe('a hook within this process', () => {
  it('makes the calls that it makes in one of its own, and ends as it does there', async () => {
    const project = new HookProject(tmpdir());
    onTestFinished(() => project.remove());
    for (const { event, input } of project.before())
      await runHook(project.dir, event, input, {}, project.dist);
    project.remember();
    // A journal that was synced less than a second ago is not synced again.
    await sleep(1500);
    const here = new HooksHere(project);
    const inProcess = processOf(project);
    for (const hook of project.events()) {
      const process = await shortest(project, () => inProcess(hook, NO_FAULT));
      const one = await shortest(project, () => here.run(hook, NO_FAULT));
      expect(one.report.calls.length, hook.event).toBeGreaterThan(40);
      expect(one.report, hook.event).toEqual(process.report);
      expect([one.hook.code, one.hook.stderr], hook.event).toEqual([0, process.hook.stderr]);
    }
  });
});

const NO_FAULT = { fault: 'EIO', call: 0, how: 'once' } as const;

/** Of some runs behind the first, which leaves what V8 compiled, the one with the fewest calls: one that takes a second syncs once more. */
async function shortest(project: HookProject, run: () => Promise<Ran> | Ran): Promise<Ran> {
  let found: Ran | undefined;
  for (let n = 0; n < 5; n += 1) {
    project.putBack();
    const ran = await run();
    if (n === 0) continue;
    if (found === undefined || ran.report.calls.length < found.report.calls.length) found = ran;
  }
  return found!;
}

describe('a call of the file system that fails within a hook', () => {
  it('is told by the hook where its event could not be kept', async () => {
    for (const inject of [injectIntoHooks, injectIntoHooksHere]) {
      const tally: HookTally = { runs: 0, complained: 0, violations: [] };
      const first = () => [1];
      // What it opens to write first is the lock: without that its event waits in the inbox, if it can be written there.
      await inject(tally, {
        faults: ['EROFS'],
        events: ['PreToolUse'],
        once: first,
        fromThenOn: first,
      });
      expect(tally).toEqual({ runs: 2, complained: 1, violations: [] });
    }
  });
});
