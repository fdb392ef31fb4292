import { folderOf, originsOf } from '../append/copied.ts';
import { furthestOrigin } from '../format/hint.ts';
import {
  type Layout,
  listOrigin,
  listOrigins,
  originDir,
  refuseLink,
  refuseUnsafeLayout,
  type SegmentFile,
} from '../format/layout.ts';
import { type Manifest, readManifest } from '../format/manifest.ts';
import type { ReaderPorts } from '../format/ports.ts';
import { formerOriginsIn, journalIdOf } from './headers.ts';

/** Where a journal's own events are. */
export interface Home {
  /** 32 hex digits: the origin that this clone appends to. */
  origin: string;
  /** 32 hex digits; undefined if neither manifest nor segments tell it. */
  journalId: string | undefined;
  /** Origins that the headers of its segments may name. */
  origins: readonly string[];
  /** Undefined when it is lost. */
  manifest: Manifest | undefined;
}

/**
 * Where the journal is by its manifest; without one, the origin that reached furthest. Folders of other origins are verified but
 * not read: their seqs are their own.
 * @returns undefined when there is no journal
 * @throws Ben10Error JOURNAL_UNSAFE when `.ben10` or a part of it is a link or a file, JOURNAL_FOREIGN,
 * FS_PERMISSION_DENIED
 */
export function homeOf(ports: ReaderPorts, layout: Layout): Home | undefined {
  refuseUnsafeLayout(ports.fs, layout); // here, because every reader calls this
  const manifest = readManifest(ports, layout);
  if (manifest !== undefined) {
    const origin = folderOf(ports, layout, manifest);
    refuseLink(ports.fs, originDir(layout, origin)); // or the journal would look empty
    return { origin, journalId: manifest.journalId, origins: originsOf(manifest), manifest };
  }
  const origin = furthestOrigin(ports, layout);
  if (origin === undefined) return undefined;
  const origins = [...formerOriginsIn(ports, layout, origin), origin];
  return { origin, journalId: journalIdOf(ports, layout, origin), origins, manifest };
}

/** Segments of the own origin, in rising order of first seq. */
export function ownSegments(ports: ReaderPorts, layout: Layout): SegmentFile[] {
  const home = homeOf(ports, layout);
  return home === undefined ? [] : listOrigin(ports.fs, layout, home.origin, home);
}

/**
 * Folders of other origins that hold segments. They come from a copy put over its original, from a sync program, or from another
 * journal, and may hold events that are nowhere else.
 * @throws as `homeOf`
 */
export function otherOrigins(ports: ReaderPorts, layout: Layout): string[] {
  const own = homeOf(ports, layout)?.origin;
  return listOrigins(ports.fs, layout).filter(
    (origin) => origin !== own && listOrigin(ports.fs, layout, origin).length > 0,
  );
}

/** How to read such a folder. */
export const readOthers = (ports: ReaderPorts, layout: Layout): string =>
  `Events may stand there alone. To read them, copy .ben10 into an empty folder, remove journal/manifest and journal/${homeOf(ports, layout)?.origin} there, and run: ben10 log`;
