import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** A ben10 that settings start, and the file that it really is. */
export interface FoundProgram {
  /** As the settings say it: `ben10`, or a path. */
  name: string;
  /** Undefined when it is not there. */
  real: string | undefined;
}

/**
 * Finds what a shell would start.
 * @param pathVariable of the environment: where programs are looked for
 */
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

/** What npm leaves on Windows where other systems have a link: a script that names the program, from its own folder on. */
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
    return undefined; // not there, or not ours to run
  }
}
