import { Command, Option } from 'clipanion';
import type { Ben10Config } from '../../platform/config/keys.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { deliveries } from '../../projections/folds/deliveries.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { deliverDue, openIn, type Round } from '../../tracker/deliver.ts';
import { type FailureCode, WHY } from '../../tracker/failure.ts';
import { hasKey } from '../../tracker/linear.ts';
import { wanted } from '../../tracker/wanted.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { plural, shortTime } from '../ui/format.ts';

const VERBS = ['status', 'sync', 'retry'] as const;
const NONE = 'No tracker is configured: ben10 config set tracker.kind linear';

export class TrackerCommand extends Ben10Command {
  static override paths = [['tracker']];
  static override exits = {
    0: 'the tracker knows everything',
    1: 'something is still to be told, or no tracker is configured',
  };
  static override words = [VERBS] as const;
  static override busy = 'asking the tracker';
  static override usage = Command.Usage({
    category: 'Memory',
    description: 'What the issue tracker was told of checkpoints.',
    details: `
      Once \`tracker.kind\` is set, each handoff of an issue goes into one comment of its session there; an issue that was not started is,
      and gets a label. The server and \`ben10 loop\` tell it; no hook does. For Linear the key is in LINEAR_API_KEY, GitHub is asked by gh.

      - \`status\` (default): what is still to be told, and what failed.
      - \`sync\`: tells the handoffs of the last 7 days that the tracker does not know. What failed waits for its time.
      - \`retry\`: the same, at once.

      With \`--json\`: {"kind", "key", "open": [{"issue", "what", "checkpoint", "plan"}], "failed": [{"issue", "code", "attempt",
      "at", "retryAt"}], "issues": {…}}; sync and retry {"sent", "open", "failed", "isBusy"}.
    `,
    examples: [
      ['What does the issue not know yet?', '$0 tracker'],
      ['Tell it now', 'LINEAR_API_KEY=lin_api_… $0 tracker sync'],
    ],
  });

  verb = Option.String({ name: 'verb', required: false });

  async execute(): Promise<Exit> {
    const verb = VERBS.find((one) => one === (this.verb ?? 'status'));
    if (verb === undefined) {
      throw new Ben10Error('USAGE', `there is no verb "${oneLine(this.verb!).slice(0, 80)}"`, {
        next: `There are: ${VERBS.join(', ')}.`,
      });
    }
    return withWriting(this.context, async (project, config) => {
      if (verb === 'status') return this.#status(project, config);
      const { env } = this.context;
      const way = { env, isAsked: verb === 'retry', source: 'cli' } as const;
      const round = await deliverDue(project, config, this.context.interruption(), way);
      this.answer(round, () => this.#roundLines(round, config.tracker.kind));
      return config.tracker.kind !== 'none' && round.open === 0 && round.failed.length === 0
        ? EXIT.ok
        : EXIT.notSo;
    });
  }

  #status(project: Project, config: Ben10Config): Exit {
    const { kind } = config.tracker;
    const { failures, issues } = project.states.at(deliveries, null).state;
    const all = kind === 'none' ? [] : wanted(project, config);
    const open = all.flatMap((one) =>
      openIn([one]).map(({ session: _, ...of }) => ({ issue: one.issue, ...of })),
    );
    const failed = Object.entries(failures).map(([issue, failure]) => ({
      ...(issue !== '' && { issue }),
      ...failure,
    }));
    const key = kind === 'linear' ? hasKey(this.context.env) : null;
    this.answer({ kind, key, open, failed, issues }, () => {
      if (kind === 'none') return [NONE];
      const now = this.context.now();
      const about = Object.entries(issues).map(
        ([name, { title, state, at }]) =>
          `  ${oneLine(name)}  ${oneLine(state)}  ${oneLine(title)}  (${shortTime(at, now)})`,
      );
      return [
        `${kind}: ${open.length === 0 ? 'it knows everything' : `${plural(open.length, 'delivery', 'deliveries')} to go`}`,
        ...(key === false ? [`  ${WHY['no-key']}`] : []),
        ...failed.map((one) => `  ${this.#failedLine(one)}`),
        ...about,
      ];
    });
    return kind !== 'none' && open.length === 0 ? EXIT.ok : EXIT.notSo;
  }

  #failedLine({ issue, code, retryAt }: { issue?: string; code: string; retryAt?: number }) {
    const whose = issue === undefined ? 'the tracker' : oneLine(issue);
    const when =
      retryAt === undefined ? '' : `; again from ${shortTime(retryAt, this.context.now())} on`;
    return `${whose}: ${WHY[code as FailureCode] ?? oneLine(code)}${when}`;
  }

  #roundLines({ sent, open, failed, isBusy }: Round, kind: string): string[] {
    if (kind === 'none') return [NONE];
    return [
      `${plural(sent.length, 'delivery', 'deliveries')} made, ${open} to go`,
      ...(isBusy ? ['Another process is at it.'] : []),
      ...failed.map((one) => this.#failedLine(one)),
      ...(open > 0 && failed.length === 0 && !isBusy
        ? ['What failed before waits: ben10 tracker retry']
        : []),
    ];
  }
}
