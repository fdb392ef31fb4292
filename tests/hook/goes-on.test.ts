import { describe, expect, it } from 'vitest';
import { here } from '../cli/support.ts';
import { call, connect, textOf } from '../mcp/support.ts';
import { scratch } from '../support.ts';
import { LiveSession } from './live-session.ts';

/** A session that worked and ended, and the first prompt of the one behind it. */
async function askedToGoOn(prompt: string): Promise<{ dir: string; earlier: LiveSession }> {
  const dir = scratch();
  const earlier = new LiveSession(dir);
  await earlier.start();
  await earlier.prompt('Build the importer. Never use tabs.');
  earlier.write('importer.js', 'export {};\n');
  await earlier.stop();
  await earlier.end();
  const fresh = new LiveSession(dir);
  await fresh.start();
  await fresh.prompt(prompt);
  return { dir, earlier };
}

describe('a new session that is asked to go on with the earlier work', () => {
  it('is given what the session before it had, by the tool, the prompt and the command line', {
    tags: 'long',
  }, async () => {
    const { dir, earlier } = await askedToGoOn('Go on with the earlier work.');
    const server = await connect(dir);
    const { messages } = await server.client.getPrompt({ name: 'resume', arguments: {} });
    const texts = [
      textOf(await call(server, 'ben10_restore')),
      (messages[0]!.content as { text: string }).text,
      (await here(dir, ['restore'])).stdout,
    ];
    for (const text of texts) {
      expect(text).toContain(earlier.id);
      expect(text).toContain('Never use tabs');
      expect(text).toContain('importer.js');
      expect(text).toContain('the newest has only begun');
      expect(text).not.toContain('Go on with the earlier work.');
    }
  });

  it('is given all pages of that session, and takes the budget by either name', async () => {
    const { dir, earlier } = await askedToGoOn('Go on.');
    const server = await connect(dir);
    const first = textOf(await call(server, 'ben10_restore', { mode: 'full', budget: 200 }));
    const cursor = /cursor "([^"]+)"/.exec(first)![1]!;
    expect(textOf(await call(server, 'ben10_restore', { cursor }))).toContain(earlier.id);
    const other = await call(server, 'ben10_restore', { mode: 'full', budgetTokens: 200 });
    expect(textOf(other)).toMatch(/^Page 1 of \d+/);
  });

  it('is given its own work once it has some', async () => {
    const { dir, earlier } = await askedToGoOn('Build the exporter.');
    const own = new LiveSession(dir);
    await own.start();
    await own.prompt('Build the exporter instead.');
    own.write('exporter.js', 'export {};\n');
    await own.stop();
    const { stdout } = await here(dir, ['restore']);
    expect(stdout).toContain('exporter.js');
    expect(stdout).not.toContain(earlier.id);
  });
});
