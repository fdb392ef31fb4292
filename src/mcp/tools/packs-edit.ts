import * as z from 'zod';
import { addSources, createPack, deletePack, removeArtifact, setPack } from '../../packs/change.ts';
import { packNamed, packsAt } from '../../packs/of-project.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { dataAnswer, QUOTED } from '../answer.ts';
import type { Ask } from '../asking.ts';
import { defineTool, WRITES } from '../tool.ts';

const input = z.strictObject({
  pack: z.string(),
  action: z.enum(['create', 'add', 'remove', 'set', 'delete']),
  sources: z
    .array(z.string())
    .optional()
    .describe(
      'file:a.ts#L1-L9, md:, md_dir:, glob:, text:, git:diff, journal:edited; to remove also ids.',
    ),
  priority: z.int().optional().describe('The highest comes first; 0 for a new one.'),
  budget: z.int().optional().describe('Tokens.'),
});
type Input = z.infer<typeof input>;

export const packsEditTool = defineTool({
  name: 'ctx_packs_edit',
  title: 'Change a context pack',
  description:
    'Makes or deletes a pack, or changes its sources or budget. Deleting asks the user first.',
  annotations: { ...WRITES, destructiveHint: true },
  input,
  async run(asked, context, ask) {
    const { project } = context;
    const { pack: name, action } = asked;
    if (action === 'delete' && !(await agreed(project, name, ask))) {
      return dataAnswer({
        deleted: false,
        next: 'The user did not agree. Leave the pack as it is.',
      });
    }
    const done = await ACTIONS[action](project, asked);
    context.touched();
    return dataAnswer({ note: QUOTED, pack: name, ...done });
  },
});

/** What a person alone may do, such as running a command, is not among these. */
const ACTIONS: Record<
  Input['action'],
  (project: Project, asked: Input) => object | Promise<object>
> = {
  async create(project, asked) {
    const policy = createPack(project, asked.pack, budgetOf(asked), 'tool');
    const added = asked.sources === undefined ? {} : await ACTIONS.add(project, asked);
    return { created: true, budget_tokens: policy.budgetTokens, ...added };
  },
  async add(project, asked) {
    const { pack, priority } = asked;
    const added = await addSources(project, pack, sourcesOf(asked), { priority }, 'tool');
    return { added: added.map(({ id, kind, source }) => ({ id, kind, source })) };
  },
  remove(project, asked) {
    const removed = sourcesOf(asked).map((one) => removeArtifact(project, asked.pack, one, 'tool'));
    return { removed: removed.map(({ id, source }) => ({ id, source })) };
  },
  set(project, asked) {
    const { budgetTokens } = setPack(project, asked.pack, budgetOf(asked), 'tool');
    return { budget_tokens: budgetTokens };
  },
  delete(project, { pack }) {
    deletePack(project, pack, 'tool');
    return { deleted: true };
  },
};

/** @throws Ben10Error USAGE */
function sourcesOf({ action, sources = [] }: Input): string[] {
  if (sources.length > 0) return sources;
  throw new Ben10Error('USAGE', `${action} needs sources`, {
    next: 'For example: {"sources": ["glob:src/**"]}',
  });
}

const budgetOf = ({ budget }: Input) => (budget === undefined ? {} : { budgetTokens: budget });

async function agreed(project: Project, name: string, ask: Ask | undefined): Promise<boolean> {
  const { artifacts } = packNamed(packsAt(project), name);
  if (ask === undefined) {
    throw new Ben10Error('USAGE', 'this client cannot ask its user, so nothing was deleted', {
      next: `Ask the user to run: ben10 pack delete ${name}`,
    });
  }
  const question = `Delete the context pack "${name}" with ${artifacts.length} sources? Its snapshots stay.`;
  return (await ask(question)) === 'accept';
}
