/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { here } from '../cli/support.ts';
import { call, connect, dataOf, textOf } from '../mcp/support.ts';
import { scratch } from '../support.ts';
import { LiveSession } from './live-session.ts';

const DECISION = 'I decided to use plain text because it is easy to read.';

/** A session whose turn runs: what it said and wrote is in its transcript alone. */
async function running(): Promise<LiveSession> {
  const session = new LiveSession(scratch());
  await session.start();
  await session.prompt('Write the notes.');
  session.say(DECISION);
  session.write('notes.txt', 'one\n');
  return session;
}

describe('what is stored in the middle of a turn', () => {
  it('has all that was said and done in it: a save of the tool, and one of the command line', async () => {
    const { dir } = await running();
    const server = await connect(dir);
    await dataOf(server, 'ben10_save', { name: 'by-tool' });
    await here(dir, ['save', 'by-cli']);
    for (const name of ['by-tool', 'by-cli']) {
      const text = textOf(await call(server, 'ben10_restore', { name, mode: 'full' }));
      expect(text).toContain(DECISION);
      expect(text).toContain('notes.txt');
    }
  });

  it('has it in a checkpoint, too, and a clear leaves it behind', async () => {
    const { dir } = await running();
    const server = await connect(dir);
    await dataOf(server, 'ben10_checkpoint');
    const point = { point: '@checkpoint:-1', mode: 'full' };
    expect(textOf(await call(server, 'ben10_restore', point))).toContain(DECISION);
    expect(await dataOf(server, 'ben10_clear', { force: true })).toMatchObject({
      messages: 2,
      files: 1,
    });
  });
});

describe('a cleared context', () => {
  it('does not come back with what the transcript tells of the turn in which it was cleared', async () => {
    const session = await running();
    const server = await connect(session.dir);
    await call(server, 'ben10_clear', { force: true });
    // The client wrote it before the clear, and it was not on disk yet.
    session.say('I decided on the LATE plan because it is late.', Date.now() - 60_000);
    session.say('I decided on the NEW plan because it is new.', Date.now() + 1000);
    await session.stop();
    for (const args of [['restore'], ['recall', '--source', 'startup']]) {
      const { stdout } = await here(session.dir, args);
      expect(stdout).toContain('NEW plan');
      expect(stdout).not.toContain('LATE plan');
      expect(stdout).not.toContain('plain text');
    }
  });

  it('stays away from the next session when it was cleared before the first prompt', async () => {
    const session = await running();
    await session.stop();
    await session.end();
    const fresh = new LiveSession(session.dir);
    expect(JSON.stringify(await fresh.start())).toContain('notes.txt');
    const server = await connect(session.dir);
    await call(server, 'ben10_clear', { force: true });
    await fresh.end();
    const next = new LiveSession(session.dir);
    expect(JSON.stringify(await next.start())).not.toContain('notes.txt');
    expect(textOf(await call(server, 'ben10_restore'))).not.toContain('notes.txt');
  });
});

describe('a full restore', () => {
  it('has long texts whole, whoever said them', async () => {
    const session = new LiveSession(scratch());
    await session.start();
    const long = (word: string, times: number) =>
      Array.from({ length: times }, (_, n) => `${word}${n}`).join(' ');
    await session.prompt(long('asked', 900));
    session.say(long('answered', 4000));
    await session.stop();
    const pages: string[] = [];
    for (let page = 1, all = 1; page <= all; page += 1) {
      const args = ['restore', '--full', '--json', '--page', String(page)];
      const given = JSON.parse((await here(session.dir, args)).stdout) as {
        text: string;
        pages: number;
      };
      pages.push(given.text);
      all = given.pages;
    }
    for (const end of ['asked899', 'answered3999']) expect(pages.join('\n')).toContain(end);
  });
});
