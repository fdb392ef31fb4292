import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** A folder that is put back as it was, time after time. Its folders stay the same ones: a journal in a new one is a copy. */
export class KeptFolder {
  readonly dir: string;
  readonly #folders: ReadonlySet<string>;
  readonly #files = new Map<string, { bytes: Buffer; mtime: Date }>();

  /** As it is now. */
  constructor(dir: string) {
    this.dir = dir;
    this.#folders = new Set(foldersIn(dir));
    for (const file of filesIn(dir)) {
      const { mtime } = lstatSync(file);
      this.#files.set(file, { bytes: readFileSync(file), mtime });
    }
  }

  putBack(): void {
    for (const file of filesIn(this.dir)) if (!this.#files.has(file)) rmSync(file);
    for (const dir of foldersIn(this.dir))
      if (!this.#folders.has(dir)) rmSync(dir, { recursive: true, force: true });
    for (const [file, { bytes, mtime }] of this.#files) {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, bytes, { mode: 0o600 });
      utimesSync(file, mtime, mtime);
    }
  }
}

const inside = (dir: string) =>
  readdirSync(dir, { withFileTypes: true, recursive: true }).map((one) => ({
    name: path.join(one.parentPath, one.name),
    isFolder: one.isDirectory(),
  }));
const filesIn = (dir: string) => inside(dir).flatMap((one) => (one.isFolder ? [] : [one.name]));
const foldersIn = (dir: string) => inside(dir).flatMap((one) => (one.isFolder ? [one.name] : []));
