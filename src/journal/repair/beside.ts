import { shellWord } from '../../platform/shell-word.ts';
import { blobPath } from '../append/blobs.ts';
import { type Layout, listOrigin, originDir } from '../format/layout.ts';
import type { JournalPorts, ReaderPorts } from '../format/ports.ts';
import type { SegmentHeader } from '../format/segment.ts';
import { openSegment } from '../read/open.ts';
import type { Damaged } from '../verify/verify.ts';
import { commandsFor } from './by-hand.ts';
import { GONE, type RepairItem, RUN } from './piece.ts';
import { setAside } from './quarantine.ts';
import { isRefused, refusedItem } from './refused.ts';

/** What is done about damage outside of segments: missing events, inbox files, blobs. */
export function besideItem(ports: JournalPorts, layout: Layout, one: Damaged): RepairItem {
  if (isRefused(one)) return refusedItem(one);
  const { kind, segment } = one;
  if (kind === 'missing')
    return { ...one, action: 'record', what: GONE + commandsFor(ports, layout, one) };
  if (kind === 'inbox')
    return { ...one, action: 'set-aside', what: 'the events in this file cannot be read' };
  const isThere = ports.fs.statIfThere(pathOfBlob(layout, segment)) !== undefined;
  const [action, state] = isThere
    ? (['set-aside', 'damaged'] as const)
    : (['record', 'missing'] as const);
  return { ...one, action, what: `this text is ${state}: its events keep the beginning of it` };
}

/** Damage in other origins' folders, about which nothing is done here. */
export function foreignItems(
  ports: ReaderPorts,
  layout: Layout,
  damage: readonly Damaged[],
): RepairItem[] {
  const whats = new Map<string, string>();
  return damage.map((one) => {
    if (isRefused(one)) return refusedItem(one);
    const { segment } = one;
    const origin = segment.slice(0, segment.indexOf('/'));
    const what = whats.get(origin) ?? whatToDo(ports, layout, origin);
    whats.set(origin, what);
    return { ...one, action: 'none', what };
  });
}

/** If no segment names the folder, somebody renamed it or copied it. */
function whatToDo(ports: ReaderPorts, layout: Layout, origin: string): string {
  const headers = headersIn(ports, layout, origin);
  const names = headers.map(({ originId }) => originId.toString('hex'));
  const named = names.at(-1);
  if (named === undefined || names.includes(origin))
    return 'it belongs to another clone, where it has to be repaired; no event of this journal is in it';
  const [folder, other] = [origin, named].map((name) => shellWord(originDir(layout, name)));
  const there = new Set(headersIn(ports, layout, named).map(({ salt }) => salt));
  return headers.every(({ salt }) => there.has(salt))
    ? `a copy of the folder ${named}, which nobody reads. Where that one is sound, remove it:${RUN}rm -r ${folder}`
    : `the folder ${named} under another name, which nobody reads. Give it its name back:${RUN}mv ${folder} ${other}`;
}

const headersIn = (ports: ReaderPorts, layout: Layout, origin: string): SegmentHeader[] =>
  listOrigin(ports.fs, layout, origin).flatMap((file) => openSegment(ports, file)?.header ?? []);

const pathOfBlob = (layout: Layout, segment: string): string =>
  blobPath(layout, segment.slice('blobs/'.length));

/** Makes room for an import that brings the text back. */
export function setBlobAside(ports: JournalPorts, layout: Layout, one: Damaged): string[] {
  const { segment } = one;
  if (isRefused(one)) return [];
  const path = pathOfBlob(layout, segment);
  if (ports.fs.statIfThere(path) === undefined) return [];
  const slash = path.lastIndexOf('/');
  return [setAside(ports, layout, path.slice(0, slash), path.slice(slash + 1))];
}
