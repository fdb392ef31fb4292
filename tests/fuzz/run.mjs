// Bundles the driver beside this file and runs it: node tests/fuzz/run.mjs [options of driver.ts]
import { runDriver } from '../damage/run-driver.mjs';

await runDriver(new URL('./driver.ts', import.meta.url), process.argv.slice(2));
