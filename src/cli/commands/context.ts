import { Command, Option } from 'clipanion';
import type { Ben10Config } from '../../platform/config/keys.ts';
import { takeInbox } from '../../project/inbox.ts';
import type { Project } from '../../project/open.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { notRecordedIn } from '../../workspace/at-point.ts';
import type { DevContext } from '../../workspace/context.ts';
import { LEVELS, renderContext } from '../../workspace/layouts/index.ts';
import { lookAround, lookBack, NOT_LOOKED_AT } from '../../workspace/look.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withWriting } from '../open.ts';
import { oneOf } from '../ui/arguments.ts';

export class ContextCommand extends Ben10Command {
  static override paths = [['context']];
  static override exits = {
    0: 'printed',
    1: 'there is no such point, or the settings have a mistake',
  };
  static override usage = Command.Usage({
    category: 'Look at what was recorded',
    description: 'Show the development context: the work, git, containers, devices, commands.',
    details: `
      The same text that the tool get_dev_context gives a model, as large as its level allows: minimal has about 200 tokens,
      normal 400, full 1,000. What has no room is left out line by line, the least valuable first, and counted; \`--json\` has
      all of it.

      Everything is looked at at the same time, for at most a second and a half; a program that is missing or slow is an empty
      section. What is another than at the last look is recorded, so that \`--at\` can tell how it was at any point, but for
      scripts, build targets and the entry point, which are of files; where only the branch is known, also how far it was ahead
      and behind. With \`--json\` they stand under "notRecorded".

      Settings are under workspace (ben10 config list); what they leave open is taken from a contextkeeper.toml. \`ben10
      --context\` is the same command.
    `,
    examples: [
      ['How do things stand?', '$0 context'],
      ['What would a compacted session get?', '$0 context --level minimal'],
      [
        'Which branch and containers were there at the fifth prompt from the end?',
        '$0 context --at @prompt:-5',
      ],
    ],
  });

  level = Option.String('--level', 'normal', { description: `<LEVEL> ${LEVELS.join(', ')}.` });
  at = Option.String('--at', {
    description: '<POINT> As it was at a point of the past, by what was recorded then.',
  });

  async execute() {
    const level = oneOf('--level', this.level, LEVELS);
    return withWriting(this.context, async (project, config) => {
      const context = await this.#context(project, config);
      if (this.json)
        this.printJson(
          this.at === undefined ? context : { ...context, notRecorded: notRecordedIn(context) },
        );
      else this.print(renderContext(context, level, this.context.now()));
      if (this.at !== undefined && level === 'full' && !this.json) this.note(NOT_LOOKED_AT);
      return EXIT.ok;
    });
  }

  async #context(project: Project, config: Ben10Config): Promise<DevContext> {
    const { cwd, env } = this.context;
    if (this.at !== undefined) {
      const { cut, session } = resolvePoint(project, this.at);
      return lookBack(project, config.workspace, { cwd, cut, session: session ?? undefined });
    }
    // What waits in the inbox is not known: it would be taken for news again.
    const mayRecord = takeInbox(project) === 0 && config.context.autoSave;
    const source = mayRecord ? 'cli' : undefined;
    const look = await lookAround(project, config.workspace, { cwd, env, source });
    for (const note of look.notes) this.note(note);
    return look.context;
  }
}
