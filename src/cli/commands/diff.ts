import { Command, Option } from 'clipanion';
import type { Project } from '../../project/open.ts';
import { diffPoints } from '../../timetravel/diff.ts';
import { diffFiles, unifiedOfPoints } from '../../timetravel/diff-files.ts';
import { rangeOf } from '../../timetravel/points.ts';
import { renderDiff } from '../../timetravel/render-diff.ts';
import { Ben10Command, SESSION } from '../command.ts';
import { withJournal } from '../open.ts';

export class DiffCommand extends Ben10Command {
  static override paths = [['diff']];
  static override exits = { 0: 'printed', 1: 'the point or session does not exist' };
  static override words = ['points', 'points'] as const;
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'For the files: see what changed, and undo it with git apply.',
    details: `
      Without a point, compares the files on disk with their last version in the journal. This shows changes by an editor,
      a shell command or git. A missing file counts as moved if an untouched file has the same content. Added files are
      those made since the session began, by no tool. Files in \`.gitignore\` or \`context.excludePatterns\`, files
      outside of the project, modes and owners are not compared. If a limit was reached, a line says so.

      With one point, shows what changed from there until now; with two (or A..B), what changed between them: messages, files, tool
      calls, tasks, decisions, rules, tokens. For points, see \`ben10 replay --help\`.

      With \`--json\`: {"kind": "files" | "states", …}, complete.
    `,
    examples: [
      ['Which files changed?', '$0 diff'],
      ['Line by line', '$0 diff --unified'],
      ['Put files back as the agent last saw them', '$0 diff --unified | git apply -R'],
      ['What changed since a save?', '$0 diff @save:before-refactoring'],
      ['What changed yesterday?', '$0 diff yesterday..yesterday'],
      ['What changed in the previous turn?', '$0 diff @prompt:-2 @prompt:-1'],
    ],
  });

  from = Option.String({ required: false, name: 'from' });
  to = Option.String({ required: false, name: 'to' });
  unified = Option.Boolean('-u,--unified', false, {
    description: 'Show files line by line, if the journal has their content. Secrets are redacted.',
  });
  session = Option.String('--session', SESSION);

  async execute() {
    const { from, to, session, unified } = this;
    if (unified && from !== undefined) throw unifiedOfPoints('--unified');
    return withJournal(this.context, (project) => {
      const diff =
        from === undefined
          ? diffFiles(project, { session, unified })
          : diffPoints(project, ...endsOf(project, from, to), { session });
      return this.answer(diff, () => [renderDiff(diff)]);
    });
  }
}

/** `A..B` is `A B`; a side left out is the beginning, or now. */
function endsOf(project: Project, from: string, to: string | undefined) {
  const range = to === undefined ? rangeOf(from, project.ports.clock.now()) : undefined;
  return range === undefined ? ([from, to] as const) : ([range.from, range.to] as const);
}
