import * as z from 'zod';
import { renderedData } from '../../packs/as-data.ts';
import { stalenessOf } from '../../packs/kept/stale.ts';
import { packNamed, packsAt, renderWords } from '../../packs/of-project.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import { isoTime } from '../shorten.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

export const packsGetTool = defineTool({
  name: 'ctx_packs_get',
  title: 'Look at a context pack',
  description:
    'Shows the artifacts of a pack with their tokens, what is left out, and its snapshots.',
  annotations: READ_ONLY,
  input: z.strictObject({ pack: z.string() }),
  async run({ pack: name }, { project }) {
    const state = packsAt(project);
    const { policy, artifacts } = packNamed(state, name);
    const { rendered } = await renderWords(project, [name]);
    const { included, excluded } = renderedData(rendered);
    const stale = stalenessOf(project, [name], rendered);
    const snapshots = Object.values(state.snapshots).filter(({ packs }) => packs.includes(name));
    return dataAnswer({
      note: QUOTED,
      name,
      policy,
      tokens: rendered.tokens,
      ...(stale && { stale: stale.items > 0 }),
      artifacts: artifacts.map(({ id, kind, source, priority, options }) => {
        const out = excluded.filter((one) => one.id === id).map(({ reason }) => reason);
        const tokens = included.filter((one) => one.id === id).map((one) => one.tokens);
        return {
          ...{ id, kind, source, priority, options },
          items: tokens.length,
          tokens: tokens.reduce((sum, one) => sum + one, 0),
          ...(out.length > 0 && { left_out: countsOf(out) }),
        };
      }),
      snapshots: snapshots
        .toReversed()
        .slice(0, SHOWN_MAX)
        .map(({ id, label, createdAt, tokens }) => ({ id, label, at: isoTime(createdAt), tokens })),
    });
  },
});

const SHOWN_MAX = 20;

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
