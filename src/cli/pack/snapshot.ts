import { Command, Option } from 'clipanion';
import { takeSnapshot } from '../../packs/kept/snapshots.ts';
import { renderWords } from '../../packs/of-project.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { snapshotJson, snapshotLine } from '../ui/pack-snapshots.ts';
import { budgetOf } from './policy.ts';

export class PackSnapshotCommand extends Ben10Command {
  static override paths = [['pack', 'snapshot']];
  static override exits = { 0: 'kept', 1: 'there is no such pack, or the write failed' };
  static override words = ['packs', 'packs', 'packs', 'packs'] as const;
  static override choices = { PACK: 'packs' as const };
  static override busy = 'rendering';
  static override usage = Command.Usage({
    description: 'Keep what a pack renders now.',
    details: `
      \`ben10 pack render LABEL\` gives back these bytes, whatever becomes of the files. With a name it stays until
      \`ben10 pack forget\`; without one it goes for its number, age or size (settings \`packs.keep\`, \`keepDays\`,
      \`maxStorageMb\`). A name may be given again: then the newest counts.

      With \`--json\`: {"id", "label", "auto", "packs", "created", "tokens", "bytes", "items", "render_hash", "payload_hash"}.
    `,
    examples: [
      ['Before a release', '$0 pack snapshot auth --name v1.0'],
      ['What differs by now?', '$0 pack diff v1.0'],
    ],
  });

  names = Option.Rest({ name: 'pack', required: 1 });
  label = Option.String('--name', { description: '<LABEL> How to call it.' });
  withPack = Option.Array('--with-pack', [], {
    description: '<PACK> This one, too, behind the others. May be repeated.',
  });
  budget = Option.String('--budget', {
    description: '<TOKENS> Another limit, for once; none for no limit.',
  });
  at = Option.String('--at', {
    description: '<POINT> Packs and files as they were then. For points, see: ben10 replay --help.',
  });

  async execute(): Promise<Exit> {
    const { label } = this;
    const budgetTokens = budgetOf(this.budget);
    return withWriting(this.context, async (project) => {
      const words = [...this.names, ...this.withPack];
      const { rendered, about } = await renderWords(project, words, { budgetTokens, at: this.at });
      const record = takeSnapshot(project, rendered, { ...about, label, auto: false }, 'cli');
      return this.answer(snapshotJson(record), () => [snapshotLine(record)]);
    });
  }
}
