import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyPlan } from '../../src/setup/apply.ts';
import { OWN_PART } from '../../src/setup/own-part.ts';
import { planInit } from '../../src/setup/plan.ts';
import { workingFiles } from '../../src/workspace/working-files.ts';
import { scratch } from '../support.ts';
import { git, put, repository } from './support.ts';

const init = (dir: string, shared = true): void => {
  const binary = { command: 'ben10' } as const;
  applyPlan(planInit({ projectDir: dir, carrier: 'command', shared, binary }));
};
const changed = (dir: string) => workingFiles(dir, OWN_PART);

/** The user's own, in the layout of the user. */
const THEIRS = {
  'a.txt': 'a',
  '.gitignore': 'node_modules\n',
  '.mcp.json': '{"mcpServers": {"db": {"command": "db-mcp"}}}\n',
  '.claude/settings.json': '{\n\t"model": "opus" // the large one\n}\n',
};

describe('the files in work', () => {
  it.each([false, true])(
    'are none that ben10 init alone has changed or made (shared: %s)',
    async (shared) => {
      for (const files of [THEIRS, { 'a.txt': 'a' }]) {
        const dir = repository(path.join(scratch(), 'shop'), files);
        init(dir, shared);
        expect(await changed(dir)).toBeUndefined();
        put(dir, { 'a.txt': 'b', 'b.txt': 'b' });
        expect(await changed(dir)).toEqual(['a.txt', 'b.txt']);
      }
    },
  );

  it('are those of them as well in which something else changed', async () => {
    const dir = repository(path.join(scratch(), 'shop'), THEIRS);
    init(dir);
    for (const [name, from, to] of [
      ['.mcp.json', 'db-mcp', 'other-mcp'],
      ['.gitignore', 'node_modules', 'dist'],
      ['.claude/settings.json', 'opus', 'sonnet'],
    ] as const) {
      const file = path.join(dir, name);
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, before.replace(from, to));
      expect(await changed(dir)).toEqual([name]);
      // Not to be parsed: somebody is at work on it.
      if (name.endsWith('json')) {
        writeFileSync(file, `${before}}`);
        expect(await changed(dir)).toEqual([name]);
      }
      writeFileSync(file, before);
    }
  });

  it('are in a folder that is new as a whole those that others put there', async () => {
    const dir = repository(path.join(scratch(), 'shop'), { 'a.txt': 'a' });
    init(dir);
    put(dir, { '.claude/commands/deploy.md': 'Deploy it.' });
    expect(await changed(dir)).toEqual(['.claude/']);
  });

  it('are none when an init of later changes what one before it put there', async () => {
    const dir = repository(path.join(scratch(), 'shop'), THEIRS);
    init(dir);
    const file = path.join(dir, '.claude/settings.json');
    const old = readFileSync(file, 'utf8').replace(/"timeout": 10/g, '"timeout": 7');
    writeFileSync(file, old);
    git(dir, 'add', '-A');
    git(dir, 'commit', '-q', '-m', 'With ben10');
    init(dir);
    expect(readFileSync(file, 'utf8')).not.toBe(old);
    expect(await changed(dir)).toBeUndefined();
  });
});
