import { Command, Option } from 'clipanion';
import { removeArtifact } from '../../packs/change.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { artifactLines } from '../ui/packs.ts';

export class PackRemoveCommand extends Ben10Command {
  static override paths = [['pack', 'remove']];
  static override exits = { 0: 'removed', 1: 'there is no such pack or source' };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'Take sources out of a pack.',
    details: `
      SOURCE is one as it was added, the start of its id, or a plain path. No file is touched.

      With \`--json\`: {"name", "removed": [{"id", "kind", "source", "priority", "options", "added"}]}.
    `,
    examples: [
      ['By its id', '$0 pack remove auth 3f9c12ab'],
      ['As it was added', "$0 pack remove auth 'glob:src/auth/**/*.ts'"],
    ],
  });

  name = Option.String({ name: 'name' });
  sources = Option.Rest({ name: 'source', required: 1 });

  async execute(): Promise<Exit> {
    const { name } = this;
    return withWriting(this.context, (project) => {
      const removed = this.sources.map((one) => removeArtifact(project, name, one, 'cli'));
      return this.answer({ name, removed }, () =>
        artifactLines(removed.map((artifact) => ({ artifact, sign: '-' }))),
      );
    });
  }
}
