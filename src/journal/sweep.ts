import type { Decoders } from '../platform/codecs/codecs.ts';
import { errno } from '../platform/errors.ts';
import { readdirIfThere, removeIfThere } from '../platform/fs.ts';
import { type Layout, listOrigin, originDir, segmentPath } from './layout.ts';
import type { JournalPorts } from './ports.ts';
import { readWhole } from './whole.ts';

/** A temporary file this old belongs to nobody any more. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/**
 * Removes what crashed writers and compactions left: old temporary files, and segments whose sealed form is in
 * place and sound.
 * @returns how many files
 */
export function sweep(
  ports: JournalPorts,
  layout: Layout,
  origin: string,
  decoders: Decoders,
): number {
  let removed = 0;
  for (const dir of [layout.journal, layout.inbox, originDir(layout, origin)]) {
    for (const name of readdirIfThere(ports.fs, dir)) {
      const path = `${dir}/${name}`;
      if (name.endsWith('.tmp') && isOld(ports, path) && removeIfThere(ports.fs, path)) removed += 1;
    }
  }
  for (const file of listOrigin(ports.fs, layout, origin)) {
    const twin = segmentPath(layout, origin, file.firstSeq, false);
    if (!file.sealed || !isThere(ports, twin)) continue;
    if (readWhole(ports, file, decoders)?.source === undefined) continue;
    if (removeIfThere(ports.fs, twin)) removed += 1;
  }
  return removed;
}

function isThere(ports: JournalPorts, path: string): boolean {
  try {
    ports.fs.stat(path);
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false;
    throw error;
  }
}

function isOld(ports: JournalPorts, path: string): boolean {
  try {
    return ports.clock.now() - ports.fs.stat(path).mtimeMs > LEFTOVER_AGE_MS;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false; // got its name meanwhile
    throw error;
  }
}
