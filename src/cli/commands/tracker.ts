import { Command, Option } from 'clipanion';
import type { Ben10Config } from '../../platform/config/keys.ts';
import type { Project } from '../../project/open.ts';
import { deliveries } from '../../projections/folds/deliveries.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { deliverDue } from '../../tracker/deliver.ts';
import { type FailureCode, WHY } from '../../tracker/failure.ts';
import { hasKey } from '../../tracker/linear.ts';
import { wanted } from '../../tracker/wanted.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { oneOf } from '../ui/arguments.ts';
import { plural, shortTime } from '../ui/format.ts';

const VERBS = ['status', 'sync', 'retry'] as const;

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
    const verb = oneOf('ben10 tracker', oneLine(this.verb ?? 'status'), VERBS);
    return withWriting(this.context, async (project, config) => {
      const { kind } = config.tracker;
      const { data, lines, isAll } =
        verb === 'status'
          ? this.#status(project, config)
          : await this.#round(project, config, verb === 'retry');
      this.answer(data, () =>
        kind === 'none'
          ? ['No tracker is configured: ben10 config set tracker.kind linear']
          : lines,
      );
      return kind !== 'none' && isAll ? EXIT.ok : EXIT.notSo;
    });
  }

  #status(project: Project, config: Ben10Config) {
    const { kind } = config.tracker;
    const { failures, issues } = project.states.at(deliveries, null).state;
    const all = kind === 'none' ? [] : [...wanted(project, config)];
    const open = all.flatMap(([issue, effects]) => effects.map(({ of }) => ({ issue, ...of })));
    const failed = Object.entries(failures).map(([issue, failure]) => ({
      ...(issue !== '' && { issue }),
      ...failure,
    }));
    const key = kind === 'linear' ? hasKey(this.context.env) : null;
    const about = Object.entries(issues).map(
      ([name, { title, state, at }]) =>
        `${oneLine(name)}  ${oneLine(state)}  ${oneLine(title)}  (${shortTime(at, this.context.now())})`,
    );
    const lines = [
      `${kind}: ${open.length === 0 ? 'it knows everything' : `${plural(open.length, 'delivery', 'deliveries')} to go`}`,
      ...(key === false ? [`  ${WHY['no-key']}`] : []),
      ...[...failed.map((one) => this.#failedLine(one)), ...about].map((line) => `  ${line}`),
    ];
    return { data: { kind, key, open, failed, issues }, lines, isAll: open.length === 0 };
  }

  async #round(project: Project, config: Ben10Config, isAsked: boolean) {
    const signal = this.context.interruption();
    const way = { env: this.context.env, isAsked, source: 'cli', signal } as const;
    const data = await deliverDue(project, config, way);
    const { sent, open, failed, isBusy } = data;
    const lines = [
      `${plural(sent.length, 'delivery', 'deliveries')} made, ${open} to go`,
      ...(isBusy ? ['Another process is at it.'] : []),
      ...failed.map((one) => this.#failedLine(one)),
      ...(open > 0 && failed.length === 0 && !isBusy
        ? ['What failed before waits: ben10 tracker retry']
        : []),
    ];
    return { data, lines, isAll: open === 0 && failed.length === 0 };
  }

  #failedLine({ issue, code, retryAt }: { issue?: string; code: string; retryAt?: number }) {
    const whose = issue === undefined ? 'the tracker' : oneLine(issue);
    const when =
      retryAt === undefined ? '' : `; again from ${shortTime(retryAt, this.context.now())} on`;
    return `${whose}: ${WHY[code as FailureCode] ?? oneLine(code)}${when}`;
  }
}
