/** @module-tag long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runHook } from '../../hook/run-hook.ts';
import { scratch } from '../../support.ts';
import { git, put, repository } from '../../workspace/support.ts';
import { ben10 } from '../support.ts';

/** What is another every time: times, hashes, ages, versions, and the port where another one has it. */
const settled = (text: string): string =>
  text
    .replace(/\d\d:\d\d/g, 'TIME')
    .replace(/\| [0-9a-f]{7} (.*) \(\d+ \w+ ago\)/g, '| HASH $1 (AGE)')
    .replace(/- node [\d.]+/, '- node VERSION')
    .replace(/- :\d+ \(.*\)/, '- :PORT (node)');

it.skipIf(process.platform !== 'linux')(
  'the sample in README.md is what the program prints',
  async () => {
    const readme = readFileSync(path.join(import.meta.dirname, '../../../README.md'), 'utf8');
    const [, sample] = /```\n\$ ben10 context --level full\n([\s\S]*?)```/.exec(readme)!;
    const dir = repository(path.join(scratch(), 'shop'), {
      'package.json':
        '{ "name": "shop", "scripts": { "dev": "node server.js", "test": "node --test" } }',
      'src/limit.js': 'export const limit = 1;',
      'server.js':
        "const s = require('node:http').createServer(); s.listen(0, () => console.log(s.address().port));",
      '.gitignore': '.ben10\n',
    });
    git(dir, 'commit', '-q', '--amend', '-m', 'A shop');
    git(dir, 'checkout', '-q', '-b', 'rate-limiter');
    put(dir, { 'src/limit.js': 'export const limit = 2;' });
    mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
    const server = spawn(process.execPath, ['server.js'], { cwd: dir });
    onTestFinished(() => void server.kill('SIGKILL'));
    await once(server.stdout, 'data');
    const run = (...args: string[]) => ben10(dir, args).stdout;
    run(
      'config',
      'set',
      'workspace.hints.default',
      'Start the server with npm run dev before the tests.',
    );
    const said = { session_id: 's', cwd: dir };
    await runHook(dir, 'UserPromptSubmit', {
      ...said,
      prompt: 'Add a rate limiter.',
      prompt_id: 'p',
    });
    for (const [index, command] of ['npm install', 'npm test', 'git commit -m wip'].entries()) {
      const call = {
        ...said,
        tool_name: 'Bash',
        tool_use_id: `t${index}`,
        tool_input: { command },
      };
      await runHook(dir, 'PreToolUse', call);
      if (command === 'npm test')
        await runHook(dir, 'PostToolUseFailure', { ...call, error: 'Exit code 1\nfailed' });
      else await runHook(dir, 'PostToolUse', { ...call, tool_response: { stdout: '' } });
    }
    run('context');
    run('work', 'save', 'Rate limiter: the test for bursts fails', '--todos=[~] bursts\n[ ] docs');
    git(dir, 'checkout', '-q', 'main');
    expect(settled(run('context', '--level', 'full'))).toBe(settled(sample!));
  },
);
