import type { Rendered } from '../render/render.ts';
import type { Lock, LockedItem } from './portable.ts';

export const lockOf = ({ renderHash, included }: Rendered): Lock => ({
  renderHash,
  items: included.map(({ candidate, tokens, sha256 }) => ({
    kind: candidate.artifact.kind,
    label: candidate.label,
    tokens,
    sha256,
  })),
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
