import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { playTurns } from '../session.ts';
import { call, connect, dataOf, eventsOf, textOf } from '../support.ts';

interface Saved {
  name: string;
  seq: number;
  file: string;
  bytes: number;
}

describe('ben10_save', () => {
  it('keeps the state under a name, on disk and as an event', async () => {
    const server = await connect();
    await playTurns(server, 1);
    const saved = await dataOf<Saved>(server, 'ben10_save', { name: 'half-way' });
    expect(saved).toMatchObject({ name: 'half-way', seq: 5 });
    expect(existsSync(path.join(server.dir, '.ben10', saved.file))).toBe(true);
    expect(eventsOf(server.dir).at(-1)).toMatchObject({
      type: 'context.saved',
      source: 'tool',
      data: { name: 'half-way', upto: 5 },
    });
    const { point } = await dataOf<{ point: object }>(server, 'ben10_replay', {
      point: '@save:half-way',
    });
    expect(point).toMatchObject({ seq: 5 });
  });

  it('finds a name by itself', async () => {
    const server = await connect();
    await playTurns(server, 1);
    expect((await dataOf<Saved>(server, 'ben10_save')).name).toMatch(/^save-20/);
  });

  it('refuses a name that cannot be one, and to save nothing', async () => {
    const server = await connect();
    expect(textOf(await call(server, 'ben10_save'))).toMatch(/^CONTEXT_NOT_FOUND: .*\nNext: /);
    await playTurns(server, 1);
    for (const name of ['', '\u001b[2J', 'x'.repeat(101), 'two\nlines']) {
      expect(textOf(await call(server, 'ben10_save', { name }))).toMatch(/^USAGE: .*\nNext: /);
    }
  });
});
