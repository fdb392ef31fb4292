import { Command, Option } from 'clipanion';
import { shellWord } from '../../platform/shell-word.ts';
import { catchUp } from '../../project/catch-up.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { listSaves, NAME_CHARS_MAX, save } from '../../timetravel/saves.ts';
import { Ben10Command, EXIT, SESSION } from '../command.ts';
import { withJournal, withWriting } from '../open.ts';
import { bytes, dateTime } from '../ui/format.ts';
import { table } from '../ui/table.ts';

export class SaveCommand extends Ben10Command {
  static override paths = [['save']];
  static override exits = {
    0: 'saved, or listed',
    1: 'nothing was recorded yet, or the write failed',
  };
  static override usage = Command.Usage({
    category: 'Save and go back',
    description: 'Save the state of a session under a name.',
    details: `
      Saves what the agent knows, did and has open. The save is synced to disk, and never removed automatically. Of several
      saves with one name, the name means the newest; \`--list\` shows all. A name has up to ${NAME_CHARS_MAX} characters; the default is
      the time.

      With \`--json\`: {"name", "seq", "file", "bytes"}, and with \`--list\` a list of {"name", "seq", "at", "bytes"}.
    `,
    examples: [
      ['Before something risky', '$0 save before-refactoring'],
      ['List all saves', '$0 save --list'],
      ['Print a save', '$0 restore @save:before-refactoring'],
      ['What changed since a save?', '$0 diff @save:before-refactoring'],
    ],
  });

  name = Option.String({ required: false, name: 'name' });
  list = Option.Boolean('--list', false, { description: 'List all saves, newest first.' });
  session = Option.String('--session', SESSION);

  async execute() {
    if (this.list) return withJournal(this.context, (project) => this.#list(listSaves(project)));
    const { name, session } = this;
    return withWriting(this.context, (project, config) => {
      if (config.context.autoSave) catchUp(project, session);
      const saved = save(project, { name, session });
      const shown = oneLine(saved.name);
      const what = `Saved "${shown}": everything up to @${saved.seq}, ${bytes(saved.bytes)}.`;
      return this.answer(saved, () => [
        this.colours.green(what),
        `To print it: ben10 restore ${shellWord(`@save:${shown}`)}`,
      ]);
    });
  }

  #list(saves: ReturnType<typeof listSaves>) {
    const newest = saves.toReversed();
    if (this.json) this.printJson(newest);
    else if (newest.length === 0) this.print('There is no save yet. To make one: ben10 save NAME');
    else {
      const rows = newest.map(({ name, seq, at, bytes: size }) => [
        oneLine(name),
        `@${seq}`,
        dateTime(at),
        size === 0 ? 'rebuilt when needed' : bytes(size),
      ]);
      this.print(...table(['name', '>up to', 'when', '>size'], rows));
    }
    return EXIT.ok;
  }
}
