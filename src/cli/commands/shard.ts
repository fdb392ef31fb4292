import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command, Option } from 'clipanion';
import { estimateOf } from '../../monitor/estimate.ts';
import { type PlanStatus, planStatus } from '../../monitor/plans.ts';
import { SHARDS_MAX, type Shard, shardText, toldOf } from '../../monitor/shards.ts';
import { Ben10Error, errno } from '../../platform/errors.ts';
import { ofSystem } from '../../platform/system-error.ts';
import { transcriptOf } from '../../project/catch-up.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { keepShards, parentIssue } from '../../tracker/shards.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { textOfFile } from '../estimating.ts';
import { withJournal, withWriting } from '../open.ts';
import { optionalNumber } from '../ui/arguments.ts';
import { plural, shortTime } from '../ui/format.ts';
import { shardLines } from '../ui/sizes.ts';

export class ShardCommand extends Ben10Command {
  static override paths = [['shard']];
  static override exits = {
    0: 'cut, or shown',
    1: 'the file has no list to cut, a file is there already, there is no plan, or not all are issues yet',
  };
  static override words = ['files'] as const;
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Cut a spec into parts that each fit into a session.',
    details: `
      FILE's list items, table rows and scenarios stay in their order, and those that are ticked are left out. Each part takes less than
      30% of the window, all about the same. \`--write DIR\` makes a file of each, with its items word for word; no file is
      overwritten. \`--issues\` makes each a sub-issue of the issue in work, in Linear, and keeps a checklist there. \`status\` says how much of the newest plans is done: what the file ticks, and todos of the same words.

      With \`--json\`: {"plan", "source", "tokens", "window", "shards": [{"title", "items", "tokens"}], "files", "issues"}; for status a list of
      {"plan", "source", "at", "isChanged", "shards": [{"title", "tokens", "items", "done"}]}.
    `,
    examples: [
      ['How would it be cut?', '$0 shard docs/spec.md'],
      [
        'Three files to give to three sessions',
        '$0 shard docs/spec.md --into 3 --write docs/shards',
      ],
      ['How far are we?', '$0 shard status'],
    ],
  });

  file = Option.String({ name: 'FILE | status' });
  into = Option.String('--into', { description: '<N> So many parts.' });
  issues = Option.Boolean('--issues', false, { description: 'Make sub-issues of them.' });
  write = Option.String('--write', { description: '<DIR> Make a file of each part.' });

  async execute(): Promise<Exit> {
    if (this.file === 'status') return this.#status();
    const into = optionalNumber('--into', this.into, 1, SHARDS_MAX);
    const text = textOfFile(this.context, this.file);
    return withWriting(this.context, async (project, config) => {
      const { cwd, env } = this.context;
      const issue = this.issues ? parentIssue(project, config, cwd) : undefined;
      const { session } = transcriptOf(project);
      const where = { project, settings: config.monitor, session };
      const { shards, tokens, window } = estimateOf(where, text, { into, always: true });
      if (shards.length === 0)
        throw new Ben10Error('USAGE', `${oneLine(this.file)} has no open list item to cut`, {
          next: 'Write what is to be done as a list, a table or scenarios.',
        });
      const files = this.write === undefined ? [] : this.#written(this.write, shards);
      const cut = { file: path.resolve(cwd, this.file), text, shards, issue };
      const signal = this.context.interruption();
      const way = { env, isAsked: true, source: 'cli', signal } as const;
      const { plan, issues } = await keepShards(project, config, cut, way);
      const told = { plan, source: this.file, tokens, window, shards: shards.map(toldOf) };
      this.answer({ ...told, files, issues }, () => [
        ...shardLines(shards),
        ...files.map((one) => oneLine(one)),
        ...issues.map((one, index) => `${oneLine(one)}  shard ${index + 1}`),
      ]);
      if (!this.issues || issues.length === shards.length) return EXIT.ok;
      this.note('Not all are issues yet. What is to go, and why: ben10 tracker');
      return EXIT.notSo;
    });
  }

  /** All or none. */
  #written(dir: string, shards: readonly Shard[]): string[] {
    const { name, ext } = path.parse(this.file);
    const files = shards.map((_, index) =>
      path.join(dir, `${name}-${index + 1}-of-${shards.length}${ext}`),
    );
    const whole = (file: string) => path.resolve(this.context.cwd, file);
    const isThere = (file: string) =>
      new Ben10Error('FS_WRITE_ERROR', `${oneLine(file)} is there already`, {
        next: 'Remove it, or give another folder.',
      });
    try {
      mkdirSync(whole(dir), { recursive: true });
      const taken = files.find((file) => lstatSync(whole(file), { throwIfNoEntry: false }));
      if (taken !== undefined) throw isThere(taken);
      for (const [index, file] of files.entries()) {
        const part = shardText(shards, index, path.basename(this.file));
        writeFileSync(whole(file), part, { flag: 'wx' });
      }
    } catch (error) {
      throw errno(error) === 'EEXIST' ? isThere(dir) : (ofSystem(error) ?? error);
    }
    return files;
  }

  #status(): Promise<Exit> {
    return withJournal(this.context, (project) => {
      const plans = planStatus(project);
      const counted = plans.map(({ shards, ...plan }) => ({
        ...plan,
        shards: shards.map(({ items, ...shard }) => ({ ...shard, items: items.length })),
      }));
      const none = 'Nothing was cut yet: ben10 shard FILE';
      return this.answerIf(plans.length > 0, counted, none, () =>
        plans.flatMap((plan) => this.#statusLines(plan)),
      );
    });
  }

  #statusLines({ source, at, isChanged, shards }: PlanStatus): string[] {
    const done = shards.filter(({ done: ready, items }) => ready === items.length).length;
    const changed = isChanged ? '; the file has changed since' : '';
    const when = shortTime(at, this.context.now());
    return [
      `${oneLine(source)}: ${done} of ${plural(shards.length, 'shard')} done, cut ${when}${changed}`,
      ...shards.map(
        ({ title, items, done: ready }, index) =>
          `  ${ready === items.length ? '✓' : ' '} ${index + 1}  ${ready}/${items.length}  ${oneLine(title)}`,
      ),
    ];
  }
}
