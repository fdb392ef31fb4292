import { statfsSync } from 'node:fs';
import { type Finding, fail, ok, warn } from '../platform/finding.ts';

/** The first Node with everything that is used without asking. */
export const NODE_MIN = [20, 19] as const;
/** Below this the next large answer of a tool may be the last that fits. */
export const FREE_BYTES_WARN = 500_000_000;
/** Below this a full segment no longer fits. */
export const FREE_BYTES_FAIL = 20_000_000;

/** File systems that other machines serve (statfs(2), Linux): their locks do not reliably reach across. */
const NETWORK_TYPES: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9P (a folder of the host, as under WSL)',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1397113167: 'AFS',
  1937076805: 'Coda',
};

/** @param version of Node, without `v` */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [least, leastMinor] = NODE_MIN;
  if (major > least || (major === least && minor >= leastMinor))
    return ok('node', `Node ${version}`);
  return fail(
    'node',
    `Node ${version} is too old`,
    `Install Node ${NODE_MIN.join('.')} or later, and start the client with it`,
  );
}

/** Reading extra certificates can take Node as long as all the rest of its start. */
export function checkCertificates(env: Readonly<Record<string, string | undefined>>): Finding {
  const file = env.NODE_EXTRA_CA_CERTS;
  if (file === undefined || file === '') return ok('certificates', 'no extra ones are loaded');
  return warn(
    'certificates',
    'NODE_EXTRA_CA_CERTS is set: every hook reads certificates that it does not need',
    'Unset it for the client, unless the client needs it itself',
  );
}

/**
 * @param hasLock whether this system's lock could be loaded
 * @param blocked lock files in whose place something else stands
 */
export function checkLock(hasLock: boolean, blocked: readonly string[] = []): Finding {
  const [other] = blocked;
  if (other !== undefined) {
    const what = `${other} is no file: no process can take its turn by it, and what needs it waits`;
    return fail('lock', what, 'Move it out of there; the next process makes a new file');
  }
  if (hasLock) return ok('lock', 'processes can take turns by a lock of the system');
  const system = `${process.platform} on ${process.arch}`;
  return warn(
    'lock',
    `there is no file lock for ${system}: events wait in the inbox and are not ordered at once`,
    'Nothing is lost by it; on Linux, macOS and Windows with x64 or arm64 there is one',
  );
}

/** @param dir a folder that exists */
export function checkDisk(dir: string): Finding[] {
  const { type, bavail, bsize } = statfsSync(dir);
  return [fileSystem(type), freeSpace(bavail * bsize)];
}

export function fileSystem(type: number): Finding {
  // The numbers are Linux's own.
  const network = process.platform === 'linux' ? NETWORK_TYPES[type] : undefined;
  if (network === undefined) return ok('file system', '.ben10 is on a disk of this machine');
  return warn(
    'file system',
    `.ben10 is on a network file system: ${network}`,
    'Work from one machine at a time, or keep the project on a local disk',
  );
}

/** @param bytes that a user may still write */
export function freeSpace(bytes: number): Finding {
  const size = `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
  if (bytes >= FREE_BYTES_WARN) return ok('disk', `${size} free`);
  if (bytes >= FREE_BYTES_FAIL)
    return warn(
      'disk',
      `only ${size} free`,
      'Free some space; ben10 compact makes the journal smaller',
    );
  const mend = 'Free some space elsewhere: ben10 compact, too, needs room before it makes any';
  return fail('disk', `the disk is full: ${size} free`, mend);
}
