import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { here } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { LiveSession } from './live-session.ts';

const everything = async (dir: string): Promise<string> =>
  (await here(dir, ['log', '--limit', '0', '--json'])).stdout;

/** A session that said something before recording was switched off, and something after that. */
async function paused(off: (dir: string) => void): Promise<LiveSession> {
  const dir = scratch();
  const session = new LiveSession(dir);
  await session.start();
  await session.prompt('The FIRST thing.');
  session.say('The first ANSWER.');
  await session.stop();
  off(dir);
  await session.prompt('A PRIVATE thing.');
  session.say('A private REPLY.');
  session.write('private.txt', 'HIDDEN\n');
  await session.stop();
  return session;
}

const byCommand = async (dir: string) =>
  await here(dir, ['config', 'set', 'context.autoSave', 'false']);
const byHand = (dir: string) => {
  mkdirSync(path.join(dir, '.ben10'), { recursive: true });
  writeFileSync(path.join(dir, '.ben10/config.yaml'), 'context:\n  autoSave: false\n', {
    mode: 0o600,
  });
};

async function goOn(session: LiveSession): Promise<void> {
  await session.prompt('The LATER thing.');
  session.say('The later WORDS.');
  await session.stop();
}

const SAID_OFF = ['PRIVATE', 'REPLY', 'HIDDEN'];
const SAID_ON = ['FIRST', 'ANSWER', 'LATER', 'WORDS'];

describe('what was said while context.autoSave was off', () => {
  it.each([
    ['the command line', byCommand],
    ['a file that was written by hand', byHand],
  ])('is not brought in by a later hook: switched by %s', { tags: 'long' }, async (_, off) => {
    const session = await paused(off);
    await here(session.dir, ['config', 'unset', 'context.autoSave']);
    await goOn(session);
    const told = await everything(session.dir);
    for (const word of SAID_OFF) expect(told).not.toContain(word);
    for (const word of SAID_ON) expect(told).toContain(word);
  });

  it('is not brought in of another session, which began before and is killed', {
    tags: 'long',
  }, async () => {
    const session = await paused(byCommand);
    await here(session.dir, ['config', 'unset', 'context.autoSave']);
    await new LiveSession(session.dir).start();
    for (const word of SAID_OFF) expect(await everything(session.dir)).not.toContain(word);
  });

  it('is all brought in by an import', { tags: 'long' }, async () => {
    const session = await paused(byCommand);
    await here(session.dir, ['config', 'unset', 'context.autoSave']);
    await goOn(session);
    const [name] = readdirSync(path.join(session.dir, 'transcripts'));
    await here(session.dir, ['import', path.join('transcripts', name!)]);
    const told = await everything(session.dir);
    for (const word of [...SAID_OFF, ...SAID_ON]) expect(told).toContain(word);
    expect(told.match(/The LATER thing/g)).toHaveLength(1);
  });
});
