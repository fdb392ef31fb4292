import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ben10 } from '../cli/support.ts';
import { prompt } from '../mcp/session.ts';
import { call, connect, rawServer, textOf } from '../mcp/support.ts';
import { scratch } from '../support.ts';

const SECRET = 'kanari-4711-vogel';
const WARNING = 'running clients may still hold erased text in memory';

const statusOf = (dir: string): { warnings: string[] } =>
  JSON.parse(ben10(dir, ['status', '--json']).stdout);
const notesIn = (dir: string): string[] => {
  const folder = path.join(dir, '.ben10/servers');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe("the project's server", () => {
  it('is named by status and doctor as running or not, which is no alarm', {
    tags: 'long',
  }, async () => {
    const dir = scratch();
    const server = await connect(dir);
    await prompt(server, 1, 'hello');
    await expect.poll(() => notesIn(dir), { timeout: 10_000 }).toHaveLength(1);
    expect(ben10(dir, ['status']).stdout).toMatch(/^ +MCP server +running$/m);
    await server.client.close();
    await expect.poll(() => notesIn(dir), { timeout: 10_000 }).toHaveLength(0);
    const told = 'not running, for tools only: start claude, or /mcp in it';
    expect(ben10(dir, ['status']).stdout.replaceAll(/\s+/g, ' ')).toContain(`MCP server ${told}`);
    expect(JSON.parse(ben10(dir, ['status', '--json']).stdout)).toMatchObject({
      servers: 0,
      health: 'good',
    });
    const doctor = ben10(dir, ['doctor']).stdout.replaceAll(/\s+/g, ' ');
    expect(doctor).toContain(`✓ connection MCP server ${told}`);
  });
});

describe('a server that runs since before an erasure', () => {
  it('is reported by status, and by its own status tool, until it ends', {
    tags: 'long',
  }, async () => {
    const dir = scratch();
    const server = await connect(dir);
    await prompt(server, 1, `the key is ${SECRET}`);
    await expect.poll(() => notesIn(dir), { timeout: 10_000 }).toEqual([`${server.pid}.0`]);
    const { mode } = statSync(path.join(dir, '.ben10/servers', `${server.pid}.0`));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
    expect(statusOf(dir).warnings.join()).not.toContain(WARNING);
    const erased = ben10(dir, ['erase', '--pattern', SECRET, '--yes']);
    expect(erased.stdout).toContain('Restart all clients');
    const told = `${WARNING}: restart the client that started ben10 as process ${server.pid}`;
    expect(statusOf(dir).warnings).toContain(told);
    expect(textOf(await call(server, 'ben10_status'))).toContain(WARNING);
    const next = await connect(dir);
    await prompt(next, 2, 'hello');
    await expect.poll(() => notesIn(dir), { timeout: 10_000 }).toContain(`${next.pid}.1`);
    expect(statusOf(dir).warnings).toContain(told);
    await server.client.close();
    await expect.poll(() => notesIn(dir), { timeout: 10_000 }).toEqual([`${next.pid}.1`]);
    expect(statusOf(dir).warnings.join()).not.toContain(WARNING);
  });

  it('is forgotten when it was killed', async () => {
    const dir = scratch();
    const server = await connect(dir);
    await prompt(server, 1, `the key is ${SECRET}`);
    await expect.poll(() => notesIn(dir), { timeout: 10_000 }).toHaveLength(1);
    ben10(dir, ['erase', '--pattern', SECRET, '--yes']);
    process.kill(server.pid, 'SIGKILL');
    await expect.poll(() => statusOf(dir).warnings.join(), { timeout: 10_000 }).toBe('');
    expect(notesIn(dir)).toHaveLength(1);
    const next = rawServer(dir);
    await expect.poll(() => notesIn(dir), { timeout: 10_000 }).toEqual([`${next.child.pid}.1`]);
  });
});
