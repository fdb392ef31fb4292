import { DENIED, nextWhenDenied } from '../../platform/denied.ts';
import { errno } from '../../platform/errors.ts';
import { readdirIfThere } from '../../platform/files.ts';
import type { ReaderPorts } from '../format/ports.ts';

/** A segment or blob that is there but may not be read. Its content is unknown, not lost. */
export interface Refused {
  /** Its whole path. */
  file: string;
  /** The system's code: EACCES, EPERM, EIO. */
  why: string;
  /** One sentence without its full stop; a command stands at its end. */
  next: string;
}

type PassingBy = Pick<ReaderPorts, 'refused'>;

const BAD_DISK = 'EIO';

/** Whether to skip a file because of this error; if so, notes the file. */
export function isPassedBy({ refused }: PassingBy, path: string, error: unknown): boolean {
  const why = errno(error);
  if (refused === undefined || why === undefined) return false;
  if (!DENIED.has(why) && why !== BAD_DISK) return false;
  refused.set(path, why);
  return true;
}

/** Ports that skip files which may not be read, and keep what was noted before. */
export const passingBy = <P extends ReaderPorts>(
  ports: P,
): P & { refused: Map<string, string> } => ({
  ...ports,
  refused: ports.refused ?? new Map(),
});

/** Why a file was skipped, and what to do about it. */
export function refusalOf(
  { fs, refused }: Pick<ReaderPorts, 'fs' | 'refused'>,
  file: string,
): Refused | undefined {
  const why = refused?.get(file);
  if (why === undefined) return undefined;
  const next = isDenied({ why }) ? nextWhenDenied(fs, file) : COPY;
  return { file, why, next };
}

const COPY = 'Its disk is failing: copy the file to another one while that is possible';

/** Whether permissions keep it from being read. */
export const isDenied = ({ why }: Pick<Refused, 'why'>): boolean => DENIED.has(why);

/** As `readdirIfThere`; none if the folder may not be read and such are skipped. */
export function namesPassingBy(
  ports: Pick<ReaderPorts, 'fs' | 'refused'>,
  folder: string,
): string[] {
  try {
    return readdirIfThere(ports.fs, folder);
  } catch (error) {
    if (!isPassedBy(ports, folder, error)) throw error;
    return [];
  }
}
