import { blobPath } from './blobs.ts';
import type { Layout } from './layout.ts';
import type { JournalPorts } from './ports.ts';
import { setAside } from './quarantine.ts';
import type { RepairItem } from './repair-piece.ts';
import type { Verification } from './verify.ts';

type Damage = Verification['damage'][number];

/** What is done about damage that is in no segment: events that are gone, inbox files, texts beside the journal. */
export function besideItem(ports: JournalPorts, layout: Layout, one: Damage): RepairItem {
  const { segment, kind, offset, bytes, firstSeq, lastSeq } = one;
  const item = { segment, kind, offset, bytes, firstSeq, lastSeq };
  if (kind === 'missing')
    return { ...item, action: 'record', what: 'these events are gone: that is recorded' };
  if (kind === 'inbox')
    return { ...item, action: 'set-aside', what: 'what waited in this file cannot be read' };
  const isThere = ports.fs.statIfThere(pathOfBlob(layout, segment)) !== undefined;
  return isThere
    ? { ...item, action: 'set-aside', what: 'a damaged text: its events keep how it starts' }
    : { ...item, action: 'record', what: 'a text is gone: its events keep how it starts' };
}

export const foreignItem = ({
  segment,
  kind,
  offset,
  bytes,
  firstSeq,
  lastSeq,
}: Damage): RepairItem => ({
  segment,
  kind,
  offset,
  bytes,
  firstSeq,
  lastSeq,
  action: 'none',
  what: 'it belongs to another clone, where it has to be repaired',
});

const pathOfBlob = (layout: Layout, segment: string): string =>
  blobPath(layout, segment.slice('blobs/'.length));

/** An import that brings the text back finds its place free then. */
export function setBlobAside(ports: JournalPorts, layout: Layout, { segment }: Damage): string[] {
  const path = pathOfBlob(layout, segment);
  if (ports.fs.statIfThere(path) === undefined) return [];
  const slash = path.lastIndexOf('/');
  return [setAside(ports, layout, path.slice(0, slash), path.slice(slash + 1))];
}
