import { Command, Option } from 'clipanion';
import { sizeOfPayload } from '../../packs/kept/payload-file.ts';
import { snapshotsOf } from '../../packs/kept/snapshots.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { bytes, count, shortTime } from '../ui/format.ts';
import { snapshotJson } from '../ui/pack-snapshots.ts';
import { table } from '../ui/table.ts';

export class PackSnapshotsCommand extends Ben10Command {
  static override paths = [['pack', 'snapshots']];
  static override exits = { 0: 'listed, if only that there is none', 1: 'no journal is here' };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'List what was kept of packs, the newest first.',
    details: `
      Those without a label were kept by themselves, or without \`--name\`. Equal ones share their room on the disk.

      With \`--json\` a list of {"id", "label", "auto", "packs", "created", "tokens", "bytes", "items", "render_hash", "payload_hash",
      "stored"}; stored is the file's size, 0 if it is gone.
    `,
    examples: [['Of one pack', '$0 pack snapshots auth']],
  });

  name = Option.String({ name: 'name', required: false });

  async execute(): Promise<Exit> {
    const { name } = this;
    return withJournal(this.context, (project) => {
      const all = snapshotsOf(project)
        .filter(({ packs }) => name === undefined || packs.includes(name))
        .reverse();
      const stored = all.map((one) => sizeOfPayload(project, one.file));
      const data = all.map((one, at) => ({ ...snapshotJson(one), stored: stored[at] }));
      return this.answer(data, () => {
        if (all.length === 0)
          return ['No snapshot is kept. To keep one: ben10 pack snapshot NAME --name v1.0'];
        const rows = all.map(({ id, label, packs, tokens, items, createdAt }, at) => [
          id,
          label ?? '',
          oneLine(packs.join(', ')),
          count(tokens),
          count(items),
          stored[at] === 0 ? 'gone' : bytes(stored[at]!),
          shortTime(createdAt, this.context.now()),
        ]);
        return table(['id', 'label', 'packs', '>tokens', '>items', '>room', 'made'], rows);
      });
    });
  }
}
