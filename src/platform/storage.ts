import { existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { Ben10Error, errno } from './errors.ts';
import { DIR_MODE, nodeFs } from './fs.ts';
import { hookConfigPath, readCallSettings } from './hook-config-file.ts';
import { BEN10_DIR } from './storage-location.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder that holds a project's journal. From the compiled settings, so that readers and hooks always use the same one.
 * @throws Ben10Error JOURNAL_UNSAFE if a folder above it is a link
 */
export function storageRoot(dir: string, env: Environment = process.env): string {
  return storageIn(dir, readCallSettings(`${dir}/${BEN10_DIR}`, env).storage);
}

/** @param location valid, see `isStorageLocation`. @throws Ben10Error JOURNAL_UNSAFE */
export function storageIn(dir: string, location: string): string {
  const root = `${dir}/${location}`;
  // The last name is checked when the journal is opened.
  for (let at = root.lastIndexOf('/'); at > dir.length; at = root.lastIndexOf('/', at - 1)) {
    const above = root.slice(0, at);
    if (lstatSync(above, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw new Ben10Error('JOURNAL_UNSAFE', `the journal would be below a symbolic link: ${above}`, {
      place: { file: above },
      next: 'Choose another folder: ben10 config set context.storageLocation FOLDER',
    });
  }
  return root;
}

/** The same for long processes: reads the compiled settings again when they change. */
export function storageFinder(dir: string, env: Environment = process.env): () => string {
  let root: string | undefined;
  let stamp = '';
  return () => {
    const stat = statSync(hookConfigPath(`${dir}/${BEN10_DIR}`), { throwIfNoEntry: false });
    const now = stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
    if (root === undefined || now !== stamp) root = storageRoot(dir, env);
    stamp = now;
    return root;
  };
}

/** Makes a storage folder other than `.ben10`, and keeps it out of git. @throws Node's errors; Ben10Error JOURNAL_UNSAFE */
export function prepareStorage(dir: string, location: string): void {
  if (location === BEN10_DIR) return;
  const root = storageIn(dir, location);
  mkdirSync(root, { recursive: true, mode: DIR_MODE });
  ignore(root);
}

/** Makes `.ben10` if it is missing, and keeps it out of git. On failure, the next write reports the problem. */
export function makeBen10Dir(dir: string): void {
  const root = `${dir}/${BEN10_DIR}`;
  if (existsSync(root)) return;
  try {
    nodeFs.mkdir(root);
    ignore(root);
  } catch {
    // Another process was faster, or the next write fails as well.
  }
}

function ignore(root: string): void {
  try {
    const fd = nodeFs.open(`${root}/.gitignore`, 'wx');
    try {
      nodeFs.write(fd, Buffer.from('*\n'), 0);
    } finally {
      nodeFs.close(fd);
    }
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
}
