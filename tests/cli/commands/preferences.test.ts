import { describe, expect, it } from 'vitest';
import { ben10, json, recordedProject } from '../support.ts';

describe('ben10 preferences', () => {
  it('lists what the user stated, and takes one back for good', { tags: 'long' }, () => {
    const dir = recordedProject();
    const rule = 'Keep dates as ISO strings and never use a library for them.';
    const { stdout } = ben10(dir, ['preferences', 'list']);
    const line = stdout.split('\n').find((one) => one.includes(rule))!;
    expect(line).toMatch(/^\d+\.\d+ +rule +once {2}Keep dates .* @\d+$/);
    expect(ben10(dir, ['recall']).stdout).toContain(rule);
    const [key] = line.split(' ') as [string];
    const taken = ben10(dir, ['preferences', 'retract', key]);
    expect([taken.status, taken.stdout]).toEqual([0, `Retracted in 1 session: ${rule}\n`]);
    expect(ben10(dir, ['preferences']).stdout).not.toContain(rule);
    expect(ben10(dir, ['restore', '--only', 'preferences']).stdout).not.toContain(`- ${rule}`);
    expect(ben10(dir, ['recall']).stdout).not.toContain(`- ${rule}`);
    const log = ben10(dir, ['log', '--type', 'preference.retracted', '--json']);
    expect(log.stdout).toContain(key);
  });

  it('is a list as JSON, and refuses what it does not know', () => {
    const dir = recordedProject();
    expect(json<object[]>(ben10(dir, ['preferences', '--json']))[0]).toMatchObject({
      key: expect.stringMatching(/^\d+\.\d+$/),
      seqs: [expect.any(Number)],
    });
    for (const args of [['forget'], ['retract'], ['retract', '9999.1'], ['list', 'x']])
      expect(ben10(dir, ['preferences', ...args])).toMatchObject({ status: 2, stdout: '' });
  });
});
