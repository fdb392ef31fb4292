import { describe, expect, it } from 'vitest';
import { here, json, recordedProject } from '../support.ts';

describe('ben10 preferences', () => {
  it('lists what the user stated, and takes one back for good', { tags: 'long' }, async () => {
    const dir = recordedProject();
    const rule = 'Keep dates as ISO strings and never use a library for them.';
    const { stdout } = await here(dir, ['preferences', 'list']);
    const line = stdout.split('\n').find((one) => one.includes(rule))!;
    expect(line).toMatch(/^\d+\.\d+ +rule +once {2}Keep dates .* @\d+$/);
    expect((await here(dir, ['recall'])).stdout).toContain(rule);
    const [key] = line.split(' ') as [string];
    const taken = await here(dir, ['preferences', 'retract', key]);
    expect([taken.status, taken.stdout]).toEqual([0, `Retracted in 1 session: ${rule}\n`]);
    expect((await here(dir, ['preferences'])).stdout).not.toContain(rule);
    expect((await here(dir, ['restore', '--only', 'preferences'])).stdout).not.toContain(
      `- ${rule}`,
    );
    expect((await here(dir, ['recall'])).stdout).not.toContain(`- ${rule}`);
    const log = await here(dir, ['log', '--type', 'preference.retracted', '--json']);
    expect(log.stdout).toContain(key);
  });

  it('is a list as JSON, and refuses what it does not know', async () => {
    const dir = recordedProject();
    expect(json<object[]>(await here(dir, ['preferences', '--json']))[0]).toMatchObject({
      key: expect.stringMatching(/^\d+\.\d+$/),
      seqs: [expect.any(Number)],
    });
    for (const args of [['forget'], ['retract'], ['retract', '9999.1'], ['list', 'x']])
      expect(await here(dir, ['preferences', ...args])).toMatchObject({ status: 2, stdout: '' });
  });
});
