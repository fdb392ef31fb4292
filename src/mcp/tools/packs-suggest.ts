import * as z from 'zod';
import { pathsAsked, suggest } from '../../packs/use/suggest.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

const LIMIT_DEFAULT = 10;
const LIMIT_MAX = 50;

export const packsSuggestTool = defineTool({
  name: 'ctx_packs_suggest',
  title: 'Suggest files for a context pack',
  description:
    'Files that belong to a pack or a file, by edits, commits and imports, with reasons.',
  annotations: READ_ONLY,
  input: z.strictObject({
    for: z.string().describe('A pack or a path.'),
    limit: z.int().min(1).max(LIMIT_MAX).optional(),
  }),
  async run({ for: word, limit = LIMIT_DEFAULT }, { project }) {
    const { files, missed } = await pathsAsked(project, word);
    const found = await suggest(project, files, { limit, missed });
    const suggestions = found.map(({ score, why, ...one }) => ({
      ...one,
      score: Math.round(score * 100) / 100,
      // What is not so needs no words.
      why: Object.fromEntries(Object.entries(why).filter(([, value]) => value !== 0)),
    }));
    return dataAnswer({ note: QUOTED, suggestions });
  },
});
