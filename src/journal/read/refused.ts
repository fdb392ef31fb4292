import { DENIED, nextWhenDenied } from '../../platform/denied.ts';
import { errno } from '../../platform/errors.ts';
import { readdirIfThere } from '../../platform/files.ts';
import type { ReaderPorts } from '../format/ports.ts';

/**
 * A segment, or a text beside the journal, that is there and that the system does not give: nobody can say what is in it, and
 * nothing of it is lost by that.
 */
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

/** Whether an error says that a file is there and not given, to who passes such files by: then it is noted. */
export function isPassedBy({ refused }: PassingBy, path: string, error: unknown): boolean {
  const why = errno(error);
  if (refused === undefined || why === undefined) return false;
  if (!DENIED.has(why) && why !== BAD_DISK) return false;
  refused.set(path, why);
  return true;
}

/** The same ports for who goes on past what is not given; what was noted by others before is known. */
export const passingBy = <P extends ReaderPorts>(
  ports: P,
): P & { refused: Map<string, string> } => ({
  ...ports,
  refused: ports.refused ?? new Map(),
});

/** What was noted of a file, and what to do about it. */
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

/** Whether rights keep it from being read: then all in it is there as soon as they are given back. */
export const isDenied = ({ why }: Pick<Refused, 'why'>): boolean => DENIED.has(why);

/** Names in a folder, as `readdirIfThere`; none where it is closed and such are passed by. */
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
