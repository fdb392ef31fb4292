import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ben10, emptyProject, json } from '../cli/support.ts';
import { runHook } from '../hook/run-hook.ts';

const SECRET = 'zqKanariVogel7731';

it('settings of the user, of the client and of another program that hold it are named, and left to their owner', async () => {
  const dir = emptyProject();
  const told = { hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt_id: 'p1', cwd: dir };
  await runHook(dir, 'UserPromptSubmit', { ...told, prompt: `the token is ${SECRET}` });
  const user = path.join(dir, 'no-home/.config/ben10/config.yaml');
  for (const folder of [path.dirname(user), path.join(dir, '.claude')])
    mkdirSync(folder, { recursive: true });
  const files = ['.contextkeeper.toml', '.claude/settings.json', '.mcp.json'];
  for (const file of files) writeFileSync(path.join(dir, file), '{}');
  const allowed = { permissions: { allow: [`Bash(curl -H "key: ${SECRET}")`] } };
  writeFileSync(path.join(dir, '.claude/settings.local.json'), JSON.stringify(allowed));
  writeFileSync(path.join(dir, 'contextkeeper.toml'), `# ${SECRET}\n`);
  writeFileSync(path.join(dir, 'dotfiles.yaml'), `workspace:\n  hints:\n    default: ${SECRET}\n`);
  symlinkSync(path.join(dir, 'dotfiles.yaml'), user);
  const erased = ben10(dir, ['erase', '--pattern', SECRET, '--yes', '--json']);
  expect(erased.status).toBe(0);
  const holding = [user, 'contextkeeper.toml', '.claude/settings.local.json'];
  expect(json(erased).left).toEqual(holding.map((file) => ({ file, what: 'settings' })));
});

it('handoff documents that hold it are named, and left to the user', async () => {
  const dir = emptyProject();
  const told = { hook_event_name: 'UserPromptSubmit', session_id: 's1', prompt_id: 'p1', cwd: dir };
  await runHook(dir, 'UserPromptSubmit', { ...told, prompt: `the token is ${SECRET}` });
  mkdirSync(path.join(dir, '.claude/handoffs'), { recursive: true });
  const file = '.claude/handoffs/2026-01-07-1145.md';
  writeFileSync(path.join(dir, file), `# ${SECRET}\n`);
  const erased = ben10(dir, ['erase', '--pattern', SECRET, '--yes', '--json']);
  expect(json(erased).left).toEqual([{ file, what: 'document' }]);
  const again = ben10(dir, ['erase', '--pattern', SECRET]);
  expect(again.stdout + again.stderr).toContain(`${file} contains it, too. It is yours`);
});
