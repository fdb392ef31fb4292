import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface ProjectType {
  type: string;
  /** The file that shows it. */
  because: string;
}

/** The more specific first; `*` is any name. */
const MARKS: readonly [string, string][] = [
  ['aosp', 'build/envsetup.sh'],
  ['aosp', 'build/make/envsetup.sh'],
  ['yocto', 'oe-init-build-env'],
  ['yocto', 'poky/oe-init-build-env'],
  ['yocto', 'conf/bblayers.conf'],
  ['ros', 'src/*/package.xml'],
  ['ros', 'package.xml'],
  ['android', 'app/src/main/AndroidManifest.xml'],
  ['rust', 'Cargo.toml'],
  ['go', 'go.mod'],
  ['node', 'package.json'],
  ['python', 'pyproject.toml'],
  ['python', 'setup.py'],
  ['python', 'requirements.txt'],
  ['java', 'pom.xml'],
  ['java', 'build.gradle'],
  ['java', 'build.gradle.kts'],
  ['ruby', 'Gemfile'],
  ['php', 'composer.json'],
  ['dotnet', '*.sln'],
  ['cmake', 'CMakeLists.txt'],
  ['make', 'Makefile'],
];
/** Folders that are searched for a `*`. */
const LOOKED_AT_MAX = 200;

export function detectProjectType(dir: string): ProjectType | undefined {
  for (const [type, mark] of MARKS) {
    const because = mark.includes('*') ? anyOf(dir, mark) : existing(dir, mark);
    if (because !== undefined) return { type, because };
  }
  return undefined;
}

const existing = (dir: string, name: string): string | undefined =>
  existsSync(path.join(dir, name)) ? name : undefined;

function anyOf(dir: string, mark: string): string | undefined {
  const [before, after] = mark.split('*') as [string, string];
  const names = namesIn(path.join(dir, before)).slice(0, LOOKED_AT_MAX);
  if (!after.startsWith('/')) return names.find((name) => name.endsWith(after));
  return names.map((name) => `${before}${name}${after}`).find((name) => existing(dir, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
