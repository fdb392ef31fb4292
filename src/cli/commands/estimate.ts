import { Command, Option } from 'clipanion';
import { Ben10Command, EXIT, type Exit, SESSION } from '../command.ts';
import { estimated, planned } from '../estimating.ts';
import { planLines } from '../ui/sizes.ts';

export class EstimateCommand extends Ben10Command {
  static override paths = [['estimate']];
  static override exits = {
    0: 'it fits, or was planned',
    1: 'it hardly fits, nothing is open, or the session does not exist',
  };
  static override words = ['files'] as const;
  static override usage = Command.Usage({
    category: 'Look',
    description: 'How many tokens a task takes, and whether it fits.',
    details: `
      The task is a text, a file, or \`-\` for stdin. What counts: list items, table rows and scenarios; files that are named, and
      their sizes; checks. Tasks that ended in this project teach: by how many tokens the context grew while a todo was in work.

      \`--plan\` packs the items of the task, or the session's open todos, into the room that is left before L2, and into new sessions.

      With \`--json\`: {"tokens", "low", "high", "window", "used", "share", "advice", "features", "learnt": {"tasks", "factor",
      "low", "high", "error"}, "shards"}. "low" to "high" holds 80% of such tasks; "share" is in percent of the window; "advice" is
      fits, consider-shards, shard or does-not-fit; "error" is the median in percent, each task estimated from the others. For a plan
      {"window", "upTo", "sessions": [{"todos": [{"title", "tokens"}], "percent"}]}: this session first, and where each ends.
    `,
    examples: [
      ['Does this spec fit?', '$0 estimate docs/spec.md'],
      ['A task in words', '$0 estimate "Move the parser into src/parser.ts, and test it"'],
      ['How far do I get in this session?', '$0 estimate --plan'],
    ],
  });

  task = Option.String({ name: 'task', required: false });
  plan = Option.Boolean('--plan', false, { description: 'Pack open todos into sessions.' });
  session = Option.String('--session', SESSION);

  async execute(): Promise<Exit> {
    if (this.plan) {
      const plan = await planned(this.context, this.task, this.session);
      this.answer(plan, () => planLines(plan));
      return plan.sessions.some(({ todos }) => todos.length > 0) ? EXIT.ok : EXIT.notSo;
    }
    const found = await estimated(this.context, this.task ?? '', this.session);
    this.answer(found.data, () => found.lines);
    return found.hasRoom ? EXIT.ok : EXIT.notSo;
  }
}
