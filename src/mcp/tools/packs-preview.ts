import * as z from 'zod';
import { renderedData } from '../../packs/as-data.ts';
import { renderWords } from '../../packs/of-project.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { PAGE_BYTES } from '../limits.ts';
import { pagesOf } from '../payload-pages.ts';
import { ASKED, pageAnswer, sumsOf, toldIn } from '../rendering.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

export const packsPreviewTool = defineTool({
  name: 'ctx_packs_preview',
  title: 'Preview context packs',
  description: 'What rendering would give: items with tokens, and what is left out, with reasons.',
  annotations: READ_ONLY,
  input: z.strictObject({ packs: z.array(z.string()).min(1), ...ASKED }),
  async run({ packs, show_payload = false, budget, at }, { project }) {
    const { rendered } = await renderWords(project, packs, { budgetTokens: budget, at });
    const data = renderedData(rendered);
    if (!show_payload) return dataAnswer({ note: QUOTED, ...data });
    const [first, ...more] = pagesOf(toldIn(project, rendered), PAGE_BYTES);
    return pageAnswer(first!, { ...sumsOf(data), page: 1, pages: more.length + 1 });
  },
});
