import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../src/cli/ui/columns.ts';
import { fitted } from '../../../src/cli/ui/fit.ts';
import { wrap } from '../../../src/cli/ui/wrap.ts';
import { scratch } from '../../support.ts';
import { has } from '../../workspace/support.ts';
import { cleanEnv, inMemory, PROGRAM, recordedProject } from '../support.ts';

const COMMANDS = [
  ...[
    'status',
    'doctor',
    'log',
    'log --all',
    'show 3',
    'lost',
    'diff',
    'diff --unified',
    'replay',
    'sessions',
    'search todo dates',
    'search nowhere-at-all',
    'sessions --grep dates',
  ],
  ...[
    'sessions show d3',
    'recall --source compact',
    'recall --explain',
    'context --level full',
    'usage',
    'verify',
  ],
  ...[
    'snapshot list',
    'preferences list',
    'config list',
    'config explain context.storageLocation',
    'save list',
  ],
  ...[
    'explain',
    'explain CONTEXT_LOCKED',
    'scan .',
    'compact --dry-run',
    'repair --dry-run',
    'work show',
  ],
  ...[
    'pack',
    'pack show nowhere',
    'pack --help',
    'pack add --help',
    'pack preview --help',
    'pack preview text:What_takes_the_room glob:nowhere/at/all/** --tokens',
  ],
  ...[
    'init --dry-run',
    'no-such-command',
    'replay @nonsense',
    '--help',
    'log --help',
    'init --help',
    'erase --help',
  ],
];
const NOW = Date.UTC(2026, 10, 28);

describe('texts', () => {
  const shown = async (dir: string, command: string, columns: number): Promise<string[]> => {
    const { stdout, stderr } = await inMemory(dir, command.split(' '), { columns, now: NOW });
    return `${stdout}${stderr}`
      .replace(/\x1b\[[\d;]*[A-Za-z]/g, '')
      .replace(/^.*\r/gm, '')
      .split('\n');
  };

  it.each(COMMANDS)(
    'of ben10 %s fit into a terminal of 40, 60, 80 and 200 columns, and no word is broken',
    async (command) => {
      const dir = recordedProject();
      await inMemory(dir, ['save', 'first']);
      const whole = new Set((await shown(dir, command, 2000)).join(' ').split(/\s+/));
      for (const columns of [40, 60, 80, 200]) {
        const lines = await shown(dir, command, columns);
        const tooLong = lines.filter((line) => columnsOf(line) > columns && /\S\s+\S/.test(line));
        expect({ columns, tooLong }).toEqual({ columns, tooLong: [] });
        const words = lines
          .filter((line) => !line.includes('…'))
          .join(' ')
          .split(/\s+/);
        const broken = words.filter((word) => !whole.has(word) && !/^(?:[\d.,]+|█+)$/.test(word));
        expect({ columns, broken }).toEqual({ columns, broken: [] });
      }
    },
  );

  it('have at most 80 columns where there is no terminal', async () => {
    const { stdout } = await inMemory(scratch(), ['erase', '--help']);
    expect(Math.max(...stdout.split('\n').map(columnsOf))).toBeLessThanOrEqual(80);
  });

  const inTerminal = (dir: string, command: string): string[] => {
    const { stdout } = spawnSync(
      'script',
      ['-qec', `stty cols 60; '${process.execPath}' '${PROGRAM}' ${command}`, '/dev/null'],
      {
        cwd: dir,
        env: cleanEnv(scratch(), { TERM: 'xterm', NO_COLOR: '1' }),
        encoding: 'utf8',
      },
    );
    return stdout.split(/\r?\n/).map((line) => line.replace(/^.*\r/, ''));
  };

  it.skipIf(!has('script'))(
    'of ben10 status fit into a real terminal (skipped without script)',
    () => {
      const lines = inTerminal(recordedProject(), 'status');
      expect(lines.some((line) => line.includes('journal'))).toBe(true);
      expect(lines.filter((line) => columnsOf(line) > 60 && /\S\s+\S/.test(line))).toEqual([]);
    },
  );

  it.skipIf(!has('script'))(
    'of ben10 doctor go on in the column in which they began (skipped without script)',
    () => {
      const lines = inTerminal(recordedProject(), 'doctor');
      const below = lines.slice(0, lines.indexOf('')).filter((line) => !/[✓!✗] [a-z]/.test(line));
      expect(below.length).toBeGreaterThan(5);
      expect(below.filter((line) => !/^ {19}/.test(line))).toEqual([]);
    },
  );
});

describe('a line that is too long', () => {
  it('is broken between words, and goes on under its text', () => {
    expect(fitted('  name    one two three four', 20)).toBe(
      '  name    one two\n          three four',
    );
    expect(fitted('- one two three', 10)).toBe('- one two\n  three');
    expect(fitted('\u001b[31mone two\u001b[39m three', 9)).toBe(
      '\u001b[31mone two\u001b[39m\n  three',
    );
    expect(fitted('a /very/long/path/of/a/file b', 10)).toBe('a\n  /very/long/path/of/a/file\n  b');
    expect(fitted('古古 古古', 6)).toBe('古古\n 古古');
  });

  it('stays as it is where nothing limits it', () => {
    expect(fitted('one two three', Number.POSITIVE_INFINITY)).toBe('one two three');
  });

  it('of a paragraph is wrapped at the width that texts have', () => {
    expect(wrap('one two three', 8)).toBe('one two\nthree');
  });
});
