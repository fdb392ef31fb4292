import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../support.ts';
import { has } from '../../workspace/support.ts';
import { cleanEnv } from '../support.ts';

/** What a terminal is sent by a program that works for so long without a break, and then prints. */
function onTerminal(workMs: number, print: string): string {
  const dir = scratch();
  const contents = `
    import { showBusy, endBusy } from ${JSON.stringify(path.resolve('src/cli/ui/busy.ts'))};
    showBusy('reading the journal');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${workMs});
    ${print}
    endBusy();`;
  buildSync({
    stdin: { contents, resolveDir: dir },
    bundle: true,
    platform: 'node',
    outfile: path.join(dir, 'program.cjs'),
  });
  const command = `'${process.execPath}' program.cjs`;
  const env = cleanEnv(dir, { TERM: 'xterm' });
  return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: dir, env, encoding: 'utf8' })
    .stdout;
}

describe.skipIf(!has('script'))('work that takes long (skipped without script)', () => {
  it.each(['stdout', 'stderr'])(
    'says what it does and for how long, until it prints to %s',
    (stream) => {
      const sent = onTerminal(2500, `process.${stream}.write('done');`);
      expect(sent).toContain('reading the journal (1 s)');
      expect(sent).toContain('reading the journal (2 s)');
      // The line is taken away before anything else is written.
      expect(sent).toMatch(/ s\)\r\u001b\[Kdone$/);
    },
  );

  it('leaves nothing where it prints nothing, and says nothing when it was short', () => {
    expect(onTerminal(1500, '')).toMatch(/ s\)\r\u001b\[K$/);
    expect(onTerminal(0, `process.stdout.write('done');`)).toBe('done');
  });
});
