import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

export interface FoundProgram {
  /** From the settings: `ben10`, or a path. */
  name: string;
  /** Its real path; undefined if it does not exist. */
  real: string | undefined;
}

/** Finds what a shell would start. @param pathVariable the value of PATH */
export function findProgram(
  name: string,
  pathVariable: string,
  platform: NodeJS.Platform = process.platform,
): FoundProgram {
  if (name !== 'ben10') return { name, real: realFile(name) };
  const suffixes = platform === 'win32' ? ['.cmd', '.exe', ''] : [''];
  for (const dir of pathVariable.split(path.delimiter)) {
    for (const suffix of suffixes) {
      const real = dir === '' ? undefined : realFile(path.join(dir, name + suffix), constants.X_OK);
      if (real !== undefined) return { name, real: suffix === '.cmd' ? startedBy(real) : real };
    }
  }
  return { name, real: undefined };
}

/** On Windows npm makes a script instead of a link; it contains the program's path. */
function startedBy(script: string): string {
  const [, started] = /"%(?:dp0%|~dp0)\\([^"%]+\.cjs)"/.exec(readFileSync(script, 'utf8')) ?? [];
  if (started === undefined) return script;
  return realFile(path.join(path.dirname(script), ...started.split('\\'))) ?? script;
}

function realFile(file: string, mode: number = constants.R_OK): string | undefined {
  try {
    accessSync(file, mode);
    return realpathSync(file);
  } catch {
    return undefined; // missing, or not executable
  }
}
