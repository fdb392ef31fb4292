import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder } from '../../support.ts';
import { inMemory, json } from '../support.ts';

const FILES = {
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': 'export const b = 2;\n',
  'src/c.ts': 'export const c = 3;\n',
};

const pack = async (dir: string, ...args: string[]) => await inMemory(dir, ['pack', ...args]);

/** A project with the pack `auth`, kept as v1.0. */
async function projectWithSnapshot(): Promise<string> {
  const dir = folder(FILES);
  mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
  await pack(dir, 'create', 'auth');
  await pack(dir, 'add', 'auth', 'glob:src/*.ts');
  const kept = await pack(dir, 'snapshot', 'auth', '--name', 'v1.0');
  expect(kept.stdout).toMatch(/^Snapshot v1\.0 of auth: \d+ tokens, 3 items, id [0-9a-f]{16}/);
  return dir;
}

const write = (dir: string, name: string, text: string) =>
  writeFileSync(path.join(dir, name), text);

describe('a snapshot', () => {
  it('is rendered by its label or id as it was, and forgotten with its file', async () => {
    const dir = await projectWithSnapshot();
    const then = (await pack(dir, 'render', 'auth')).stdout;
    write(dir, 'src/a.ts', 'changed\n');
    expect((await pack(dir, 'render', 'auth')).stdout).not.toBe(then);
    expect((await pack(dir, 'render', 'v1.0')).stdout).toBe(then);
    const [{ id, stored, tokens }] = json<[{ id: string; stored: number; tokens: number }]>(
      await pack(dir, 'snapshots', 'auth', '--json'),
    );
    expect(stored).toBeGreaterThan(0);
    expect((await pack(dir, 'render', id.slice(0, 8))).stdout).toBe(then);
    const data = json<{ payload_text: string; token_estimate: number; included: unknown[] }>(
      await pack(dir, 'render', 'v1.0', '--json'),
    );
    expect(data).toMatchObject({ payload_text: then, token_estimate: tokens });
    expect(data.included).toHaveLength(3);
    expect((await pack(dir, 'forget', 'v1.0')).code).toBe(0);
    const gone = await pack(dir, 'render', 'v1.0');
    expect(gone).toMatchObject({ code: 1, stdout: '' });
    expect(gone.stderr).toContain('PACK_NOT_FOUND');
    const left = readdirSync(path.join(dir, '.ben10/pack-payloads'), { recursive: true });
    expect(left.filter((name) => String(name).length > 2)).toEqual([]);
  });

  it('whose file is lost is rendered anew where nothing has changed, and refused where something has', {
    tags: 'long',
  }, async () => {
    const dir = await projectWithSnapshot();
    const then = (await pack(dir, 'render', 'v1.0')).stdout;
    rmSync(path.join(dir, '.ben10/pack-payloads'), { recursive: true });
    expect((await pack(dir, 'render', 'v1.0')).stdout).toBe(then);
    write(dir, 'src/a.ts', 'changed\n');
    const refused = await pack(dir, 'render', 'v1.0');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('CHECKSUM_MISMATCH');
    expect(refused.stderr).toContain('ben10 pack forget v1.0');
  });

  it('says in the preview how much differs from it by now', { tags: 'long' }, async () => {
    const dir = await projectWithSnapshot();
    expect((await pack(dir, 'preview', 'auth')).stdout).toContain('The same as snapshot v1.0.');
    write(dir, 'src/a.ts', 'export const a = [1, 2, 3, 4];\n');
    rmSync(path.join(dir, 'src/b.ts'));
    const { stdout } = await pack(dir, 'preview', 'auth');
    expect(stdout).toMatch(
      /2 items differ from snapshot v1\.0 \(-\d+ tokens\): ben10 pack diff auth/,
    );
    const { stale } = json<{ stale: object }>(await pack(dir, 'preview', 'auth', '--json'));
    expect(stale).toMatchObject({ snapshot: 'v1.0', items: 2 });
  });
});

describe('a diff', () => {
  it('shows what is changed, new and gone, with tokens and lines, and exits with 1', async () => {
    const dir = await projectWithSnapshot();
    expect(await pack(dir, 'diff', 'auth')).toMatchObject({ code: 0 });
    write(dir, 'src/a.ts', 'export const a = [1, 2, 3, 4];\n');
    write(dir, 'src/d.ts', 'export const d = 4;\n');
    rmSync(path.join(dir, 'src/b.ts'));
    const shown = await pack(dir, 'diff', 'auth', '--unified');
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/^v1\.0 → auth now: 3 items differ, [+-]\d+ tokens\n/);
    expect(shown.stdout).toMatch(/ ~ src\/a\.ts +\d+ → \d+ +\+\d+ +no recorded change/);
    expect(shown.stdout).toMatch(/ \+ src\/d\.ts +– → \d+ +\+\d+ +new/);
    expect(shown.stdout).toMatch(/ - src\/b\.ts +\d+ → – +-\d+ +not in it any more/);
    expect(shown.stdout).toContain('+export const a = [1, 2, 3, 4];');
    const sum = json<{ tokens: number; items: { tokens: number }[] }>(
      await pack(dir, 'diff', 'v1.0', 'auth', '--json'),
    );
    expect(sum.items.reduce((all, { tokens }) => all + tokens, 0)).toBe(sum.tokens);
  });

  it('compares two snapshots, also when nothing of them is there any more', {
    tags: 'long',
  }, async () => {
    const dir = await projectWithSnapshot();
    write(dir, 'src/a.ts', 'export const a = 2;\n');
    await pack(dir, 'snapshot', 'auth', '--name', 'v1.1');
    rmSync(path.join(dir, 'src'), { recursive: true });
    const { stdout, code } = await pack(dir, 'diff', 'v1.0', 'v1.1', '-u');
    expect(code).toBe(1);
    expect(stdout).toContain('v1.0 → v1.1: 1 item differs');
    expect(stdout).toContain('-export const a = 1;\n+export const a = 2;');
  });

  it('of what has no snapshot says how to take one; of a slip, the nearest name', {
    tags: 'long',
  }, async () => {
    const dir = await projectWithSnapshot();
    await pack(dir, 'create', 'other');
    expect((await pack(dir, 'diff', 'other')).stderr).toContain('ben10 pack snapshot other');
    expect((await pack(dir, 'diff', 'auht')).stderr).toContain('did you mean "auth"?');
  });
});

it('what changes goes behind what did not with --stable-with, so that the rest is a prefix of the next render', async () => {
  const dir = await projectWithSnapshot();
  const stable = async () => await pack(dir, 'render', 'auth', '--stable-with', 'last');
  const prefixOf = ({ stderr }: { stderr: string }) =>
    (/Prefix shared with the last render: (\d+) of (\d+) tokens/.exec(stderr) ?? [])
      .slice(1)
      .map(Number) as [number, number];
  const same = prefixOf(await stable());
  write(dir, 'src/a.ts', 'export const a = 100;\n');
  const moved = await stable();
  const order = ['src/b.ts', 'src/c.ts', 'src/a.ts'].map((name) => moved.stdout.indexOf(name));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  write(dir, 'src/a.ts', 'export const a = 200;\n');
  const again = await stable();
  const [shared, all] = prefixOf(again);
  const changed = again.stdout.indexOf('<ben10-item path="src/a.ts">');
  expect(again.stdout.slice(0, changed)).toBe(moved.stdout.slice(0, changed));
  expect(shared).toBeGreaterThan(all / 2);
  expect(shared).toBeLessThan(same[0]);
  const plain = (await pack(dir, 'render', 'auth')).stdout;
  expect(plain.indexOf('src/a.ts')).toBeLessThan(plain.indexOf('src/b.ts'));
});
