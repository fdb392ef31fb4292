import { Command, Option } from 'clipanion';
import { diffPoints } from '../../timetravel/diff.ts';
import { diffFiles, unifiedOfPoints } from '../../timetravel/diff-files.ts';
import { renderDiff } from '../../timetravel/render-diff.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';

export class DiffCommand extends Ben10Command {
  static override paths = [['diff']];
  static override exits = { 0: 'shown', 1: 'there is no such point or session' };
  static override usage = Command.Usage({
    category: 'Look at what was recorded',
    description:
      'Show what changed: files since the agent saw them, or the context between two points.',
    details: `
      Without a point, the files on disk are compared with what the journal last saw of each: who else changed one, by an editor, a
      shell command or git, shows here. One that is gone while another that no tool touched has the same content was moved. Added are
      files that were made since the session began and that no tool touched; what \`.gitignore\` files of the project or
      \`context.excludePatterns\` name is passed over. Only files inside the project's folder are opened, a link's
      never that leads out of it. Modes and owners are not compared: the journal does not know them. When there was more to look at than the limits allow, a line says so.

      With one point it is what changed from there until now, with two what changed between them: messages, files, tool calls, tasks,
      decisions, rules, tokens. Points are those of \`ben10 replay\`.

      With \`--json\` it is {"kind": "files" | "states", …}, whole.
    `,
    examples: [
      ['Who changed what meanwhile?', '$0 diff'],
      ['Line by line', '$0 diff --unified'],
      ['What happened since the save?', '$0 diff @save:before-refactoring'],
      ['And within the last turn but one?', '$0 diff @prompt:-2 @prompt:-1'],
    ],
  });

  from = Option.String({ required: false, name: 'from' });
  to = Option.String({ required: false, name: 'to' });
  unified = Option.Boolean('-u,--unified', false, {
    description:
      'Of files: also line by line, where the journal has what was in them. Secrets are left out.',
  });
  session = Option.String('--session', {
    description:
      '<ID> Of this session; the start of its id will do. By default the last active one.',
  });

  async execute() {
    const { from, to, session, unified } = this;
    if (unified && from !== undefined) throw unifiedOfPoints('--unified');
    return withJournal(this.context, (project) => {
      const diff =
        from === undefined
          ? diffFiles(project, { session, unified })
          : diffPoints(project, from, to, { session });
      if (this.json) this.printJson(diff);
      else this.print(renderDiff(diff));
      return EXIT.ok;
    });
  }
}
