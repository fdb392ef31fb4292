// What a hook costs where ben10 is not installed: the guarded command in a shell, against an empty command of that shell.
// Usage: node bench/guard.mjs [SHELL…]
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { installed } from './lib/installed.mjs';
import { scratch } from './lib/scratch.mjs';

const ROUNDS = 200;
const shells = process.argv.length > 2 ? process.argv.slice(2) : ['/bin/sh', '/bin/bash'];

const { entry } = installed();
const cwd = scratch();
const env = { PATH: process.env.PATH, HOME: `${cwd}/no-home` };
spawnSync(process.execPath, [entry, 'init', '--shared'], { cwd, env });
const { hooks } = JSON.parse(readFileSync(`${cwd}/.claude/settings.json`, 'utf8'));
const { command } = hooks.PreToolUse[0].hooks[0];

const timed = (shell, line) => {
  const from = performance.now();
  spawnSync(shell, ['-c', line], { env: { PATH: '/usr/bin:/bin' }, stdio: 'ignore' });
  return performance.now() - from;
};
const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

for (const shell of shells) {
  const [empty, guarded] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    empty.push(timed(shell, ':'));
    guarded.push(timed(shell, command));
  }
  const [none, ours] = [median(empty), median(guarded)];
  console.log(
    `${shell}: ${ours.toFixed(2)} ms, an empty command ${none.toFixed(2)} ms (${(ours / none).toFixed(2)} times)`,
  );
}
