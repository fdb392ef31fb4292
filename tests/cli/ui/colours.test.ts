import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { coloursOf } from '../../../src/cli/ui/terminal.ts';
import { ben10, Memory, recordedProject } from '../support.ts';

const isColoured = (env: Record<string, string>, columns?: number): boolean =>
  coloursOf(new Memory(columns), env).isColorSupported;

describe('colours', () => {
  it('are for terminals, unless NO_COLOR is set or the terminal has none', () => {
    expect(isColoured({}, 80)).toBe(true);
    expect(isColoured({})).toBe(false);
    expect(isColoured({ NO_COLOR: '1' }, 80)).toBe(false);
    expect(isColoured({ NO_COLOR: '' }, 80)).toBe(true);
    expect(isColoured({ TERM: 'dumb' }, 80)).toBe(false);
  });

  it('are what FORCE_COLOR says, as in Node', () => {
    for (const FORCE_COLOR of ['', '0', '1', '2', '3', 'true', 'false']) {
      const here = isColoured({ FORCE_COLOR, NO_COLOR: '1' });
      const node = spawnSync(
        process.execPath,
        [
          '-e',
          `const tty = require('tty'); process.exit(tty.WriteStream.prototype.getColorDepth() > 2 ? 0 : 1)`,
        ],
        {
          env: { ...process.env, FORCE_COLOR },
        },
      );
      expect({ FORCE_COLOR, here }).toEqual({ FORCE_COLOR, here: node.status === 0 });
    }
  });

  it.each(['status', 'log', 'verify', 'doctor', '--help', 'no-such-command'])(
    'are in the output of ben10 %s with FORCE_COLOR=1, also in a pipe, and with 0 or without it in none',
    (command) => {
      const dir = recordedProject();
      const output = (env: Record<string, string>) => {
        const { stdout, stderr } = ben10(dir, command.split(' '), env);
        return stdout + stderr;
      };
      expect(output({ FORCE_COLOR: '1' })).toContain('\u001b[');
      expect(output({ FORCE_COLOR: '0' })).not.toContain('\u001b[');
      expect(output({})).not.toContain('\u001b[');
    },
  );
});
