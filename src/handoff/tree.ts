import { realpathSync } from 'node:fs';
import path from 'node:path';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import { isOutside } from '../platform/inside.ts';
import { within } from '../platform/programs/run-now.ts';
import { sha256 } from '../platform/sha256.ts';
import type { Project } from '../project/open.ts';
import { DiskBudget } from '../timetravel/disk-budget.ts';
import { FILE_BYTES_MAX } from '../timetravel/file-on-disk.ts';
import { type Repository, repositoryAt } from './repository.ts';

/** What a document or a check reads of the tree at most. */
const LIMITS = { bytes: 32 * 1024 * 1024, ms: 2000 };
/** Of all that git is asked; a busy machine takes a tenth of a second for each. */
const GIT_MS = 2000;

/** The working tree of a checkpoint. */
export class Tree {
  readonly dir: string;
  readonly #fs: Project['ports']['fs'];
  readonly #clock: Project['ports']['clock'];
  #budget: DiskBudget | undefined;
  #repository: Repository | null | undefined;

  constructor({ dir, ports }: Project, worktree: string) {
    this.dir = path.resolve(dir, worktree);
    this.#fs = ports.fs;
    this.#clock = ports.clock;
  }

  /** As documents name it; undefined outside of the tree. */
  nameOf(file: string): string | undefined {
    const whole = path.resolve(this.dir, file);
    if (isOutside(this.dir, whole)) return undefined;
    return path.relative(this.dir, whole).split(path.sep).join('/');
  }

  /** Undefined where that cannot be told: it leads out of the tree, is too large or no file. */
  #read(name: string): Buffer | 'gone' | undefined {
    const file = path.resolve(this.dir, name);
    if (isOutside(this.dir, file)) return undefined;
    this.#budget ??= new DiskBudget(this.#clock, LIMITS);
    try {
      const real = realpathSync(file);
      if (isOutside(realpathSync(this.dir), real)) return undefined;
      const { size, isFile } = this.#fs.stat(real);
      if (!isFile || !this.#budget.mayRead(size)) return undefined;
      return readFile(this.#fs, real, FILE_BYTES_MAX);
    } catch (error) {
      const code = errno(error);
      if (code === undefined) throw error;
      return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : undefined;
    }
  }

  /** Undefined where there is none that can be read. */
  textOf(name: string): string | undefined {
    const found = this.#read(name);
    return typeof found === 'object' ? found.toString() : undefined;
  }

  /** What git answers; undefined if it fails, is late or missing, or there is no repository. */
  git(...args: readonly string[]): string | undefined {
    if (this.#repository === undefined) {
      try {
        this.#repository = repositoryAt(this.dir, within(GIT_MS));
      } catch {
        this.#repository = null;
      }
    }
    return this.#repository?.tryGit(args);
  }

  /** The commit that is checked out. */
  head(): string | undefined {
    return this.git('rev-parse', '--verify', '--quiet', 'HEAD')?.trim();
  }

  /** `sha256:…` of a file's bytes, `gone`, or empty where that is not known. */
  contentOf(name: string): string {
    const found = this.#read(name);
    return typeof found === 'object' ? hashed(found) : (found ?? '');
  }
}

export const hashed = (content: Buffer | string): string =>
  `sha256:${sha256(Buffer.from(content)).toString('hex')}`;
