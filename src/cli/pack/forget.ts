import { Command, Option } from 'clipanion';
import { forget, nameOfSnapshot } from '../../packs/kept/snapshots.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { snapshotJson } from '../ui/pack-snapshots.ts';

export class PackForgetCommand extends Ben10Command {
  static override paths = [['pack', 'forget']];
  static override exits = { 0: 'removed', 1: 'there is no such snapshot, or the write failed' };
  static override words = ['packSnapshots'] as const;
  static override usage = Command.Usage({
    description: 'Remove a snapshot of packs.',
    details: `
      LABEL-OR-ID is one's name, or the start of its id. Its bytes go with the last snapshot that has them. That it was there stays in the journal; if a secret is in it, use
      \`ben10 erase\`.

      With \`--json\` a list of the removed ones, as \`ben10 pack snapshots --json\` has them.
    `,
    examples: [
      ['One of them', '$0 pack forget v1.0'],
      ['What is there?', '$0 pack snapshots'],
    ],
  });

  snapshots = Option.Rest({ name: 'label-or-id', required: 1 });

  async execute(): Promise<Exit> {
    return withWriting(this.context, (project) => {
      const gone = this.snapshots.map((one) => forget(project, one, 'cli'));
      return this.answer(gone.map(snapshotJson), () =>
        gone.map((one) => `- ${nameOfSnapshot(one)}  of ${one.packs.join(', ')}`),
      );
    });
  }
}
