import { Command, Option } from 'clipanion';
import { catchUp } from '../../project/catch-up.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { listSaves, NAME_CHARS_MAX, save } from '../../timetravel/saves.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal, withWriting } from '../open.ts';
import { bytes, dateTime } from '../ui/format.ts';
import { table } from '../ui/table.ts';

export class SaveCommand extends Ben10Command {
  static override paths = [['save']];
  static override exits = {
    0: 'saved, or listed',
    1: 'nothing was recorded yet, or it cannot be written',
  };
  static override usage = Command.Usage({
    category: 'Save and go back',
    description: 'Save what the agent knows, did and has open, under a name.',
    details: `
      The save is on the disk when the command returns, and is never removed by itself. Saving a name twice keeps both: the name
      means the newest, and \`--list\` shows all. A name is up to ${NAME_CHARS_MAX} characters; without one it is the time.

      With \`--json\` it is {"name", "seq", "file", "bytes"}, and with \`--list\` a list of {"name", "seq", "at", "bytes"}.
    `,
    examples: [
      ['Before something risky', '$0 save before-refactoring'],
      ['Which are there?', '$0 save --list'],
      ['What was the state?', '$0 restore @save:before-refactoring'],
      ['What changed since?', '$0 diff @save:before-refactoring'],
    ],
  });

  name = Option.String({ required: false, name: 'name' });
  list = Option.Boolean('--list', false, { description: 'List all saves, the newest first.' });
  session = Option.String('--session', {
    description:
      '<ID> Of this session; the start of its id will do. By default the last active one.',
  });

  async execute() {
    if (this.list) return withJournal(this.context, (project) => this.#list(listSaves(project)));
    const { name, session } = this;
    return withWriting(this.context, (project, config) => {
      if (config.context.autoSave) catchUp(project, session);
      const saved = save(project, {
        ...(name === undefined ? {} : { name }),
        ...(session === undefined ? {} : { session }),
      });
      if (this.json) this.printJson(saved);
      else {
        const shown = oneLine(saved.name);
        this.print(
          this.colours.green(
            `Saved "${shown}": everything up to @${saved.seq}, ${bytes(saved.bytes)}.`,
          ),
        );
        this.print(`It comes back with: ben10 restore ${quoted(`@save:${shown}`)}`);
      }
      return EXIT.ok;
    });
  }

  #list(saves: ReturnType<typeof listSaves>) {
    const newest = saves.toReversed();
    if (this.json) this.printJson(newest);
    else if (newest.length === 0) this.print('Nothing was saved yet: ben10 save NAME');
    else {
      const rows = newest.map(({ name, seq, at, bytes: size }) => [
        oneLine(name),
        `@${seq}`,
        dateTime(at),
        size === 0 ? 'made again from the journal' : bytes(size),
      ]);
      this.print(...table(['name', '>up to', 'when', '>size'], rows));
    }
    return EXIT.ok;
  }
}

/** As a shell takes it. */
const quoted = (text: string): string =>
  /^[\w@:.,/+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
