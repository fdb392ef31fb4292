import { Command, Option } from 'clipanion';
import { deletePack } from '../../packs/change.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';

export class PackDeleteCommand extends Ben10Command {
  static override paths = [['pack', 'delete']];
  static override exits = { 0: 'deleted', 1: 'there is no such pack, or the write failed' };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'Delete a pack; its snapshots stay.',
    details: `
      Files are not touched, and its events stay in the journal.

      With \`--json\`: {"deleted"}.
    `,
    examples: [['Delete one', '$0 pack delete auth-small']],
  });

  name = Option.String({ name: 'name' });

  async execute(): Promise<Exit> {
    const { name } = this;
    return withWriting(this.context, (project) => {
      deletePack(project, name, 'cli');
      return this.answer({ deleted: name }, () => [`Pack ${name} is deleted; its snapshots stay.`]);
    });
  }
}
