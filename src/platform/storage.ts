import { existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { Ben10Error, errno } from './errors.ts';
import { DIR_MODE, nodeFs } from './fs.ts';
import { hookConfigPath, readCallSettings } from './hook-config-file.ts';
import { BEN10_DIR } from './storage-location.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The folder that holds a project's journal, by what was compiled for hooks: who asks now and who writes now then look
 * into the same one, also between a change of the settings and the next hook.
 * @throws Ben10Error JOURNAL_UNSAFE when a link is on the way to it
 */
export function storageRoot(dir: string, env: Environment = process.env): string {
  return storageIn(dir, readCallSettings(`${dir}/${BEN10_DIR}`, env).storage);
}

/**
 * @param location as `isStorageLocation` has it
 * @throws Ben10Error JOURNAL_UNSAFE
 */
export function storageIn(dir: string, location: string): string {
  const root = `${dir}/${location}`;
  // The last name is looked at by everybody who opens the journal, wherever it is.
  for (let at = root.lastIndexOf('/'); at > dir.length; at = root.lastIndexOf('/', at - 1)) {
    const above = root.slice(0, at);
    if (lstatSync(above, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw new Ben10Error(
      'JOURNAL_UNSAFE',
      `${above} is a symbolic link on the way to the journal`,
      {
        place: { file: above },
        next: 'Choose another folder: ben10 config set context.storageLocation FOLDER',
      },
    );
  }
  return root;
}

/** The same for who stays: asks for it anew whenever the compiled settings were written. */
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

/**
 * Makes a storage folder that is not `.ben10`, and keeps it out of git. Does nothing for one that is there.
 * @throws Node's errors; Ben10Error JOURNAL_UNSAFE
 */
export function prepareStorage(dir: string, location: string): void {
  if (location === BEN10_DIR) return;
  const root = storageIn(dir, location);
  mkdirSync(root, { recursive: true, mode: DIR_MODE });
  ignore(root);
}

/** Makes `.ben10` where it is not there, and keeps it out of git. What cannot be made here, whoever writes into it says. */
export function makeBen10Dir(dir: string): void {
  const root = `${dir}/${BEN10_DIR}`;
  if (existsSync(root)) return;
  try {
    nodeFs.mkdir(root);
    ignore(root);
  } catch {
    // Somebody else was faster, it is a link, there is no such project, or the disk is only read.
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
