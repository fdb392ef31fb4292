import * as z from 'zod';
import { newestOf } from '../../packs/kept/stale.ts';
import { packsAt } from '../../packs/of-project.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

export const packsListTool = defineTool({
  name: 'ctx_packs_list',
  title: 'List context packs',
  description: 'Lists the context packs: sources that belong to a kind of work, under a budget.',
  annotations: READ_ONLY,
  input: z.strictObject({}),
  run(_, { project }) {
    const { packs } = packsAt(project);
    const listed = Object.entries(packs).map(([name, { policy, artifacts, changed }]) => {
      const last = newestOf(project, [name]);
      return {
        name,
        artifacts: artifacts.length,
        budget_tokens: policy.budgetTokens,
        ...(last && { last_tokens: last.tokens, changed_since: changed > last.seq }),
      };
    });
    return dataAnswer({ note: QUOTED, packs: listed });
  },
});
