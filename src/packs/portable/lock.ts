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

/** An item that is not the same on both sides; what is only on one has no tokens on the other. */
export interface Difference extends Pick<LockedItem, 'kind' | 'label'> {
  before?: number;
  after?: number;
}

/** In the order of what is there now, behind it what is gone. Items of one name are told apart by their order. */
export function differences(
  before: readonly LockedItem[],
  after: readonly LockedItem[],
): Difference[] {
  const old = byName(before);
  const now = byName(after);
  const found = [...now].flatMap(([name, { kind, label, tokens, sha256 }]): Difference[] => {
    const was = old.get(name);
    if (was?.sha256 === sha256) return [];
    return [{ kind, label, ...(was && { before: was.tokens }), after: tokens }];
  });
  const gone = [...old].flatMap(([name, { kind, label, tokens }]): Difference[] =>
    now.has(name) ? [] : [{ kind, label, before: tokens }],
  );
  return [...found, ...gone];
}

function byName(items: readonly LockedItem[]): Map<string, LockedItem> {
  const times = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const name = `${item.kind} ${item.label}`;
      const time = times.get(name) ?? 0;
      times.set(name, time + 1);
      return [`${time} ${name}`, item];
    }),
  );
}
