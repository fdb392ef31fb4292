import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { factId } from '../../src/events/identity.ts';
import type { CheckpointBegun } from '../../src/events/types.ts';
import { documentOf, type HandoffDocument } from '../../src/handoff/document.ts';
import { journalRange } from '../../src/journal/read/range.ts';
import type { Project } from '../../src/project/open.ts';
import { folder, openTestProject } from '../support.ts';
import { ran, saw, tell } from '../tell.ts';

export const SESSION = 's';

/** What an agent edits: the file's new content, as the client reports it. */
export const wrote = (id: string, file: string, content: string) =>
  ran(
    id,
    'Write',
    { file_path: file, content },
    {
      response: { type: 'update', filePath: file, structuredPatch: [] },
    },
  );

/** What a command of the agent printed; without a code it passed. */
export const shell = (id: string, command: string, output: string, exitCode = 0) =>
  ran(
    id,
    'Bash',
    { command },
    exitCode === 0
      ? { response: { stdout: output, stderr: '', interrupted: false } }
      : { error: `Exit code ${exitCode}\n${output}`, exitCode },
  );

export const todos = (id: string, ...all: [string, string][]) =>
  ran(
    id,
    'TodoWrite',
    { todos: all.map(([content, status]) => ({ content, status })) },
    { response: 'Todos have been modified successfully' },
  );

export const prompted = (text: string, cwd?: string) =>
  saw('prompt.submitted', { text, ...(cwd !== undefined && { cwd }) });

/** Begins a checkpoint and renders its document, as a checkpoint is taken. */
export function documented(
  project: Project,
  given: Partial<CheckpointBegun> = {},
  session = SESSION,
): HandoffDocument {
  const { recorder, ports, reader } = project;
  const checkpoint = factId(SESSION, `test ${journalRange(ports, reader).last}`)
    .toString('hex')
    .slice(0, 16);
  const data: CheckpointBegun = {
    checkpoint,
    level: 'L2',
    trigger: 'turn-end',
    percent: 86,
    epoch: 'start',
    worktree: '.',
    ...given,
  };
  recorder.append([recorder.ownEvent('checkpoint.begun', session, data, 'hook')]);
  const { last: seq } = journalRange(ports, reader);
  return documentOf(project, { ...data, seq });
}

/** As a checkpoint is ended: the document is written and recorded. */
export function created(project: Project, given: Partial<CheckpointBegun> = {}) {
  const document = documented(project, given);
  const { recorder } = project;
  recorder.append([recorder.ownEvent('handoff.created', SESSION, document, 'hook')]);
  return document;
}

export { tell };

/** The lines of a section, without their marks. */
export function sectionOf({ text }: { text: string }, title: string): string[] {
  const lines = text.split('\n');
  const from = lines.indexOf(`## ${title}`);
  if (from === -1) throw new Error(`no section ${title}`);
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((line) => line === '' || line.startsWith('## '));
  return rest.slice(0, end).map((line) => line.replace(/^(?:- |\d+\. )/, ''));
}

export const FILES = Array.from({ length: 8 }, (_, n) => `src/part-${n}.ts`);
export const RULES =
  '# Rules\n\n## Parts\nEach src/part-0.ts is pure.\n\n## Mail\nNobody reads it.\n';

export const git = (dir: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: dir,
    stdio: 'pipe',
  });

/** A session that did a little of everything, and its handoff. */
export function handedOff(): { project: Project; file: string } {
  const contents = FILES.map((name, n) => [name, `export const part = ${n};\n`]);
  const dir = folder({ ...Object.fromEntries(contents), 'CLAUDE.md': RULES });
  git(dir, 'init', '-q');
  git(dir, 'add', '.');
  git(dir, 'commit', '-qm', 'All');
  const project = openTestProject(dir);
  tell(
    project,
    prompted('Split the module into parts. Never use default exports.', dir),
    ...contents.flatMap(([name, content], n) => wrote(`w${n}`, path.join(dir, name!), content!)),
    ...shell('t1', 'npm test', '8 passed'),
    ...shell('t2', 'npm run lint', 'error: part-3.ts is too long', 1),
    ...todos('d1', ['Split the parser', 'completed'], ['Split the printer', 'in_progress']),
    saw('message.recorded', {
      role: 'assistant',
      kind: 'text',
      text: 'I decided to keep one file a part, because the bundler loads each on demand.',
    }),
  );
  const document = created(project, { nextSteps: ['Split the printer', 'Then mend the lint'] });
  const file = path.join(dir, document.file);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, document.text);
  return { project, file };
}
