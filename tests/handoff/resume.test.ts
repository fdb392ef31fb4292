import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { allHandoffs } from '../../src/handoff/of-project.ts';
import { POINTER_CHARS } from '../../src/handoff/orient.ts';
import { runHook } from '../hook/run-hook.ts';
import { openTestProject } from '../support.ts';
import { FILES, handedOff } from './support.ts';

/** What the start of a session gives to its model, from the real hook. */
async function startOf(dir: string, session: string, source: string): Promise<string> {
  const input = { session_id: session, hook_event_name: 'SessionStart', source, cwd: dir };
  const { stdout, code, stderr } = await runHook(dir, 'SessionStart', input);
  expect([code, stderr]).toEqual([0, '']);
  return stdout === '' ? '' : (JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? '');
}

const resumedBy = (dir: string) =>
  allHandoffs(openTestProject(dir))[0]!.handoff.resumed.map(({ session }) => session);

describe('a session that starts after a handoff', { tags: 'long' }, () => {
  it('is pointed to it with next steps and what changed, takes it up, and the next one is told so', async () => {
    const { project, file } = handedOff();
    const { dir } = project;
    project.close();
    writeFileSync(path.join(dir, FILES[2]!), 'changed\n');
    const text = await startOf(dir, 'second', 'clear');
    const [own] = /<ben10-orient-\d+>[\s\S]*<\/ben10-orient-\d+>/.exec(text) ?? [''];
    expect(own.length).toBeLessThanOrEqual(POINTER_CHARS);
    expect(own).toContain(`Handoff ${path.basename(file, '.md')} (L2 at 86%) of session s`);
    expect(own).toContain('1. Split the printer\n2. Then mend the lint');
    expect(own).toMatch(/^- changed C\d+ src\/part-2\.ts: outside of the agent$/m);
    expect(resumedBy(dir)).toEqual(['second']);
    expect(await startOf(dir, 'second', 'resume')).not.toContain('ben10-orient');
    const third = await startOf(dir, 'third', 'startup');
    expect(third).not.toContain('ben10-orient');
    expect(third).toMatch(/was taken up by session second at @\d+, which has not ended/);
    expect(resumedBy(dir)).toEqual(['second']);
  });

  it('is not told of its own, nor after a compaction', async () => {
    const { project } = handedOff();
    project.close();
    expect(await startOf(project.dir, 's', 'resume')).not.toContain('ben10-orient');
    expect(await startOf(project.dir, 'other', 'compact')).not.toContain('ben10-orient');
    expect(resumedBy(project.dir)).toEqual([]);
  });
});
