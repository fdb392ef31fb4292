import { describe, expect, it } from 'vitest';
import { ben10, start } from '../cli/support.ts';
import { playTurns, prompt } from '../mcp/session.ts';
import { type Connected, call, connect, textOf } from '../mcp/support.ts';

const SECRET = 'kanari-4711-vogel';

/** Everything that the server says of the session, through every tool that answers from the journal. */
async function saidBy(server: Connected): Promise<string> {
  const asked: [string, Record<string, unknown>][] = [
    ['ben10_log', { detail: 'data', limit: 100 }],
    ['ben10_log', { limit: 100 }],
    ['ben10_replay', {}],
    ['ben10_replay', { point: '@prompt:2' }],
    ['ben10_restore', {}],
    ['ben10_diff', { from: '@1' }],
    ['ben10_status', {}],
  ];
  const answers: string[] = [];
  for (const [name, args] of asked) answers.push(textOf(await call(server, name, args)));
  return answers.join('\n');
}

describe('a server that runs while something is erased', () => {
  it('answers at its next call from what is left, and goes on recording', async () => {
    const server = await connect();
    await playTurns(server, 3);
    await prompt(server, 4, `the key is ${SECRET}, thanks`);
    await playTurns(server, 1);
    await call(server, 'ben10_save', { name: 'held' });
    expect(await saidBy(server)).toContain(SECRET);
    const erased = ben10(server.dir, ['erase', '--pattern', SECRET, '--yes', '--json']);
    expect(erased.status, erased.stdout + erased.stderr).toBe(0);
    const after = await saidBy(server);
    expect(after).not.toContain('kanari');
    expect(after).toContain('the key is [REDACTED:ERASED], thanks');
    await prompt(server, 5, 'and on it goes');
    const last = await saidBy(server);
    expect(last).toContain('and on it goes');
    expect(last).not.toContain('kanari');
    const again = ben10(server.dir, ['erase', '--pattern', SECRET]);
    expect(again.stdout).toMatch(/^Nothing was found/);
    expect(ben10(server.dir, ['verify']).status).toBe(0);
  });

  it('loses nothing that is told while the journal is locked for it', async () => {
    const server = await connect();
    await prompt(server, 1, `one ${SECRET}`);
    const telling = (async () => {
      for (let n = 2; n <= 60; n += 1) await prompt(server, n, `prompt ${n}`);
    })();
    const erasing = start(server.dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(await erasing.until((stdout) => stdout.includes('Change the secret'))).toMatch(
      /^1 event erased/,
    );
    await telling;
    const log = ben10(server.dir, ['log', '--json']).stdout;
    for (let n = 2; n <= 60; n += 1) expect(log).toContain(`"prompt ${n}"`);
    expect(log).not.toContain('kanari');
    expect(ben10(server.dir, ['verify']).status).toBe(0);
  });
});
