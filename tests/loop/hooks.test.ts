import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LOOP_FILE } from '../../src/handoff/exported-loop.ts';
import { allHandoffs } from '../../src/handoff/of-project.ts';
import { POINTER_CHARS } from '../../src/handoff/orient.ts';
import { takeByHand } from '../../src/handoff/take.ts';
import { look } from '../../src/monitor/look.ts';
import { readView } from '../../src/monitor/view.ts';
import { loadConfig } from '../../src/platform/config.ts';
import type { Project } from '../../src/project/open.ts';
import { atWork, documentsIn, see } from '../handoff/at-work.ts';
import { git } from '../handoff/random-repository.ts';
import { handedOff } from '../handoff/support.ts';
import { hooked, runHook } from '../hook/run-hook.ts';
import { GIT_ENV } from '../packs/repository.ts';
import { openTestProject } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { end, iterate, startLoop } from './support.ts';

beforeEach(() => {
  for (const [name, value] of Object.entries(GIT_ENV)) vi.stubEnv(name, value);
});

const { config } = loadConfig({ projectDir: '/nowhere', env: {} });

/** What a session's start gives to its model, from the real hook. */
async function startOf(dir: string, session: string): Promise<string> {
  const input = {
    session_id: session,
    hook_event_name: 'SessionStart',
    source: 'startup',
    cwd: dir,
  };
  const { stdout, code } = await runHook(dir, 'SessionStart', input);
  expect(code).toBe(0);
  return stdout === '' ? '' : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

const fillTo = (project: Project, percent: number): void =>
  tell(
    project,
    saw(
      'usage.sampled',
      {
        ...{ messageId: `m${percent}`, model: 'claude-opus-4-6', inputTokens: percent * 2000 },
        ...{ outputTokens: 1, cacheCreationTokens: 0, cacheReadTokens: 0 },
      },
      { fact: `usage:m${percent}` },
    ),
  );

describe('a session of a loop', { tags: 'long' }, () => {
  it('is told at each level which iteration it is and what is left, and its status line shows it', () => {
    const project = openTestProject();
    startLoop(project, {}, { budgetUsd: 5, budgetTokens: 2_000_000, minutes: 600 });
    iterate(project, 1, 'a');
    end(project, 1, { costUsd: 1.1, tokens: 90_000 });
    iterate(project, 2, 's');
    fillTo(project, 86);
    const { text } = look(project, 's', config.monitor, 'PostToolUse');
    expect(text).toContain('🔶 Context at 86% - Initiating checkpoint sequence.');
    expect(text).toContain(
      'Iteration 2 of 20 of a loop, with $3.90, 1,910,000 tokens, 600 minutes left. The next one goes on from the handoff.',
    );
    expect(text).toMatch(
      /\/orient\nVoid if the context was cleared since\.\n<\/ben10-context-L2>$/,
    );
    expect(readView(project.root, 's')?.loop).toMatchObject({ n: 2, max: 20, checkpoints: 0 });
    end(project, 2);
    expect(look(project, 's', config.monitor).view.loop).toBeNull();
  });

  it('has its work committed by the loop’s message at L2, and the loop’s state says so', async () => {
    const project = atWork();
    const { dir } = project;
    startLoop(project);
    iterate(project, 3, 's');
    see(dir, { percent: 85 });
    await hooked(dir, 'Stop');
    expect(git(dir, ['log', '-1', '--format=%s'])).toBe('ralph: checkpoint iter 3 (L2 at 85%)\n');
    const [file, ...others] = documentsIn(dir);
    expect(others).toEqual([]);
    const state = JSON.parse(readFileSync(path.join(dir, LOOP_FILE), 'utf8'));
    expect(state.context_checkpoint).toMatchObject({
      ...{ active: true, level: 'L2', percent_at_checkpoint: 85 },
      handoff_file: `.claude/handoffs/${file}`,
    });
    expect(readFileSync(path.join(dir, `.claude/handoffs/${file}`), 'utf8')).not.toContain(
      'ralph-',
    );
  });

  it('gets a checkpoint when its loop asks for one, also where none is due', () => {
    const project = atWork();
    startLoop(project);
    iterate(project, 1, 's');
    const asked = { session: 's', trigger: 'loop', source: 'cli', cwd: project.dir } as const;
    expect(takeByHand(project, asked, config)).toMatchObject({ level: 'manual' });
    expect(git(project.dir, ['log', '-1', '--format=%s'])).toBe(
      'ralph: checkpoint iter 1 (manual)\n',
    );
  });

  it('starts with the pointer of exactly the handoff that it goes on from, also behind one that was killed', async () => {
    const { project } = handedOff();
    const { dir } = project;
    const { checkpoint } = allHandoffs(project)[0]!;
    startLoop(project);
    iterate(project, 1, 'x');
    end(project, 1, { outcome: 'checkpoint', handoffOut: checkpoint });
    iterate(project, 2, 'killed', checkpoint);
    expect(await startOf(dir, 'killed')).toContain('1. Split the printer\n2. Then mend the lint');
    end(project, 2, { outcome: 'interrupted' });
    iterate(project, 3, 'next', checkpoint);
    const text = await startOf(dir, 'next');
    const [own] = /<ben10-orient-\d+>[\s\S]*<\/ben10-orient-\d+>/.exec(text) ?? [''];
    expect(own).toContain('Next steps:\n1. Split the printer');
    expect(own.length).toBeLessThanOrEqual(POINTER_CHARS);
    const resumed = allHandoffs(openTestProject(dir))[0]!.handoff.resumed;
    expect(resumed.map(({ session }) => session)).toEqual(['killed', 'next']);
    end(project, 3);
    iterate(project, 4, 'fresh');
    expect(await startOf(dir, 'fresh')).not.toContain('ben10-orient');
  });
});
