import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addIgnoreLine,
  ignoreState,
  NEW_IGNORE_FILE,
  removeIgnoreLine,
} from '../../src/setup/ignore-file.ts';

const OURS = '# ben10: what an agent did here stays on this machine\n.ben10/\n';

describe('.gitignore', () => {
  it('gets our line at its end, under a comment', () => {
    expect(NEW_IGNORE_FILE).toBe(OURS);
    expect(addIgnoreLine('')).toBe(`\n${OURS.trimEnd()}`);
    expect(addIgnoreLine('node_modules/\n')).toBe(`node_modules/\n${OURS}`);
  });

  it('keeps its line breaks and its missing last one', () => {
    expect(addIgnoreLine('dist\r\n')).toBe(`dist\r\n${OURS.replaceAll('\n', '\r\n')}`);
    expect(addIgnoreLine('a\r\ndist')).toBe(
      `a\r\ndist\r\n${OURS.trimEnd().replaceAll('\n', '\r\n')}`,
    );
    expect(addIgnoreLine('dist')).toBe(`dist\n${OURS.trimEnd()}`);
  });

  it.each([
    '.ben10',
    '.ben10/',
    '/.ben10',
    '/.ben10/',
    '**/.ben10',
    '.ben10/*',
    '.ben10/**',
    '.ben10/  ',
  ])('that has %j already stays as it is', (line) => {
    for (const text of [line, `a\n${line}\nb\n`, `a\r\n${line}\r\n`, `\ufeff${line}\n`]) {
      expect(ignoreState(text)).toBe('ignored');
      expect(addIgnoreLine(text)).toBe(text);
      expect(removeIgnoreLine(text)).toBe(text);
    }
  });

  it('that takes .ben10 back in stays as it is', () => {
    expect(ignoreState('.ben10/\n!.ben10/\n')).toBe('allowed');
    expect(addIgnoreLine('!/.ben10\n')).toBe('!/.ben10\n');
    expect(ignoreState('!.ben10\n.ben10\n')).toBe('ignored');
  });

  it.each(['# .ben10/', ' .ben10/', 'x.ben10', '.ben10x', '.ben10/config.yaml', 'a/.ben10'])(
    'that has only %j does not ignore it',
    (line) => {
      expect(ignoreState(`${line}\n`)).toBe('missing');
    },
  );

  it('agrees with git', () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'ben10-ignore-'));
    try {
      execFileSync('git', ['init', '-q'], { cwd: dir });
      fs.mkdirSync(path.join(dir, '.ben10'));
      fs.writeFileSync(path.join(dir, '.ben10', 'journal'), '');
      for (const text of [
        '.ben10',
        '/.ben10/',
        '.ben10/*',
        'x',
        '.ben10/ ',
        addIgnoreLine('dist'),
      ]) {
        fs.writeFileSync(path.join(dir, '.gitignore'), text);
        const shown = execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: dir });
        const ignored = !shown.toString().includes('journal');
        expect(ignoreState(text), JSON.stringify(text)).toBe(ignored ? 'ignored' : 'missing');
      }
    } finally {
      fs.rmSync(dir, { recursive: true });
    }
  });

  it('is the same bytes again after an uninstall, and once is as good as twice', () => {
    const line = fc.constantFrom('', 'dist', '# x', '.ben10', '!.ben10', '# ben10: what', '*.log ');
    fc.assert(
      fc.property(
        fc.array(line),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        (lines, eol, last) => {
          const text = lines.join(eol) + (last ? eol : '');
          const once = addIgnoreLine(text);
          expect(addIgnoreLine(once)).toBe(once);
          expect(removeIgnoreLine(once)).toBe(text);
        },
      ),
    );
  });
});
