import { describe, expect, it } from 'vitest';
import { textFinder } from '../../src/erasure/text-finder.ts';
import { ERASED } from '../../src/projections/safe-text.ts';
import { emptyProject, here } from '../cli/support.ts';
import { hooked } from '../hook/run-hook.ts';

const SECRET = 'Kanari vogel #7731';
const MARKER = '[REDACTED:COMMAND-PASSWORD]';
const without = (text: string) => textFinder([SECRET]).withoutIt(text);

describe('what a redaction has left of a secret, of which it took a part', () => {
  it('goes: an end behind the marker, a beginning before it', () => {
    expect(without(`curl -u me:${MARKER} vogel #7731 h`)).toBe(`curl -u me:${MARKER}${ERASED} h`);
    expect(without(`Kanari vo${MARKER}#7731`)).toBe(`${ERASED}${MARKER}${ERASED}`);
    const inJson = JSON.stringify(JSON.stringify({ command: `${MARKER} vogel #7731` }));
    expect(without(inJson)).not.toContain('7731');
    expect(textFinder([SECRET]).isIn(Buffer.from(`${MARKER}ogel #7731`))).toBe(true);
  });

  it('is none where it is short, or stands elsewhere', () => {
    for (const text of [
      `${MARKER}731 z`,
      `${MARKER} is vogel #7731`,
      `${MARKER} vogel`,
      'vogel #7731',
    ])
      expect(without(text)).toBe(text);
  });

  it('is gone from what a hook has recorded', async () => {
    const dir = emptyProject();
    const call = {
      tool_name: 'Bash',
      tool_use_id: 't1',
      tool_input: { command: `curl -u me:${SECRET}` },
    };
    await hooked(dir, 'PreToolUse', call);
    expect((await here(dir, ['log', '--json'])).stdout).toContain('vogel #7731');
    const erased = await here(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect([erased.status, erased.stdout.split('\n')[0]]).toEqual([0, '1 event erased.']);
    expect((await here(dir, ['log', '--json'])).stdout).not.toContain('7731');
  });
});
