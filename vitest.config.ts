import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';

// On macOS it lies behind a link, on Windows it may have a short name: programs tell of folders as they really are.
const temporary = realpathSync.native(tmpdir());

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    env: {
      ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary },
      BEN10_SEED: process.env.BEN10_SEED ?? '1',
    },
    globalSetup: ['tests/global-setup.ts'],
    setupFiles: ['tests/sample.ts'],
    tags: [{ name: 'long', description: 'Left out by `npm test`; `npm run test:all` runs it.' }],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Loading the modules anew for each file took a third of the time; what a test changes it puts back.
    isolate: false,
    unstubEnvs: true,
    restoreMocks: true,
    // One more than CI has cores: many tests wait, for a process or for a server that is idle.
    maxWorkers: 3,
    // Its modules import folders, which only bundlers resolve.
    server: { deps: { inline: ['clipanion'] } },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'journal-format/reader.mjs'],
      exclude: [
        'src/**/README.md',
        'src/{hook,cli}/entry-*.ts',
        'src/cli/main.ts',
        'src/mcp/main.ts',
      ],
      reporter: ['text-summary', 'json-summary'],
      // The surfaces are tested as real processes, which are not counted. A part of the tests, which `--tags-filter`
      // chooses, need not reach them: `.ci/run` merges what its parts reach.
      thresholds: process.argv.some((word) => word.startsWith('--tags-filter'))
        ? {}
        : {
            lines: 90,
            branches: 85,
            'src/journal/**': { lines: 99, branches: 99 },
            'journal-format/**': { lines: 94, branches: 90 },
          },
    },
  },
});
