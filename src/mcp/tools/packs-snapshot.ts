import * as z from 'zod';
import { takeSnapshot } from '../../packs/kept/snapshots.ts';
import { renderWords } from '../../packs/of-project.ts';
import { dataAnswer } from '../answer.ts';
import { defineTool, WRITES } from '../tool.ts';

export const packsSnapshotTool = defineTool({
  name: 'ctx_packs_snapshot',
  title: 'Keep what context packs render',
  description: 'Keeps what packs render now; ctx_packs_render gives it back by id or label.',
  annotations: WRITES,
  input: z.strictObject({ packs: z.array(z.string()).min(1), label: z.string().optional() }),
  async run({ packs, label }, context) {
    const { project } = context;
    const { rendered, about } = await renderWords(project, packs);
    const { id, renderHash, payloadHash, tokens } = takeSnapshot(
      project,
      rendered,
      { ...about, label, auto: false },
      'tool',
    );
    context.touched();
    return dataAnswer({
      snapshot_id: id,
      render_hash: renderHash,
      payload_hash: payloadHash,
      token_estimate: tokens,
    });
  },
});
