import { Command, Option } from 'clipanion';
import { type Cause, causesOf } from '../../packs/causes.ts';
import { differencesOf, patchOf, type Side, sideOf } from '../../packs/compare.ts';
import { payloadOrAnew } from '../../packs/kept/anew.ts';
import { findSnapshot, nameOfSnapshot } from '../../packs/kept/snapshots.ts';
import { newestOf } from '../../packs/kept/stale.ts';
import { isPack, packsAt, renderWords } from '../../packs/of-project.ts';
import type { Excluded } from '../../packs/render/render.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import type { ArtifactRecord, PackSnapshotRecord } from '../../projections/folds/packs.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { diffJson, diffLines } from '../ui/pack-diff.ts';

/** One of what is compared. */
export interface Compared extends Side {
  /** As people call it. */
  name: string;
  /** Undefined: it is what is rendered now. */
  record?: PackSnapshotRecord;
  excluded: readonly Excluded[];
}

export class PackDiffCommand extends Ben10Command {
  static override paths = [['pack', 'diff']];
  static override exits = {
    0: 'they are the same',
    1: 'they differ, or there is no such pack or snapshot',
  };
  static override words = ['packSnapshots', 'packSnapshots'] as const;
  static override busy = 'rendering';
  static override usage = Command.Usage({
    description:
      'Show what differs between two snapshots, or a snapshot and now, and who changed it.',
    details: `
      A and B are packs, which stand for what they render now, or labels or ids of snapshots. Without B, a snapshot is compared with now,
      and a pack with its newest snapshot, first of all a labelled one. For each file stands the last recorded call that changed it in
      between, and the prompt that asked for it.

      With \`--json\`: {"before", "after", "tokens", "items": [{"label", "status", "path", "tokens_before", "tokens_after", "tokens", "cause":
      {"seq", "tool", "session", "at", "outside", "prompt": {"number", "seq", "text"}}, "reason", "patch"}]}; status is changed, added or
      removed.
    `,
    examples: [
      ['Since the newest snapshot', '$0 pack diff auth'],
      ['Two snapshots, with their lines', '$0 pack diff v1.0 v1.1 --unified'],
    ],
  });

  before = Option.String({ name: 'a' });
  after = Option.String({ name: 'b', required: false });
  unified = Option.Boolean('-u,--unified', false, { description: 'Show the lines that differ.' });

  async execute(): Promise<Exit> {
    return withJournal(this.context, async (project) => {
      const [before, after] = await this.#sides(project);
      const differences = differencesOf(before.manifest, after.manifest);
      const { record } = before;
      const causes: ReadonlyMap<string, Cause> =
        record === undefined
          ? new Map()
          : causesOf(project, differences, after, { from: record.seq, to: after.record?.seq });
      const { packs } = packsAt(project);
      const artifacts = Object.values(packs).flatMap((one) => one.artifacts);
      const isNew = (seq = 0) => seq > (record?.seq ?? Number.POSITIVE_INFINITY);
      const items = differences.map((one) => ({
        ...one,
        cause: causes.get(one.label),
        ...sinceOf(
          artifacts.find(({ id }) => id === one.after?.artifact),
          isNew,
        ),
        reason: after.excluded.find(({ candidate }) => candidate.label === one.label)?.reason,
        ...(this.unified && patchOf(project, one, before, after)),
      }));
      this.answer(diffJson(before, after, items), () =>
        diffLines(before, after, items, { colours: this.colours }),
      );
      return items.length === 0 ? EXIT.ok : EXIT.notSo;
    });
  }

  async #sides(project: Project): Promise<[Compared, Compared]> {
    const { before, after } = this;
    if (after !== undefined)
      return [await sideNamed(project, before), await sideNamed(project, after)];
    if (!isPack(project, before)) {
      const record = findSnapshot(project, before, Object.keys(packsAt(project).packs));
      return [await kept(project, record), await now(project, record.packs)];
    }
    const newest = newestOf(project, [before]);
    if (newest !== undefined) return [await kept(project, newest), await now(project, [before])];
    throw new Ben10Error('PACK_NOT_FOUND', `there is no snapshot of pack ${before}`, {
      next: `Keep what it renders now: ben10 pack snapshot ${before} --name v1.0`,
    });
  }
}

/** What of its source happened since. */
function sinceOf(artifact: ArtifactRecord | undefined, isNew: (seq?: number) => boolean) {
  const { added, capture } = artifact ?? {};
  return {
    ...(isNew(added) && { added }),
    ...(isNew(capture?.seq) && { captured: capture?.seq }),
  };
}

const sideNamed = (project: Project, word: string): Promise<Compared> =>
  isPack(project, word)
    ? now(project, [word])
    : kept(project, findSnapshot(project, word, Object.keys(packsAt(project).packs)));

async function kept(project: Project, record: PackSnapshotRecord): Promise<Compared> {
  const side = await payloadOrAnew(project, record);
  return { ...side, name: nameOfSnapshot(record), record, excluded: [] };
}

async function now(project: Project, words: readonly string[]): Promise<Compared> {
  const { rendered } = await renderWords(project, words);
  const name = `${words.join(', ')} now`;
  return { ...sideOf(project, rendered), name, excluded: rendered.excluded };
}
