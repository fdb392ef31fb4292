import { compileRedaction } from '../../src/capture/redaction/index.ts';
import type { Ground } from '../../src/packs/render/file.ts';
import type { Artifact, ArtifactOptions, Pack, Policy } from '../../src/packs/render/pack.ts';
import { type Rendered, type RenderOptions, render } from '../../src/packs/render/render.ts';
import { parseSource } from '../../src/packs/render/source.ts';
import { EXCLUDED_BY_DEFAULT, excludedBy } from '../../src/platform/exclude.ts';
import { nodeFs } from '../../src/platform/fs.ts';

export const groundOf = (dir: string, fields: Partial<Ground> = {}): Ground => ({
  dir,
  root: `${dir}/.ben10`,
  fs: nodeFs,
  deny: [],
  excludedBy: (name) => excludedBy(EXCLUDED_BY_DEFAULT, dir, name),
  ...fields,
});

export const POLICY: Policy = {
  budgetTokens: null,
  fill: 'prefix',
  tokenizer: 'cl100k',
  layout: 'rank',
};

export type Given = string | { source: string; priority?: number; options?: ArtifactOptions };

/** A pack of sources, as they arrived. */
export const packOf = (given: readonly Given[], name: string | undefined = 'auth'): Pack => ({
  name,
  policy: POLICY,
  artifacts: given.map((one, added): Artifact => {
    const { source, priority = 0, options = {} } = typeof one === 'string' ? { source: one } : one;
    return { id: `${added}`, priority, options, added, ...parseSource(source) };
  }),
});

/** With the built-in redaction. */
export const renderIn = (
  dir: string,
  given: readonly Given[] | readonly Pack[],
  { ground, ...options }: Partial<RenderOptions> & { ground?: Partial<Ground> } = {},
): Promise<Rendered> =>
  render(groundOf(dir, ground), {
    packs: given.some((one) => typeof one === 'object' && 'artifacts' in one)
      ? (given as readonly Pack[])
      : [packOf(given as readonly Given[])],
    policy: POLICY,
    redaction: compileRedaction().options,
    ...options,
  });

export const textOf = ({ payload }: Rendered): string => Buffer.concat(payload).toString('utf8');

/** The contents by label, as the payload has them. */
export const contentsOf = (rendered: Rendered): Record<string, string> =>
  Object.fromEntries(
    rendered.included.map(({ candidate }, index) => {
      const block = blocksOf(rendered)[index]!;
      const start = block.indexOf('>\n') + 2;
      return [candidate.label, block.slice(start, block.lastIndexOf('</ben10-item>'))];
    }),
  );

export const blocksOf = (rendered: Rendered): string[] =>
  textOf(rendered)
    .split(/^(?=<ben10-item[ >])/m)
    .slice(1)
    .map((block) => block.slice(0, block.indexOf('</ben10-item>\n') + '</ben10-item>\n'.length));

export const reasonsOf = ({ excluded }: Rendered): Record<string, string> =>
  Object.fromEntries(excluded.map(({ candidate, reason }) => [candidate.label, reason]));
