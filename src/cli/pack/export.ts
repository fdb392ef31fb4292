import { Command, Option } from 'clipanion';
import { packsAt, packsOf } from '../../packs/of-project.ts';
import type { PortablePack } from '../../packs/portable/portable.ts';
import { lockOf } from '../../packs/portable/portable.ts';
import { writtenPacks } from '../../packs/portable/write.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { plural } from '../ui/format.ts';
import { writeOutput } from '../ui/output-file.ts';

export class PackExportCommand extends Ben10Command {
  static override paths = [['pack', 'export']];
  static override exits = { 0: 'written', 1: 'there is no such pack, or the write failed' };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'Write packs as a file that others can import.',
    details: `
      NAME is a pack; without any, all are written. Texts stand in the file; what a command printed, and what the journal knows, does not: such
      sources are marked \`local\`. With \`--lock\` it has the hash of what each pack renders, and a digest of each item, for
      \`ben10 pack verify\`; sources that are local, and sensitive files, have no part in it.

      With \`--json\`: {"file", "packs": [{"name", "artifacts", "render_hash"}], "yaml"}; the hash only with \`--lock\`, the text only
      without \`-o\`.
    `,
    examples: [
      ['For a colleague', '$0 pack export auth --lock -o ben10.packs.yaml'],
      ['All packs, on the screen', '$0 pack export'],
      ['Who has the same?', '$0 pack verify ben10.packs.yaml'],
    ],
  });

  names = Option.Rest({ name: 'name' });
  lock = Option.Boolean('--lock', false, { description: 'With the hash of what they render.' });
  output = Option.String('-o,--output', { description: '<FILE> Write to a file.' });

  async execute(): Promise<Exit> {
    return withJournal(this.context, async (project) => {
      const packs: PortablePack[] = [];
      for (const pack of portable(project, this.names))
        packs.push(this.lock ? { ...pack, lock: await lockOf(project, pack) } : pack);
      const yaml = writtenPacks(packs);
      const { output: file } = this;
      if (file !== undefined) writeOutput(this.context, project, file, yaml);
      else if (!this.json) {
        this.context.stdout.write(yaml);
        return EXIT.ok;
      }
      const data = packs.map(({ name, artifacts, lock }) => ({
        name,
        artifacts: artifacts.length,
        ...(lock && { render_hash: lock.renderHash }),
      }));
      return this.answer({ ...(file === undefined ? { yaml } : { file }), packs: data }, () => [
        `Wrote ${plural(packs.length, 'pack')} to ${oneLine(file!)}.`,
      ]);
    });
  }
}

/** @throws Ben10Error PACK_NOT_FOUND; USAGE for a source in place of a name */
function portable(project: Project, asked: readonly string[]): PortablePack[] {
  const names = asked.length > 0 ? asked : Object.keys(packsAt(project).packs);
  return packsOf(project, names).map(({ name, ...pack }) => {
    if (name !== undefined) return { ...pack, name, notes: [] };
    throw new Ben10Error('USAGE', 'only packs with a name can be exported', {
      next: 'Make one: ben10 pack create NAME',
    });
  });
}
