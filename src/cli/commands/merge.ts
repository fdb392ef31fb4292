import path from 'node:path';
import { Command, Option } from 'clipanion';
import { MERGE_STRATEGIES, merge } from '../../timetravel/merge.ts';
import { pathFrom } from '../../timetravel/path-text.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withWriting } from '../open.ts';
import { oneOf } from '../ui/arguments.ts';
import { plural } from '../ui/format.ts';

export class MergeCommand extends Ben10Command {
  static override paths = [['merge']];
  static override exits = { 0: 'decided, or there was nothing to decide', 1: 'it cannot be noted' };
  static override usage = Command.Usage({
    category: 'Save and go back',
    description: 'Decide what counts of files that were changed outside of the agent.',
    details: `
      After a git pull or work in an editor, files are not as the journal last saw them: \`ben10 diff\` shows which. This decides what
      the recorded state believes of them from now on. No file of yours is touched.

      disk: what is there now. A file that is gone is believed to be, one that was moved to be where it is.

      journal: what the agent last saw or left there. Starts of sessions do not tell of the difference any more, until the file
      changes again.

      newest: for each file the younger of the two.

      Without PATH it is about all files that differ, else about these files and folders. Each decision is noted in the journal.

      With \`--json\` it is {"session", "strategy", "files": [{"path", "believed", "hash", …}], "unknown"}.
    `,
    examples: [
      ['Take everything as it is now, after a pull', '$0 merge disk'],
      ['Say no more of this file', '$0 merge journal src/generated.ts'],
    ],
  });

  strategy = Option.String({ name: 'strategy' });
  files = Option.Rest({ name: 'path' });
  session = Option.String('--session', {
    description:
      '<ID> Of this session; the start of its id will do. By default the last active one.',
  });

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
          ? 'There is nothing to decide.'
          : `${plural(merged.files.length, 'file')} decided.`,
      );
      if (unknown > 0) this.note(`Of ${plural(unknown, 'file')} it is not known: see ben10 diff.`);
      return EXIT.ok;
    });
  }
}
