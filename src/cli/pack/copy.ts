import { Command, Option } from 'clipanion';
import { copyPack } from '../../packs/change.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';

export class PackCopyCommand extends Ben10Command {
  static override paths = [['pack', 'copy']];
  static override exits = {
    0: 'copied',
    1: 'there is no such pack, there is one of the new name, or the write failed',
  };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'Make a pack with the sources of another.',
    details: `
      Outputs of commands are not copied: \`ben10 pack capture\` runs them for the copy.

      With \`--json\`: {"name", "from"}.
    `,
    examples: [['Try something else', '$0 pack copy auth auth-small']],
  });

  from = Option.String({ name: 'name' });
  to = Option.String({ name: 'new' });

  async execute(): Promise<Exit> {
    const { from, to } = this;
    return withWriting(this.context, (project) => {
      copyPack(project, from, to, 'cli');
      return this.answer({ name: to, from }, () => [`Pack ${to} has what ${from} has.`]);
    });
  }
}
