import { describe, expect, it } from 'vitest';
import { ben10, json, recordedProject } from '../support.ts';

describe('ben10 preferences', () => {
  it('lists what the user stated, and takes one back for good', { tags: 'long' }, () => {
    const dir = recordedProject();
    const rule = 'Keep dates as ISO strings and never use a library for them.';
    const { stdout } = ben10(dir, ['preferences', 'list']);
    const line = stdout.split('\n').find((one) => one.includes(rule))!;
    expect(line).toMatch(/^[0-9a-f]{8} {2}rule +once {2}Keep dates .* @\d+$/);
    expect(ben10(dir, ['recall']).stdout).toContain(rule);
    const taken = ben10(dir, ['preferences', 'retract', line.slice(0, 8)]);
    expect([taken.status, taken.stdout]).toEqual([0, `Taken back in 1 session: ${rule}\n`]);
    expect(ben10(dir, ['preferences']).stdout).not.toContain(rule);
    expect(ben10(dir, ['restore', '--only', 'preferences']).stdout).not.toContain(`- ${rule}`);
    expect(ben10(dir, ['recall']).stdout).not.toContain(`- ${rule}`);
    const log = ben10(dir, ['log', '--type', 'preference.retracted', '--json']);
    expect(log.stdout).toContain(line.slice(0, 8));
  });

  it('is a list as JSON, and refuses what it does not know', () => {
    const dir = recordedProject();
    expect(json<object[]>(ben10(dir, ['preferences', '--json']))[0]).toMatchObject({
      key: expect.stringMatching(/^[0-9a-f]{12}$/),
      seqs: [expect.any(Number)],
    });
    for (const args of [['forget'], ['retract'], ['retract', 'ffffffff'], ['list', 'x']])
      expect(ben10(dir, ['preferences', ...args])).toMatchObject({ status: 2, stdout: '' });
  });
});
