#!/usr/bin/env node
// Bundles the simulation and runs it: one table row a harness, exit code 1 when anything was violated.
//
//   node tests/sim/run.mjs [--harness=exhaustive,interleaved,damage,random] [--seconds=…] [--brief]
//   node tests/sim/run.mjs --only=…                   what a violation says under `repeat`
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { bundleSimulation } from './bundle.mjs';

const dir = await bundleSimulation(path.resolve(import.meta.dirname, '../..'));
try {
  const { status } = spawnSync(
    process.execPath,
    [path.join(dir, 'sim.cjs'), ...process.argv.slice(2)],
    {
      stdio: 'inherit',
    },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
