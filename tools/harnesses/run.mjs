import { execFileSync, spawn } from 'node:child_process';
import { root } from './page.mjs';

/** Some rows run the built program: it has to be the one of these sources. */
export const buildProgram = () =>
  execFileSync(process.execPath, ['tools/build.mjs', '--bundles-only'], { cwd: root });

/**
 * Runs a program of the repository to its end, or for so long.
 * @returns {Promise<{ code: number, said: string, complained: string, seconds: number }>}
 */
export function runProgram(command, timeout = 0) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: root, timeout });
    let said = '';
    let complained = '';
    child.stdout.on('data', (data) => {
      said += data;
    });
    child.stderr.on('data', (data) => {
      complained += data;
    });
    child.on('close', (code) =>
      resolve({ code: code ?? 1, said, complained, seconds: (Date.now() - started) / 1000 }),
    );
  });
}

/** Two at a time: most of what is run uses one core. `next` gives the work, and undefined when there is none left. */
export async function inTwoLanes(next) {
  const lane = async () => {
    for (let work = next(); work !== undefined; work = next()) await work();
  };
  await Promise.all([lane(), lane()]);
}
