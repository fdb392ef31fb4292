import path from 'node:path';
import * as z from 'zod';
import { estimateOf, projectText } from '../../monitor/estimate.ts';
import { SHARDS_MAX } from '../../monitor/shards.ts';
import { keepShards, parentIssue } from '../../tracker/shards.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { defineTool, IDEMPOTENT } from '../tool.ts';

const TITLE_CHARS = 60;
/** Of all parts together: the file has the rest. */
const ITEMS_SHOWN = 60;

export const suggestShardsTool = defineTool({
  name: 'suggest_shards',
  title: 'Cut a spec into shards',
  description: 'Cuts a spec into parts that each fit into a session, and keeps the plan.',
  annotations: { ...IDEMPOTENT, openWorldHint: true },
  input: z.strictObject({
    file: z.string().max(1000),
    into: z.int().min(1).max(SHARDS_MAX).optional(),
    create_issues: z.boolean().optional(),
  }),
  async run({ file, into, create_issues: isWanted = false }, context) {
    const { project, settings } = context;
    const issue = isWanted ? parentIssue(project, settings.config, process.cwd()) : undefined;
    const session = project.states.activeSession();
    const where = { project, settings: settings.config.monitor, session };
    const text = projectText(project, file);
    const { tokens, window, shards } = estimateOf(where, text, { into, always: true });
    if (shards.length === 0) return dataAnswer({ plan: null, tokens, window, shards });
    const cut = { file: path.resolve(project.dir, file), text, shards, issue };
    const way = { isAsked: true };
    const { plan, issues } = await keepShards(project, settings.config, cut, way);
    context.touched();
    const most = Math.ceil(ITEMS_SHOWN / shards.length);
    const parts = shards.map(({ title, items, tokens: size }) => ({
      ...{ title, tokens: size, items: items.length },
      first: items.slice(0, most).map((item) => item.title.slice(0, TITLE_CHARS)),
    }));
    const made = isWanted && { issues };
    return dataAnswer({ note: QUOTED, plan, tokens, window, shards: parts, ...made });
  },
});
