import path from 'node:path';
import { Command, Option } from 'clipanion';
import { MERGE_STRATEGIES, merge } from '../../timetravel/merge.ts';
import { pathFrom } from '../../timetravel/text.ts';
import { Ben10Command, EXIT, SESSION } from '../command.ts';
import { withWriting } from '../open.ts';
import { oneOf } from '../ui/arguments.ts';
import { plural } from '../ui/format.ts';

export class MergeCommand extends Ben10Command {
  static override paths = [['merge']];
  static override exits = { 0: 'done, also if no file differs', 1: 'the write failed' };
  static override words = [MERGE_STRATEGIES, 'files'] as const;
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'Files changed outside the agent: choose which version counts.',
    details: `
      After a git pull or work in an editor, files differ from their last version in the journal; \`ben10 diff\` shows which.
      This command sets the version in the recorded state. Your files are not changed.

      - disk: the current file; one that was deleted or moved counts as such
      - journal: the agent's last version; the difference is not reported again until the file changes
      - newest: the newer of the two, for each file

      Without PATH this covers all files that differ, otherwise the given files and folders. Each decision is recorded.

      With \`--json\`: {"session", "strategy", "files": [{"path", "believed", "hash", …}], "unknown"}.
    `,
    examples: [
      ['Accept all changes after a git pull', '$0 merge disk'],
      ['Ignore the change of a file', '$0 merge journal src/generated.ts'],
    ],
  });

  strategy = Option.String({ name: 'strategy' });
  files = Option.Rest({ name: 'path' });
  session = Option.String('--session', SESSION);

  async execute() {
    const strategy = oneOf('strategy', this.strategy, MERGE_STRATEGIES);
    const paths = this.files.map((name) => path.resolve(this.context.cwd, name));
    return withWriting(this.context, (project) => {
      const merged = merge(project, { strategy, paths, session: this.session, source: 'cli' });
      if (this.json) {
        this.printJson(merged);
        return EXIT.ok;
      }
      const { unknown } = merged;
      for (const { path: name, believed, movedTo } of merged.files) {
        const to = movedTo === undefined ? '' : ` (now ${pathFrom(movedTo, project.dir)})`;
        this.print(`${believed.padEnd(7)}  ${pathFrom(name, project.dir)}${to}`);
      }
      this.note(
        merged.files.length === 0
          ? 'No file differs.'
          : `${plural(merged.files.length, 'file')} decided.`,
      );
      if (unknown > 0) this.note(`Not known: ${plural(unknown, 'file')}; see ben10 diff.`);
      return EXIT.ok;
    });
  }
}
