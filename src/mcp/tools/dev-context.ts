import * as z from 'zod';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { LEVELS, renderContext } from '../../workspace/layouts/index.ts';
import { lookAround, lookBack, NOT_LOOKED_AT } from '../../workspace/look.ts';
import { QUOTED } from '../answer.ts';
import { defineTool, IDEMPOTENT } from '../tool.ts';

export const devContextTool = defineTool({
  name: 'get_dev_context',
  title: 'Look at the development context',
  description:
    'How to work here: saved task, hints, git, containers, devices, build targets, scripts, commands. Call it in a new session, after a compaction (minimal), or when things seem off.',
  // It records changes of the environment.
  annotations: IDEMPOTENT,
  writesNotesOnly: true,
  input: z.strictObject({
    level: z.enum(LEVELS).optional().describe('200, 400 (default) or 1000 tokens.'),
    point: z.string().optional().describe('In the past: @prompt:-2.'),
  }),
  async run({ level = 'normal', point }, context) {
    const { project, settings } = context;
    const { workspace } = settings.config;
    const cwd = process.cwd();
    const now = project.ports.clock.now();
    if (point !== undefined) {
      const { cut, session } = resolvePoint(project, point);
      const then = await lookBack(project, workspace, { cwd, cut, session: session ?? undefined });
      return quoted(renderContext(then, level, now), ...(level === 'full' ? [NOT_LOOKED_AT] : []));
    }
    const look = await lookAround(project, workspace, {
      cwd,
      session: project.states.activeSession() ?? undefined,
      source: settings.config.context.autoSave ? 'tool' : undefined,
    });
    if (look.recorded) context.touched();
    return quoted(renderContext(look.context, level, now));
  },
});

/** The note is a separate block, so that the layout stays unchanged. */
const quoted = (...texts: string[]) => ({
  content: [QUOTED, ...texts].map((one) => ({ type: 'text' as const, text: one })),
});
