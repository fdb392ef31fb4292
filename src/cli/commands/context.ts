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
    1: 'the point does not exist, or the settings have a mistake',
  };
  static override choices = { LEVEL: LEVELS };
  static override usage = Command.Usage({
    category: 'Memory',
    description: 'Show current work, git, containers, devices and commands.',
    details: `
      Prints the text that the MCP tool get_dev_context gives to a model. The level limits its size: minimal is about 200
      tokens, normal 400, full 1,000. Less important lines are left out and counted; \`--json\` has everything.

      Programs such as git and docker are asked at the same time, for 1.5 seconds at most; a missing or slow one gives an
      empty section. Changes are recorded, so that \`--at\` can show any point of the past. Scripts, build
      targets, the entry point, and how far a branch is ahead or behind are not recorded; with \`--json\` they are in
      "notRecorded".

      See the settings with \`ben10 config list workspace\`. \`ben10 --context\` is the same command.
    `,
    examples: [
      ['Show it', '$0 context'],
      ['The short form that a session gets after a compaction', '$0 context --level minimal'],
      ['As it was five prompts ago', '$0 context --at @prompt:-5'],
    ],
  });

  level = Option.String('--level', 'normal', { description: `<LEVEL> ${LEVELS.join(', ')}.` });
  at = Option.String('--at', {
    description: '<POINT> As it was recorded at that point.',
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
    // Changes that still wait in the inbox would be recorded twice.
    const mayRecord = takeInbox(project) === 0 && config.context.autoSave;
    const source = mayRecord ? 'cli' : undefined;
    const look = await lookAround(project, config.workspace, { cwd, env, source });
    for (const note of look.notes) this.note(note);
    return look.context;
  }
}
