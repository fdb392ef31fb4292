import { Command, Option } from 'clipanion';
import { packNamed, packsAt } from '../../packs/of-project.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { count, shortTime } from '../ui/format.ts';
import { snapshotJson } from '../ui/pack-snapshots.ts';
import { artifactLines, policyLine } from '../ui/packs.ts';

export class PackShowCommand extends Ben10Command {
  static override paths = [['pack', 'show']];
  static override exits = { 0: 'shown', 1: 'there is no such pack' };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'Show what a pack is made of, and its snapshots.',
    details: `
      Sources come as they were added; what they render, and in which order, says \`ben10 pack preview\`.

      With \`--json\`: {"name", "policy", "artifacts": [{"id", "kind", "source", "priority", "options", "added"}], "snapshots": [{"id",
      "label", "auto", "packs", "created", "tokens", "bytes", "items", "render_hash", "payload_hash"}]}; added is the event's number.
    `,
    examples: [['One pack', '$0 pack show auth']],
  });

  name = Option.String({ name: 'name' });

  async execute(): Promise<Exit> {
    const { name } = this;
    return withJournal(this.context, (project) => {
      const state = packsAt(project);
      const { policy, artifacts } = packNamed(state, name);
      const snapshots = Object.values(state.snapshots)
        .filter(({ packs }) => packs.includes(name))
        .map(snapshotJson);
      return this.answer({ name, policy, artifacts, snapshots }, () => [
        policyLine(name, policy),
        ...(artifacts.length === 0
          ? [`Nothing is in it yet. To add something: ben10 pack add ${name} SOURCE`]
          : artifactLines(artifacts.map((artifact) => ({ artifact, sign: '' })))),
        ...snapshots.map(({ id, label, tokens, created }) => {
          const when = shortTime(created, this.context.now());
          return ` snapshot ${label === null ? id : oneLine(label)}  ${count(tokens)} tokens  ${when}`;
        }),
      ]);
    });
  }
}
