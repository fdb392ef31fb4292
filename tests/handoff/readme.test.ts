import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ben10, emptyProject, SESSIONS } from '../cli/support.ts';

const README = path.join(import.meta.dirname, '../../README.md');
const RECORDED = path.join(SESSIONS, 'working-session/projects/-home-dev-todo-app');
const TODO = `export class Todos {
  items = [];
  add(text, due = null) {
    this.items.push({ text, due, done: false });
  }
}
`;

/** The folder as the recorded session left it, on a branch with an issue's name. */
function todoApp(): string {
  const dir = emptyProject();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, stdio: 'pipe' });
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  };
  git('init', '-q', '-b', 'feature/ANV-123-dates');
  git('config', 'user.email', 'dev@example.com');
  git('config', 'user.name', 'Dev');
  write('src/todo.js', TODO.replace(', due = null', '').replace('due, ', ''));
  git('add', '-A');
  git('commit', '-qm', 'start');
  write('src/todo.js', TODO);
  write('docs/dates.md', '# Dates\n\nISO strings, UTC.\n');
  const [file] = readdirSync(RECORDED).sort();
  const transcript = readFileSync(path.join(RECORDED, file!), 'utf8');
  write('.ben10/session.jsonl', transcript.replaceAll('/home/dev/todo-app', dir));
  ben10(dir, ['import', path.join(dir, '.ben10/session.jsonl')]);
  return dir;
}

it('a handoff is taken and verified as README.md shows', { tags: 'long' }, () => {
  const [, sample] = /```\n(\$ ben10 checkpoint --handoff[\s\S]*?)```/.exec(
    readFileSync(README, 'utf8'),
  )!;
  const dir = todoApp();
  const shown = sample!.split(/^\$ (.*)\n/m).slice(1);
  let printed = '';
  for (let i = 0; i < shown.length; i += 2) {
    const typed = shown[i]!;
    const words = /^ben10 (.*)/.exec(typed)?.[1]?.match(/"[^"]*"|\S+/g);
    if (words === undefined || words === null) execFileSync('sh', ['-c', typed], { cwd: dir });
    printed += `$ ${typed}\n`;
    if (words)
      printed += ben10(
        dir,
        words.map((word) => word.replaceAll('"', '')),
      ).stdout;
  }
  const settled = (text: string) =>
    text.replace(/\d{4}-\d\d-\d\d-\d{4}/g, 'TIME').replace(/ as [0-9a-f]{12} /, ' as COMMIT ');
  expect(settled(printed)).toBe(settled(sample!));
});
