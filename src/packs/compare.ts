import type { Project } from '../project/open.ts';
import { unifiedDiff } from '../timetravel/unified.ts';
import { type KeptPayload, type ManifestItem, manifestOf } from './kept/payload-file.ts';
import type { Rendered } from './render/render.ts';

/** A payload, as it was kept or as it would be now. */
export interface Side extends KeptPayload {
  tokens: number;
  renderHash: string;
}

type Named = Pick<ManifestItem, 'kind' | 'label' | 'tokens' | 'sha256'> &
  Partial<Pick<ManifestItem, 'artifact'>>;

export interface ItemDifference<Item extends Named = ManifestItem> {
  kind: ManifestItem['kind'];
  label: string;
  status: 'changed' | 'added' | 'removed';
  before?: Item;
  after?: Item;
  tokens: number;
}

export const sideOf = (project: Project, rendered: Rendered): Side => ({
  manifest: manifestOf(project, rendered),
  payload: Buffer.concat(rendered.payload),
  tokens: rendered.tokens,
  renderHash: rendered.renderHash,
});

/** Items that differ: changed ones and new ones in the order of `after`, then those that are gone. Their order alone is no difference. */
export function differencesOf<Item extends Named>(
  before: readonly Item[],
  after: readonly Item[],
): ItemDifference<Item>[] {
  const left = new Map<string, Item[]>();
  for (const item of before) left.set(nameOf(item), [...(left.get(nameOf(item)) ?? []), item]);
  const differences: ItemDifference<Item>[] = [];
  for (const item of after) {
    const same = left.get(nameOf(item)) ?? [];
    const equal = same.findIndex(({ sha256 }) => sha256 === item.sha256);
    const [was] = same.splice(Math.max(equal, 0), 1);
    if (was?.sha256 !== item.sha256) differences.push(differenceOf(was, item));
  }
  for (const was of [...left.values()].flat()) differences.push(differenceOf(was, undefined));
  return differences;
}

/** A file is the same item, whichever source names it; texts have no name but their source's. */
const nameOf = ({ kind, label, artifact }: Named): string =>
  kind === 'text' ? `${kind} ${artifact}` : label;

function differenceOf<Item extends Named>(
  before: Item | undefined,
  after: Item | undefined,
): ItemDifference<Item> {
  const { kind, label } = (after ?? before)!;
  return {
    kind,
    label,
    status: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
    ...(before && { before }),
    ...(after && { after }),
    tokens: (after?.tokens ?? 0) - (before?.tokens ?? 0),
  };
}

export function textIn({ payload }: KeptPayload, { offset, bytes }: ManifestItem): string {
  const block = payload.toString('utf8', offset, offset + bytes);
  return block.slice(block.indexOf('>\n') + 2, block.lastIndexOf('</ben10-item>'));
}

export function patchOf(
  project: Project,
  { label, before: was, after: is }: ItemDifference,
  before: KeptPayload,
  after: KeptPayload,
): ReturnType<typeof unifiedDiff> {
  const [from, to] = [was && textIn(before, was), is && textIn(after, is)];
  return unifiedDiff(project, label, from ?? null, to ?? null);
}

/** Tokens that a render begins with as an earlier one did, so that a prompt cache holds them. */
export function sharedPrefix({ manifest, payload }: KeptPayload, now: Rendered): number {
  const head = Buffer.concat(now.payload.slice(0, 1));
  if (!payload.subarray(0, head.length).equals(head)) return 0;
  const end = now.included.findIndex(({ sha256 }, at) => manifest[at]?.sha256 !== sha256);
  const same = end === -1 ? now.included : now.included.slice(0, end);
  return same.reduce((sum, { tokens }) => sum + tokens, now.head.tokens);
}
