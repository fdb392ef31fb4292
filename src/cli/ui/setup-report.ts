import path from 'node:path';
import { COMMANDS_FOLDER } from '../../setup/command-files.ts';
import type { PlannedEdit, SetupPlan } from '../../setup/plan-edit.ts';

const DONE = { create: 'created', change: 'changed', remove: 'removed', keep: 'kept' } as const;

/** What a plan changed, a line a file; those of `.ben10` are one. */
export function editLines({ projectDir, edits }: SetupPlan, dry: boolean): string[] {
  const word = (action: keyof typeof DONE) => (dry ? action : DONE[action]);
  const due = edits.filter(({ action }) => action !== 'keep');
  const isOwn = ({ file, action }: PlannedEdit) =>
    file.startsWith('.ben10/') && action === 'create';
  const own = due.filter(isOwn).map(({ file }) => path.posix.basename(file));
  const isCommand = ({ file }: PlannedEdit) => file.startsWith(`${COMMANDS_FOLDER}/`);
  const commands = due.filter(isCommand);
  const others = due.filter((edit) => !isOwn(edit) && !isCommand(edit));
  const rows = others.map((edit) => {
    const kind = edit.isShared ? 'shared: ' : '';
    return row(word(edit.action), placeOf(projectDir, edit), kind + edit.why);
  });
  if (commands.length > 0) {
    const names = commands.map(({ file }) => `/${path.posix.basename(file, '.md')}`);
    rows.push(row(word(commands[0]!.action), `${COMMANDS_FOLDER}/`, names.join(', ')));
  }
  if (own.length > 0)
    rows.push(row(word('create'), '.ben10/', `${own.join(' and ')}; the journal will be here`));
  return rows;
}

const row = (done: string, file: string, why: string): string =>
  `  ${done.padEnd(7)} ${file}: ${why}`;

/** As in a unified diff: relative to the project where it is inside. */
export function placeOf(projectDir: string, { folder, file }: PlannedEdit): string {
  if (folder === undefined) return file;
  const absolute = path.join(folder, file);
  const relative = path.relative(projectDir, absolute);
  return relative.startsWith('..') ? absolute : relative.replaceAll(path.sep, '/');
}

/** Who gets what was changed. */
export function sharingLine({ edits }: SetupPlan): string {
  const shared = [...new Set(edits.filter(({ isShared }) => isShared).map(({ file }) => file))];
  if (shared.length === 0)
    return 'All of it is private: git status stays as it was, and nobody else notices anything.';
  return `Shared through git: ${shared.join(', ')}, silent where ben10 is not installed. The rest is private, and git ignores it.`;
}

/** What to do after `init`. */
export const nextLines = (user: boolean): string[] => [
  ...(user ? ['  1. Start claude in any project as usual.'] : START),
  '  2. See what was recorded:  ben10 log     ben10 status',
  '  3. If something is wrong:  ben10 doctor',
  '',
  'To import earlier sessions, see: ben10 import --help',
];

const START = [
  '  1. Start claude here as usual. If it asks "New MCP server found in this',
  '     project: ben10", choose "Use this MCP server". "Continue without" is fine,',
  "     too: all is recorded, only the model's tools are missing (later: /mcp).",
];
