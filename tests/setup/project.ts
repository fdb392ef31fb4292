import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Ben10Error } from '../../src/platform/errors.ts';

/** A scratch project, as relative names and texts. */
export class Project {
  readonly dir: string = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ben10-setup-')));

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  path(name: string): string {
    return path.join(this.dir, name);
  }

  write(name: string, text: string | Uint8Array): void {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), text);
  }

  read(name: string): string {
    return fs.readFileSync(this.path(name), 'utf8');
  }

  mode(name: string): number {
    return fs.statSync(this.path(name)).mode & 0o777;
  }

  /** Every file with its text, by relative name. */
  files(): Record<string, string> {
    const names = fs.readdirSync(this.dir, { recursive: true, encoding: 'utf8' }).sort();
    const plain = names.filter((name) => fs.statSync(this.path(name)).isFile());
    return Object.fromEntries(plain.map((name) => [name.replaceAll('\\', '/'), this.read(name)]));
  }

  remove(): void {
    fs.rmSync(this.dir, { recursive: true, force: true });
  }
}

/** The Ben10Error that a call ends with. */
export function failure(run: () => unknown): Ben10Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Ben10Error) return error;
    throw error;
  }
  throw new Error('it ended without an error');
}

/** Root may read and write everything: be somebody else meanwhile. */
export function withoutRoot<T>(run: () => T): T {
  if (process.getuid?.() !== 0) return run();
  process.seteuid?.(65_534);
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}
