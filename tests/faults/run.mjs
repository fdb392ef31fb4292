// Bundles the driver beside this file and runs it: node tests/faults/run.mjs [--step 1]
import { runDriver } from '../damage/run-driver.mjs';

await runDriver(new URL('./driver.ts', import.meta.url), process.argv.slice(2));
