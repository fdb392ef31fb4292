import * as z from 'zod';
import { STATUS } from '../../project/features.ts';
import { status } from '../../status/status.ts';
import { dataAnswer } from '../answer.ts';
import type { ServerContext } from '../context.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

/** Status of the project and of this server. */
export function statusData(context: ServerContext): Record<string, unknown> {
  const { project, settings } = context;
  const { recordMs, ...server } = context.facts();
  const found = status(project, STATUS);
  const warnings = [...found.warnings, ...settings.warnings];
  if (!settings.config.context.autoSave)
    warnings.push('context.autoSave is off: nothing is recorded until it is set to true');
  if (server.readOnly) warnings.push('the last event could not be written; see the server log');
  const isWorse = found.health === 'good' && warnings.length > 0;
  return {
    ...found,
    health: isWorse ? 'warning' : found.health,
    warnings,
    cost: { ...found.cost, recordMs },
    server,
  };
}

export const statusTool = defineTool({
  name: 'ben10_status',
  title: 'Journal status',
  description:
    'Says whether this project is recorded: sessions, size, health with warnings, cost of ben10 itself. Call it first if another ben10 tool fails or nothing seems to be recorded.',
  annotations: READ_ONLY,
  input: z.strictObject({}),
  output: z.looseObject({
    exists: z.boolean(),
    directory: z.string(),
    health: z.enum(['good', 'warning', 'error']),
    warnings: z.array(z.string()),
    cost: z.looseObject({ hookMs: z.number().nullable() }),
    server: z.looseObject({}),
  }),
  run: (_input, context) => dataAnswer(statusData(context)),
});
