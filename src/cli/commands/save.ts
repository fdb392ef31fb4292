import { Command, Option } from 'clipanion';
import { Ben10Error } from '../../platform/errors.ts';
import { shellWord } from '../../platform/shell-word.ts';
import { catchUp } from '../../project/catch-up.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { deleteSaves, listSaves, NAME_CHARS_MAX, save } from '../../timetravel/saves.ts';
import { Ben10Command, EXIT, type Exit, SESSION } from '../command.ts';
import { withJournal, withWriting } from '../open.ts';
import { bytes, dateTime, plural } from '../ui/format.ts';
import { table } from '../ui/table.ts';

export class SaveCommand extends Ben10Command {
  static override paths = [['save']];
  static override exits = {
    0: 'saved, listed, or deleted',
    1: 'nothing was recorded yet, there is no such save, or the write failed',
  };
  static override words = [['list', 'delete'], 'saves'] as const;
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'Before something risky: keep the agent’s state under a name.',
    details: `
      - NAME: saves what the agent knows, did and has open. The save is synced to disk, and never removed automatically. Of
        several saves with one name, the name means the newest. A name has up to ${NAME_CHARS_MAX} characters; the default is the time.
      - list: all saves, newest first. A pinned one is the only copy, because the journal no longer has its events.
      - delete NAME: deletes all saves of that name; a pinned one only with \`--force\`. The events stay in the journal.

      It keeps no copy of the project's files: for these see \`ben10 restore --help\`.

      With \`--json\`: {"name", "seq", "file", "bytes"}; for list a list of {"name", "seq", "at", "bytes", "holds", "pinned"};
      for delete {"name", "seqs", "bytes", "pinned"}.
    `,
    examples: [
      ['Before something risky', '$0 save before-refactoring'],
      ['List all saves', '$0 save list'],
      ['Print a save', '$0 restore @save:before-refactoring'],
      ['What changed since a save?', '$0 diff @save:before-refactoring'],
      ['Delete it', '$0 save delete before-refactoring'],
    ],
  });

  what = Option.String({ required: false, name: 'NAME | list | delete' });
  name = Option.String({ required: false, name: 'name' });
  force = Option.Boolean('--force', false, { description: 'Delete a pinned one.' });
  session = Option.String('--session', SESSION);

  async execute(): Promise<Exit> {
    const { what, name } = this;
    if (what === 'list' && name === undefined)
      return withJournal(this.context, (project) => this.#list(listSaves(project)));
    if (what === 'delete' && name !== undefined) return this.#delete(name);
    if (what !== 'delete' && name === undefined) return this.#save(what);
    throw new Ben10Error('USAGE', 'save takes NAME, "list" or "delete NAME"', {
      next: 'Quote a name of several words, as in: ben10 save "before the refactoring"',
    });
  }

  #delete(name: string): Promise<Exit> {
    return withWriting(this.context, (project) => {
      const deleted = deleteSaves(project, name, this.force);
      const { seqs, pinned } = deleted;
      return this.answer(deleted, () => [
        `Deleted ${plural(seqs.length, 'save')} named "${oneLine(name)}", ${bytes(deleted.bytes)}.`,
        ...(pinned ? [] : [`Its events stay: ben10 restore @${seqs.at(-1)}`]),
      ]);
    });
  }

  #save(name: string | undefined): Promise<Exit> {
    const { session } = this;
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

  #list(saves: ReturnType<typeof listSaves>): Exit {
    const newest = saves.toReversed();
    if (this.json) this.printJson(newest);
    else if (newest.length === 0) this.print('There is no save yet. To make one: ben10 save NAME');
    else {
      const rows = newest.map(({ name, seq, at, bytes: size, holds, pinned }) => [
        oneLine(name),
        dateTime(at),
        `@${seq}`,
        size === 0 ? 'rebuilt when needed' : bytes(size),
        holds === null
          ? ''
          : `${plural(holds.messages, 'message')}, ${plural(holds.files, 'file')}`,
        pinned ? 'pinned' : '',
      ]);
      this.print(...table(['name', 'when', '>up to', '>size', 'holds', ''], rows));
    }
    return EXIT.ok;
  }
}
