import type { Project } from '../../project/open.ts';
import { renderOf } from '../of-project.ts';
import type { Rendered } from '../render/render.ts';
import { type Lock, type LockedItem, type PortablePack, sharedPart } from './portable.ts';

/** What anybody who takes the file renders of the same files. */
export async function lockOf(project: Project, pack: PortablePack): Promise<Lock> {
  const rendered = await renderOf(project, { packs: [sharedPart(pack)] });
  return { renderHash: rendered.renderHash, items: itemsOf(rendered) };
}

export const itemsOf = ({ included }: Rendered): LockedItem[] =>
  included.map(({ candidate: { artifact, label }, tokens, sha256 }) => {
    return { kind: artifact.kind, label, tokens, sha256 };
  });
