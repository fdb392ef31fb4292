import { Command, Option } from 'clipanion';
import { parseTime } from '../../log/typed.ts';
import { reportOf, type Share } from '../../monitor/report.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { costLines, SINCE } from '../ui/costs.ts';
import { plural } from '../ui/format.ts';

export class MonitorReportCommand extends Ben10Command {
  static override paths = [['monitor', 'report']];
  static override exits = { 0: 'shown', 1: 'there is no journal' };
  static override usage = Command.Usage({
    description:
      'Checkpoints by level and cause, what was redone after them, and how well it works.',
    details: `
      Redone are files that were read again and commands that were run again in the first 30 calls of the new context: after
      compactions, and after sessions that went on from a handoff.

      A resume is good if the new session edits a file or works on a todo that the handoff names, within 15 calls, and fewer than a fifth
      of its reads are of files that the old session had read since it edited them last. A compaction is in mid-task if a todo is in work
      and in the last 10 calls no todo was done, nothing was committed, and no tests passed that cover the last edit.

      With \`--json\`: {"levels", "triggers", "handoffs", "resumed", "afterCompactions", "afterHandoffs", "success": {"goodResumes": {"of",
      "are"}, "midTask", "tasksDone", "manual"}}; the costs as in \`ben10 monitor costs\`.
    `,
    examples: [['Is a handoff worth it here?', '$0 monitor report']],
  });

  since = Option.String('--since', SINCE);

  async execute(): Promise<Exit> {
    const since = this.since && parseTime(this.since, this.context.now(), 'from');
    return withJournal(this.context, (project) => {
      const found = reportOf(project, since || 0);
      const counts = (of: Record<string, number>) =>
        Object.entries(of)
          .map(([name, count]) => `${oneLine(name)} ${count}`)
          .join(', ') || 'none';
      const { goodResumes, midTask, tasksDone, manual } = found.success;
      return this.answer(found, () => [
        `Checkpoints by level: ${counts(found.levels)}; by cause: ${counts(found.triggers)}.`,
        `${plural(found.handoffs, 'handoff')}, ${found.resumed} resumed.`,
        ...costLines(found),
        `Good resumes: ${shareText(goodResumes)}. Compactions in mid-task: ${shareText(midTask)}.`,
        `Todos done: ${tasksDone.are} in ${plural(tasksDone.of, 'session')}. Checkpoints by hand: ${shareText(manual)}.`,
      ]);
    });
  }
}

const shareText = ({ of, are }: Share): string =>
  of === 0 ? 'none yet' : `${are} of ${of} (${Math.round((100 * are) / of)}%)`;
