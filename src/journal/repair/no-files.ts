import { createSegment } from '../append/rotate.ts';
import { hintPath, readHint } from '../format/hint.ts';
import { type Layout, originDir, segmentName } from '../format/layout.ts';
import { ensureManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { ownSegments } from '../read/origins.ts';
import { endOf } from '../read/segment-end.ts';
import { setStraysAside } from '../read/stray.ts';
import { setAside } from './quarantine.ts';

/**
 * Sets folders and links aside that bear segments' names: they can be neither appended to nor closed. Where the newest one is
 * none, the next segment is begun first, above all that the names say: without them nobody would know that there were events,
 * and their seqs would be given to others. Call with the append lock held.
 * @returns names in quarantine
 */
export function setNoFilesAside(ports: JournalPorts, layout: Layout): string[] {
  const isNoFile = ({ path }: { path: string }): boolean =>
    ports.fs.statIfThere(path)?.isFile === false;
  const own = ownSegments(ports, layout);
  if (!own.some(isNoFile)) return [];
  const manifest = ensureManifest(ports, layout);
  const { syncedUpto } = readHint(ports, hintPath(layout, own[0]!.origin));
  // A name that no journal comes to says nothing of its events.
  const { files, repairs } = setStraysAside(ports, layout, own, syncedUpto);
  const newest = files.at(-1);
  if (newest !== undefined && isNoFile(newest)) {
    const { seq, hlc, chain: prevChain, flags } = endOf(ports, newest, syncedUpto);
    const start = { firstSeq: seq + 1, hlc, prevChain, flags };
    ports.fs.close(createSegment(ports, layout, manifest, start).fd);
  }
  return [
    ...repairs.flatMap(({ repair }) => repair.kept ?? []),
    ...files
      .filter(isNoFile)
      .map((one) => setAside(ports, layout, originDir(layout, one.origin), segmentName(one))),
  ];
}
