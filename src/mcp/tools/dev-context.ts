import * as z from 'zod';
import { LEVELS, renderContext } from '../../workspace/layouts/index.ts';
import { lookAround } from '../../workspace/look.ts';
import { QUOTED } from '../answer.ts';
import { defineTool } from '../tool.ts';

export const devContextTool = defineTool({
  name: 'get_dev_context',
  title: 'Look at the development context',
  description:
    'How to work here, as it is now: saved task, hints, git, containers, devices, build targets, scripts, recent commands. Call it in a new session, after a compaction (minimal), or when the environment seems wrong.',
  annotations: {
    // What it finds is recorded when it is another than before.
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: z.strictObject({
    level: z.enum(LEVELS).optional().describe('About 200, 400 (default) or 1000 tokens.'),
  }),
  async run({ level = 'normal' }, context) {
    const { project, settings } = context;
    const look = await lookAround(project, settings.config.workspace, {
      cwd: process.cwd(),
      session: project.states.activeSession() ?? undefined,
      source: settings.config.context.autoSave ? 'tool' : undefined,
    });
    if (look.recorded) context.touched();
    const text = renderContext(look.context, level, project.ports.clock.now());
    // Apart from the layout, which stays as it is.
    return { content: [QUOTED, text].map((one) => ({ type: 'text', text: one })) };
  },
});
