import path from 'node:path';
import { Command, Option } from 'clipanion';
import { readPacks } from '../../packs/portable/read.ts';
import { type Verified, verifyFile, verifySnapshot } from '../../packs/verify.ts';
import { nodeFs } from '../../platform/fs.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withFiles, withJournal } from '../open.ts';
import { itemLines } from '../ui/pack-diff.ts';

const FILE = /[/\\]|\.ya?ml$/;

export class PackVerifyCommand extends Ben10Command {
  static override paths = [['pack', 'verify']];
  static override exits = { 0: 'all render the same', 1: 'something differs' };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'Does it render the same here?',
    details: `
      - FILE, as \`ben10 pack export --lock\` wrote it: each pack in it is rendered from the files of this folder, and its hash
        compared with the lock's. No journal is needed, and nothing is written, so it serves in CI.
      - NAME of a pack, or of a snapshot: what it renders now is compared with the snapshot; of a pack with its newest one.

      If the hash is another, each item that differs is listed with its tokens. Where none is, the policy or the order is another.

      With \`--json\` a list of {"name", "same", "render_hash", "expected", "items": [{"kind", "label", "before", "after"}]}; of an item
      that is only on one side one number of tokens is missing.
    `,
    examples: [
      ['In a clone', '$0 pack verify ben10.packs.yaml'],
      ['Did anything change since?', '$0 pack verify v1.0'],
    ],
  });

  what = Option.String({ name: 'FILE | NAME' });

  async execute(): Promise<Exit> {
    const { what, context } = this;
    const all = FILE.test(what)
      ? await this.#file()
      : [await withJournal(context, (project) => verifySnapshot(project, what))];
    this.answer(
      all.map(({ name, isSame, renderHash, expected, differences }) => ({
        name,
        same: isSame,
        render_hash: renderHash,
        expected,
        items: differences.map(({ kind, label, before, after }) => ({
          kind,
          label,
          before: before?.tokens,
          after: after?.tokens,
        })),
      })),
      () => all.flatMap(linesOf),
    );
    return all.every(({ isSame }) => isSame) ? EXIT.ok : EXIT.notSo;
  }

  async #file(): Promise<Verified[]> {
    const packs = await readPacks(nodeFs, path.resolve(this.context.cwd, this.what));
    return withFiles(this.context, (project) => verifyFile(project, packs));
  }
}

function linesOf({ name, isSame, renderHash, expected, differences }: Verified): string[] {
  if (isSame) return [`${name} is the same: render ${renderHash}`];
  const told =
    differences.length === 0
      ? ['All items are the same; the policy or the order is another.']
      : itemLines(differences);
  return [`${name} differs: render ${renderHash}, expected ${expected}`, ...told];
}
