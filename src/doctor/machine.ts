import { statfsSync } from 'node:fs';
import { type Finding, fail, ok, warn } from '../platform/finding.ts';

const NODE_MIN = [20, 19] as const;
export const FREE_BYTES_WARN = 500_000_000;
/** Less than a full segment. */
export const FREE_BYTES_FAIL = 20_000_000;

/** Network file systems (statfs(2), Linux): their locks are not reliable between machines. */
const NETWORK_TYPES: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9P (a folder of the host, as in WSL)',
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

/** Loading extra certificates can double Node's start time. */
export function checkCertificates(env: Readonly<Record<string, string | undefined>>): Finding {
  const file = env.NODE_EXTRA_CA_CERTS;
  if (file === undefined || file === '')
    return ok('certificates', 'no extra certificates are loaded');
  return warn(
    'certificates',
    'NODE_EXTRA_CA_CERTS is set: every hook loads certificates that it does not need',
    'Unset it for the client, unless the client needs it',
  );
}

/** @param blocked lock files that are not regular files */
export function checkLock(hasLock: boolean, blocked: readonly string[] = []): Finding {
  const [other] = blocked;
  if (other !== undefined) {
    const what = `${other} is not a file, so nobody can lock it`;
    return fail('lock', what, 'Move it away; the next process makes a new file');
  }
  if (hasLock) return ok('lock', 'file locks work');
  const system = `${process.platform} on ${process.arch}`;
  return warn(
    'lock',
    `ben10 has no file lock for ${system}: events wait in the inbox`,
    'Nothing is lost. Supported are Linux, macOS and Windows on x64 and arm64',
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
  if (network === undefined) return ok('file system', '.ben10 is on a local disk');
  return warn(
    'file system',
    `.ben10 is on a network file system: ${network}`,
    'Use it from one machine at a time, or move the project to a local disk',
  );
}

export function freeSpace(bytes: number): Finding {
  const size = `${Math.round(bytes / 1e6).toLocaleString('en-US')} MB`;
  if (bytes >= FREE_BYTES_WARN) return ok('disk', `${size} free`);
  if (bytes >= FREE_BYTES_FAIL)
    return warn('disk', `only ${size} free`, 'Free some space, for instance with ben10 compact');
  const mend = 'Free some space elsewhere first: ben10 compact itself needs some';
  return fail('disk', `the disk is full: ${size} free`, mend);
}
