import { Command } from 'clipanion';
import { type Redone, reportOf } from '../../monitor/report.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { plural } from '../ui/format.ts';

export class MonitorReportCommand extends Ben10Command {
  static override paths = [['monitor', 'report']];
  static override exits = { 0: 'shown', 1: 'there is no journal' };
  static override usage = Command.Usage({
    description: 'Checkpoints by level and cause, and what was redone after them.',
    details: `
      Redone are files that were read again and commands that were run again in the first 30 calls of the new context: after
      compactions, and after sessions that went on from a handoff.

      With \`--json\`: {"levels", "triggers", "handoffs", "resumed", "afterCompactions": {"times", "reads", "commands"},
      "afterHandoffs"}.
    `,
    examples: [['Is a handoff worth it here?', '$0 monitor report']],
  });

  async execute(): Promise<Exit> {
    return withJournal(this.context, (project) => {
      const found = reportOf(project);
      const counts = (of: Record<string, number>) =>
        Object.entries(of)
          .map(([name, count]) => `${oneLine(name)} ${count}`)
          .join(', ') || 'none';
      const redone = (name: string, { times, reads, commands }: Redone) =>
        `After ${plural(times, name)}: ${plural(reads, 'file')} read again, ${plural(commands, 'command')} run again.`;
      return this.answer(found, () => [
        `Checkpoints by level: ${counts(found.levels)}; by cause: ${counts(found.triggers)}.`,
        `${plural(found.handoffs, 'handoff')}, ${found.resumed} resumed.`,
        redone('compaction', found.afterCompactions),
        redone('resumed handoff', found.afterHandoffs),
      ]);
    });
  }
}
