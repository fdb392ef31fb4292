import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { Ben10Error, errno } from '../errors.ts';
import { ensureDir, writeFileAtomic } from '../files.ts';
import { nodeFs } from '../fs.ts';
import { randomHex, systemRandom } from '../random.ts';
import { configPair, isUnchanged, readConfigOf } from './files.ts';

/**
 * Changes the configuration of a folder: the existing file, or a new config.yaml with mode 0600.
 * @param change gets the old text, empty for a new file
 * @param inside a folder that the file must not leave through a link
 * @throws as `readConfigOf`; Ben10Error FS_WRITE_ERROR
 */
export function changeConfig(
  folder: string,
  change: (file: string, text: string) => string,
  inside?: string,
): { file: string; isChanged: boolean } {
  const found = readConfigOf(folder, inside);
  const file = found?.file ?? configPair(folder).yaml;
  const before = found === undefined ? '' : Buffer.from(found.bytes).toString('utf8');
  const after = change(file, before);
  if (after === before) return { file, isChanged: false };
  try {
    // A dotfile manager may have made it a link.
    const target = found === undefined ? file : realpathSync(file);
    ensureDir(nodeFs, dirname(target));
    if (!isUnchanged(file, found?.stamp ?? null)) throw meanwhile(file);
    const unique = randomHex(systemRandom, 6);
    writeFileAtomic(nodeFs, target, Buffer.from(after), unique, { durable: true });
  } catch (error) {
    if (errno(error) === undefined) throw error;
    throw new Ben10Error('FS_WRITE_ERROR', `cannot write ${file}: ${(error as Error).message}`, {
      place: { file },
      next: 'Check the permissions of that folder and the free space, then run again.',
      cause: error,
    });
  }
  return { file, isChanged: true };
}

const meanwhile = (file: string): Ben10Error =>
  new Ben10Error('FS_WRITE_ERROR', `${file} was changed by another program meanwhile`, {
    place: { file },
    next: 'Nothing was written; run the command again.',
  });
