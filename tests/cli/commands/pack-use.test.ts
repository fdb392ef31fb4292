import { describe, expect, it } from 'vitest';
import { repository } from '../../packs/repository.ts';
import { turn } from '../../packs/use/planted.ts';
import { saw, tell } from '../../tell.ts';
import { testProject } from '../../timetravel/project.ts';
import { inMemory, json } from '../support.ts';

const FILES = {
  'src/session.ts': "import { keys } from './keys.js';\n",
  'src/keys.ts': 'export const keys = 1;\n',
  'src/other.ts': 'export const other = 1;\n',
};

describe('ben10 pack suggest', () => {
  async function made(): Promise<string> {
    const dir = repository(FILES);
    const project = testProject({ dir });
    turn(project, 's', 'edit src/session.ts', 'edit src/keys.ts');
    project.close();
    await inMemory(dir, ['pack', 'create', 'auth']);
    await inMemory(dir, ['pack', 'add', 'auth', 'src/session.ts']);
    return dir;
  }

  it('says why, best first', async () => {
    const { stdout, code } = await inMemory(await made(), ['pack', 'suggest', 'auth']);
    expect(code).toBe(0);
    const [first, second] = stdout.split('\n');
    expect(first).toMatch(
      /^ 1 src\/keys\.ts {3}0\.\d\d +~8 tokens {2}edited with session\.ts in 1 of 1 turn \(@\d+\), imported by 1 file, 1 commit$/,
    );
    expect(second).toMatch(/^ 2 src\/other\.ts {2}0\.\d\d +~8 tokens {2}1 commit$/);
  });

  it('adds the best, which are then no longer suggested', async () => {
    const dir = await made();
    const { stdout, stderr } = await inMemory(dir, ['pack', 'suggest', 'auth', '--apply', '1']);
    expect(stdout + stderr).toMatch(/^\+ [0-9a-f]{8} {2}file {5}src\/keys\.ts {2}priority 0\n$/);
    const { suggestions } = json<{ suggestions: { file: string }[] }>(
      await inMemory(dir, ['pack', 'suggest', 'auth', '--json']),
    );
    expect(suggestions.map(({ file }) => file)).toEqual(['src/other.ts']);
  });

  it('takes a file in place of a pack, and adds nothing to it', async () => {
    const dir = await made();
    const { stdout } = await inMemory(dir, ['pack', 'suggest', 'src/keys.ts', '--limit', '1']);
    expect(stdout).toMatch(/^ 1 src\/session\.ts .*imports 1 file/);
    const refused = await inMemory(dir, ['pack', 'suggest', 'src/keys.ts', '--apply', '1']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('USAGE')]);
    expect((await inMemory(dir, ['pack', 'suggest', 'aut'])).stderr).toMatch(
      /did you mean "auth"\? \[PACK_NOT_FOUND\]/,
    );
  });
});

describe('ben10 pack report', () => {
  it('says that nobody was given a pack, and what a token is likely to be of', async () => {
    const dir = repository(FILES);
    const project = testProject({ dir });
    turn(project, 's', 'read src/other.ts');
    const usage = { inputTokens: 9, outputTokens: 9, cacheCreationTokens: 0, cacheReadTokens: 0 };
    tell(project, saw('usage.sampled', { messageId: 'm', model: 'claude-opus-4-8', ...usage }));
    project.close();
    await inMemory(dir, ['pack', 'create', 'auth']);
    expect((await inMemory(dir, ['pack', 'report', 'auth'])).stdout).toBe(
      'No session was given auth through ben10’s tools yet.\nclaude-opus-4-8: × 1.53 of the tokens here (about; not measured yet)\n',
    );
    expect(json(await inMemory(dir, ['pack', 'report', 'auth', '--json']))).toMatchObject({
      name: 'auth',
      given: 0,
      items: [],
      about: { model: 'claude-opus-4-8', factor: 1.53, renders: 0 },
    });
    expect((await inMemory(dir, ['pack', 'report', 'other'])).code).toBe(1);
    const preview = (await inMemory(dir, ['pack', 'preview', 'glob:src/*'])).stdout;
    expect(preview).toMatch(
      /\nclaude-opus-4-8: about \d00 tokens \(× 1\.53, not measured yet\)\n$/,
    );
  });
});
