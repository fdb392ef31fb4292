import { derivedFiles } from '../journal/erase/derived.ts';
import { isErasedFileDamaged } from '../journal/erase/erased-ids.ts';
import {
  CONTAINER_FILE_BYTES_MAX,
  decodeContainer,
  isLaterContainer,
} from '../journal/format/container.ts';
import { hintPath, isHintDamaged } from '../journal/format/hint.ts';
import { listOrigins } from '../journal/format/layout.ts';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';

/** A damaged file that ben10 makes again from the journal by itself, so nothing is lost. */
export interface BesideDamage {
  /** Relative to `.ben10`. */
  file: string;
  /** `state`: a checkpoint, save or snapshot; the others are the files of these names. */
  kind: 'state' | 'synced' | 'erased';
}

/** Temporary files do not match. */
const STATE = /\/\d{16}(?:-[0-9a-f]{12})?\.(?:ckpt|ctx)$/;

/** Damaged files by their checksums, also of states that no event mentions any more. Each is read once; nothing is folded. */
export function damagedBeside(project: Project): BesideDamage[] {
  const { ports, layout, root } = project;
  const states = derivedFiles(ports, layout, 0)
    .states.filter((path) => STATE.test(path) && isStateDamaged(project, path))
    .map((path) => ({ file: path.slice(root.length + 1), kind: 'state' as const }));
  const synced = listOrigins(ports.fs, layout)
    .map((origin) => hintPath(layout, origin))
    .filter((path) => isHintDamaged(ports, path))
    .map((path) => ({ file: path.slice(root.length + 1), kind: 'synced' as const }));
  const erased = isErasedFileDamaged(ports, layout)
    ? [{ file: 'journal/erased', kind: 'erased' as const }]
    : [];
  return [...states, ...synced, ...erased];
}

function isStateDamaged({ ports, decoders }: Project, path: string): boolean {
  let bytes: Buffer;
  try {
    bytes = readFile(ports.fs, path, CONTAINER_FILE_BYTES_MAX);
  } catch (error) {
    if (errno(error) === undefined) throw error;
    return errno(error) !== 'ENOENT'; // pruned meanwhile; a folder or link is damage
  }
  return (
    decodeContainer(bytes, decoders, ports.xxh64) === undefined &&
    !isLaterContainer(bytes, ports.xxh64)
  );
}
