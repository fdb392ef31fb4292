import * as fs from 'node:fs';
import * as path from 'node:path';
import { scratch } from '../support.ts';

/** A scratch project, as relative names and texts. */
export class Project {
  readonly dir = scratch();

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
}
