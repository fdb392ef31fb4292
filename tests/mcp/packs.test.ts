import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { getEncoding } from 'js-tiktoken';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { toolList } from '../../src/mcp/server.ts';
import { here } from '../cli/support.ts';
import { scratch } from '../support.ts';
import { type Connected, call, connect, dataOf, hookArgs, SERVE, textOf } from './support.ts';

const ENV = { BEN10_PROFILE: 'core,packs' };
const SESSION = '11111111-2222-4333-8444-555555555555';
const OTHER = '99999999-2222-4333-8444-555555555555';
const cl100k = getEncoding('cl100k_base');
const tokensOf = (value: unknown) => cl100k.encode(JSON.stringify(value)).length;

let dir: string;
beforeEach(async () => {
  dir = scratch();
  mkdirSync(`${dir}/src`);
  for (const name of ['a', 'b', 'c'])
    writeFileSync(`${dir}/src/${name}.ts`, `export const ${name} = '${name.repeat(400)}';\n`);
  await ok('init');
  await ok('pack', 'create', 'auth', '--budget', '20000');
  await ok('pack', 'add', 'auth', 'glob:src/**');
});
async function ok(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await here(dir, args);
  expect(stderr + stdout, args.join(' ')).not.toContain('[');
  expect(status).toBe(0);
  return stdout;
}
const rendered = async (...args: string[]): Promise<string> =>
  (await here(dir, ['pack', 'render', 'auth', ...args])).stdout;

let calls = 0;
/** A call as Claude Code makes it: a hook records it, and the request says which it is. */
async function renderIn(
  server: Connected,
  session: string,
  args: Record<string, unknown> = {},
  agent = '',
) {
  calls += 1;
  const id = `toolu_pack_${calls}`;
  const more = {
    session_id: session,
    tool_use_id: id,
    tool_name: 'mcp__ben10__ctx_packs_render',
    agent_id: agent,
  };
  await call(server, 'ben10_record', hookArgs('PreToolUse', calls, more));
  const answer = (await server.client.callTool({
    name: 'ctx_packs_render',
    arguments: { packs: ['auth'], ...args },
    _meta: { 'claudecode/toolUseId': id },
  })) as Awaited<ReturnType<typeof call>>;
  expect(answer.isError, textOf(answer)).toBeUndefined();
  const [payload, notes] = answer.content.map(({ text }) => text);
  return { payload: payload!, notes: JSON.parse(notes!) as Record<string, unknown> };
}

describe('the profile packs', () => {
  const { tools } = toolList(PROFILES.packs.tools);

  it('takes at most 800 tokens of a context, and 1,100 with all that a list has', () => {
    const seen = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    expect(tokensOf(seen)).toBeLessThanOrEqual(800);
    expect(tokensOf({ tools })).toBeLessThanOrEqual(1100);
  });

  it('is offered beside core only to who asks for it', { tags: 'long' }, async () => {
    const names = async (env: Record<string, string>) =>
      (await (await connect(dir, env)).client.listTools()).tools.map(({ name }) => name);
    expect((await names({})).filter((name) => name.startsWith('ctx_'))).toEqual([]);
    expect((await names(ENV)).filter((name) => name.startsWith('ctx_'))).toEqual(
      tools.map(({ name }) => name),
    );
  });
});

describe('the tools of context packs', () => {
  it('list packs, and look at one with tokens, reasons and snapshots', {
    tags: 'long',
  }, async () => {
    writeFileSync(`${dir}/src/key.bin`, Buffer.alloc(100));
    await ok('pack', 'snapshot', 'auth', '--name', 'v1');
    const server = await connect(dir, ENV);
    const { packs } = await dataOf<{ packs: unknown[] }>(server, 'ctx_packs_list');
    expect(packs).toMatchObject([
      { name: 'auth', artifacts: 1, budget_tokens: 20000, changed_since: false },
    ]);
    const got = await dataOf(server, 'ctx_packs_get', { pack: 'auth' });
    expect(got).toMatchObject({
      stale: false,
      artifacts: [{ source: 'glob:src/**', items: 3, left_out: { binary: 1 } }],
      snapshots: [{ label: 'v1' }],
    });
    appendFileSync(`${dir}/src/a.ts`, '// more\n');
    expect(await dataOf(server, 'ctx_packs_get', { pack: 'auth' })).toMatchObject({ stale: true });
  });

  it('preview what the command line renders, without recording anything', async () => {
    const server = await connect(dir, ENV);
    const before = (await here(dir, ['log', '--all', '--json'])).stdout;
    const shown = await call(server, 'ctx_packs_preview', {
      packs: ['auth'],
      show_payload: true,
    });
    expect(JSON.parse(shown.content[1]!.text)).toMatchObject({ budget_tokens: 20000, pages: 1 });
    expect(shown.content[0]!.text).toBe(await rendered());
    const small = await dataOf(server, 'ctx_packs_preview', {
      packs: ['glob:src/a.ts'],
      budget: 250,
    });
    expect(small).toMatchObject({ excluded: [{ path: 'src/a.ts', reason: 'too_large' }] });
    expect((await here(dir, ['log', '--all', '--json'])).stdout).toBe(before);
  });

  it('change packs, but run no command and allow nothing that is sensitive', async () => {
    writeFileSync(`${dir}/.env`, 'A=1\n');
    const server = await connect(dir, ENV);
    const edit = (args: object) => call(server, 'ctx_packs_edit', { pack: 'new', ...args });
    await edit({ action: 'create', budget: 9000, sources: ['file:src/a.ts', 'text:hello'] });
    await edit({ action: 'add', sources: ['file:src/b.ts'], priority: 5 });
    await edit({ action: 'add', sources: ['file:src/b.ts'] });
    await edit({ action: 'remove', sources: ['text:hello'] });
    await edit({ action: 'set', budget: 8000 });
    const { stdout } = await here(dir, ['pack', 'show', 'new', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      policy: { budgetTokens: 8000 },
      artifacts: [{ source: 'file:src/a.ts' }, { source: 'file:src/b.ts', priority: 5 }],
    });
    expect(textOf(await edit({ action: 'add', sources: ['file:.env'] }))).toContain('PACK_DENIED');
    const ran = await edit({ action: 'add', sources: ['cmd:touch ran'] });
    expect(textOf(ran) + readdirSync(dir).join()).not.toMatch(/,ran/);
    expect(textOf(await edit({ action: 'add' }))).toContain('USAGE');
    const secret = await edit({ action: 'add', sources: ['text:password=hunter2hunter2'] });
    expect(textOf(secret)).toContain('REDACTED:PASSWORD');
    expect(textOf(secret)).not.toContain('hunter2');
  });

  it('delete a pack only if the user agrees', { tags: 'long' }, async () => {
    const asks: string[] = [];
    const answer = (action: 'accept' | 'decline') => (question: string) => {
      asks.push(question);
      return { action };
    };
    const args = { pack: 'auth', action: 'delete' };
    const silent = await call(await connect(dir, ENV), 'ctx_packs_edit', args);
    expect(textOf(silent)).toContain('ben10 pack delete auth');
    const no = await dataOf(await connect(dir, ENV, answer('decline')), 'ctx_packs_edit', args);
    expect(no).toMatchObject({ deleted: false });
    expect(asks[0]).toContain('Delete the context pack "auth" with 1 source');
    const yes = await dataOf(await connect(dir, ENV, answer('accept')), 'ctx_packs_edit', args);
    expect(yes).toMatchObject({ deleted: true });
    expect(await ok('pack', 'list')).not.toContain('auth');
  });

  it('keep what packs render, by a label', { tags: 'long' }, async () => {
    const server = await connect(dir, ENV);
    const kept = await dataOf(server, 'ctx_packs_snapshot', { packs: ['auth'], label: 'v1' });
    const text = await rendered();
    writeFileSync(`${dir}/src/a.ts`, 'other\n');
    const { content } = await call(server, 'ctx_packs_render', { snapshot_id: 'v1' });
    expect(content[0]!.text).toBe(text);
    expect(JSON.parse(content[1]!.text)).toMatchObject(kept);
    expect(createHash('sha256').update(text).digest('hex')).toBe(kept.payload_hash);
  });

  it('suggest files, with reasons', { tags: 'long' }, async () => {
    writeFileSync(`${dir}/src/main.ts`, "import { a } from './a.ts';\n");
    await ok('pack', 'create', 'one');
    await ok('pack', 'add', 'one', 'file:src/main.ts');
    const found = await dataOf(await connect(dir, ENV), 'ctx_packs_suggest', { for: 'one' });
    expect(found).toMatchObject({
      suggestions: expect.arrayContaining([
        {
          file: 'src/a.ts',
          score: expect.any(Number),
          tokens: 136,
          why: { beside: 1, importedBy: 1 },
        },
      ]),
    });
  });

  it('refuse arguments without sense, each with a code', async () => {
    const server = await connect(dir, ENV);
    for (const [args, code] of [
      [{ packs: ['auth'], snapshot_id: 'x' }, 'USAGE'],
      [{}, 'USAGE'],
      [{ packs: [] }, 'USAGE'],
      [{ packs: ['auht'] }, 'did you mean "auth"'],
      [{ snapshot_id: 'nothing' }, 'PACK_NOT_FOUND'],
      [{ packs: ['auth'], budget: 0 }, 'USAGE'],
      [{ packs: ['file:../x'] }, 'outside'],
      [{ cursor: 'abc' }, 'USAGE'],
    ] as const) {
      const answer = await call(server, 'ctx_packs_render', args);
      expect(answer.isError, JSON.stringify(args)).toBe(true);
      expect(textOf(answer)).toContain(code);
    }
  });

  it('take no cursor of another tool', { tags: 'long' }, async () => {
    const server = await connect(dir, ENV);
    for (let n = 0; n < 3; n += 1) await call(server, 'ben10_record', hookArgs('PreToolUse', n));
    const { nextCursor } = await dataOf<{ nextCursor: string }>(server, 'ben10_log', { limit: 1 });
    const answer = await call(server, 'ctx_packs_render', { cursor: nextCursor });
    expect(textOf(answer)).toContain('this cursor is not from this tool');
  });
});

describe('rendering for a session', () => {
  it('gives the bytes of the command line, and keeps a snapshot of them', async () => {
    const server = await connect(dir, ENV);
    const { payload, notes } = await renderIn(server, SESSION);
    expect(payload).toBe(await rendered());
    expect(notes).toMatchObject({ mode: 'full', page: 1, pages: 1 });
    expect(await rendered('--json')).toContain(String(notes.render_hash));
    const again = await call(server, 'ctx_packs_render', { snapshot_id: notes.snapshot_id });
    expect(again.content[0]!.text).toBe(payload);
  });

  it('gives nothing twice: only what changed, with what is gone, at most a tenth of the tokens', async () => {
    for (let n = 0; n < 37; n += 1)
      writeFileSync(`${dir}/src/more${n}.ts`, `export const more = '${`${n} `.repeat(300)}';\n`);
    const server = await connect(dir, ENV);
    const first = await renderIn(server, SESSION, { budget: 100_000 });
    for (let cursor = first.notes.nextCursor; cursor !== undefined; ) {
      const page = await call(server, 'ctx_packs_render', { cursor });
      cursor = (JSON.parse(page.content[1]!.text) as Record<string, unknown>).nextCursor;
    }
    appendFileSync(`${dir}/src/a.ts`, '// changed\n');
    appendFileSync(`${dir}/src/b.ts`, '// changed\n');
    const { payload, notes } = await renderIn(server, SESSION, { budget: 100_000 });
    expect(notes.mode).toBe('delta');
    expect(payload.match(/path="[^"]+"/g)).toEqual(['path="src/a.ts"', 'path="src/b.ts"']);
    const all = await rendered('--budget', '100000');
    expect(tokensOf(payload)).toBeLessThan(tokensOf(all) / 10);
    const given = (await here(dir, ['log', '--type', 'pack.given', '--all', '--json'])).stdout;
    expect(given).toContain('delta');
    await ok('pack', 'create', 'auth2');
    expect((await renderIn(server, SESSION, { budget: 100_000 })).payload).toContain(
      'new="0 of 40"',
    );
    expect((await renderIn(server, SESSION, { full: true, budget: 100_000 })).notes.mode).toBe(
      'full',
    );
  });

  it('gives all of it to another session, to a call that nobody knows, and after a compaction', async () => {
    const server = await connect(dir, ENV);
    await renderIn(server, SESSION);
    expect((await renderIn(server, SESSION)).notes.mode).toBe('delta');
    expect((await renderIn(server, OTHER)).notes.mode).toBe('full');
    const unknown = await call(server, 'ctx_packs_render', { packs: ['auth'] });
    expect(unknown.content[1]!.text).toContain('"mode":"full"');
    const compaction = {
      hook_event_name: 'PreCompact',
      trigger: 'manual',
      custom_instructions: '',
    };
    await call(server, 'ben10_record', hookArgs('PreCompact', 0, compaction));
    const after = await renderIn(server, SESSION);
    expect(after.notes.mode).toBe('full');
    expect(after.payload).toBe(await rendered());
  });

  it('knows sub-agents from the main thread: each has what it was given itself', async () => {
    const server = await connect(dir, ENV);
    await renderIn(server, SESSION);
    expect((await renderIn(server, SESSION, {}, 'agent77')).notes.mode).toBe('full');
    expect((await renderIn(server, SESSION, {}, 'agent77')).notes.mode).toBe('delta');
    const compaction = { trigger: 'manual', custom_instructions: '' };
    await call(server, 'ben10_record', hookArgs('PreCompact', 0, compaction));
    expect((await renderIn(server, SESSION)).notes.mode).toBe('full');
    expect((await renderIn(server, SESSION, {}, 'agent77')).notes.mode).toBe('delta');
  });

  it('gives a file again that went back to what it was before', { tags: 'long' }, async () => {
    const server = await connect(dir, ENV);
    const first = readFileSync(`${dir}/src/a.ts`);
    await renderIn(server, SESSION);
    writeFileSync(`${dir}/src/a.ts`, 'export const a = 2;\n');
    expect((await renderIn(server, SESSION)).payload).toContain('const a = 2');
    writeFileSync(`${dir}/src/a.ts`, first);
    expect((await renderIn(server, SESSION)).payload).toContain('new="1 of 3"');
    expect((await renderIn(server, SESSION)).payload).toContain('new="0 of 3"');
  });

  it('counts nothing as given whose first pages a compaction took', { tags: 'long' }, async () => {
    for (let n = 0; n < 30; n += 1) writeFileSync(`${dir}/src/m${n}.ts`, 'x'.repeat(1000 + n));
    const server = await connect(dir, ENV);
    const { notes } = await renderIn(server, SESSION);
    const compaction = { trigger: 'auto', custom_instructions: '' };
    await call(server, 'ben10_record', hookArgs('PreCompact', 0, compaction));
    await call(server, 'ctx_packs_render', { cursor: notes.nextCursor });
    expect((await renderIn(server, SESSION)).notes.mode).toBe('full');
  });

  it('gives nothing where the budget is too small and the pack says fail, and says so', async () => {
    await ok('pack', 'set', 'auth', '--budget', '300', '--fill', 'fail');
    const server = await connect(dir, ENV);
    const answer = await call(server, 'ctx_packs_render', { packs: ['auth'] });
    expect(textOf(answer)).toContain('LIMIT_EXCEEDED');
    const { client } = server;
    await expect(
      client.getPrompt({ name: 'use-pack', arguments: { pack: 'auth' } }),
    ).rejects.toThrow('LIMIT_EXCEEDED');
  });

  it('counts as given only what was read to its last page', async () => {
    for (let n = 0; n < 30; n += 1) writeFileSync(`${dir}/src/m${n}.ts`, 'x'.repeat(1000 + n));
    const server = await connect(dir, ENV);
    const { notes, payload } = await renderIn(server, SESSION);
    expect(notes.pages).toBe(2);
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(24_000);
    expect((await renderIn(server, SESSION)).notes.mode).toBe('full');
    writeFileSync(`${dir}/src/a.ts`, 'changed meanwhile\n');
    const next = await call(server, 'ctx_packs_render', { cursor: notes.nextCursor });
    expect(payload + next.content[0]!.text).not.toContain('changed meanwhile');
    expect(payload + next.content[0]!.text).toContain('</ben10-pack>\n');
  });

  it('cuts an item that is larger than a page at the ends of its lines', {
    tags: 'long',
  }, async () => {
    const lines = Array.from({ length: 5000 }, (_, n) => `line ${n} €`).join('\n');
    writeFileSync(`${dir}/src/long.ts`, `${lines}\n`);
    const server = await connect(dir, ENV);
    const first = await renderIn(server, SESSION, { budget: 60_000 });
    const pages = [first.payload];
    for (let cursor = first.notes.nextCursor; cursor !== undefined; ) {
      const { content } = await call(server, 'ctx_packs_render', { cursor });
      pages.push(content[0]!.text);
      cursor = (JSON.parse(content[1]!.text) as Record<string, unknown>).nextCursor;
    }
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.join('')).toBe(await rendered('--budget', '60000'));
    for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(24_000);
  });
});

describe('the resources and the prompt of packs', { tags: 'long' }, () => {
  it('have what a pack renders, and the bytes of a snapshot, and complete their names', async () => {
    await ok('pack', 'snapshot', 'auth', '--name', 'v1');
    const { client } = await connect(dir, ENV);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    const text = await rendered();
    expect(await read('ben10://packs/auth')).toMatchObject({ mimeType: 'text/plain', text });
    const { resources } = await client.listResources();
    const kept = resources.find(({ uri }) => uri.startsWith('ben10://pack-snapshots/'))!;
    expect(kept.name).toBe('pack snapshot v1');
    writeFileSync(`${dir}/src/a.ts`, 'other\n');
    expect(await read(kept.uri)).toMatchObject({ text });
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'ben10://packs/{name}' },
      argument: { name: 'name', value: 'a' },
    });
    expect(completion.values).toEqual(['auth']);
    await expect(read('ben10://packs/nothing')).rejects.toThrow('PACK_NOT_FOUND');
    const { messages } = await client.getPrompt({ name: 'use-pack', arguments: { pack: 'auth' } });
    expect(JSON.stringify(messages)).toContain(JSON.stringify(await rendered()).slice(1, -1));
    await expect(client.getPrompt({ name: 'use-pack' })).rejects.toThrow('There are: auth');
  });
});

describe('a read-only server by HTTP', () => {
  it('answers the two curl lines of ctx as they are, and writes nothing', async () => {
    const url = await served();
    const before = hashOfTree(`${dir}/.ben10`);
    const post = async (body: object) => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as { result: Record<string, never> };
    };
    const { result } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const names = (result.tools as unknown as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('ctx_packs_render');
    expect(names).not.toContain('ctx_packs_edit');
    const params = { name: 'ctx_packs_render', arguments: { packs: ['auth'], show_payload: true } };
    const asked = { jsonrpc: '2.0', id: 2, method: 'tools/call', params };
    const { content } = (await post(asked)).result as unknown as { content: { text: string }[] };
    expect(content[0]!.text).toBe(await rendered());
    const edit = {
      name: 'ctx_packs_edit',
      arguments: { pack: 'auth', action: 'set', budget: 9000 },
    };
    expect((await post({ ...asked, params: edit })).result).toMatchObject({ isError: true });
    expect(hashOfTree(`${dir}/.ben10`)).toBe(before);
  });

  it('says that a pack changed while its pages were read', { tags: 'long' }, async () => {
    writeFileSync(`${dir}/src/long.ts`, 'x\n'.repeat(20_000));
    const url = await served();
    const ask = async (args: object) => {
      const params = { name: 'ctx_packs_render', arguments: args };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
      const headers = { 'Content-Type': 'application/json' };
      const answer = await fetch(url, { method: 'POST', headers, body });
      const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
      return result.content.map(({ text }) => text);
    };
    const [, notes] = await ask({ packs: ['auth'], budget: 90_000 });
    const { nextCursor: cursor } = JSON.parse(notes!) as { nextCursor: string };
    appendFileSync(`${dir}/src/a.ts`, '// changed\n');
    expect((await ask({ cursor })).join()).toContain('PACK_CHANGED');
  });
});

async function served(): Promise<string> {
  await rendered(); // counts are kept by whoever may write
  const args = [
    ...SERVE,
    '--http',
    '--port',
    '0',
    '--profile',
    'core,packs',
    '--read-only',
    '--no-token',
  ];
  const env = { PATH: process.env.PATH ?? '', HOME: `${dir}/../no-home`, CLAUDE_PROJECT_DIR: dir };
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve) => {
    child.stderr.on('data', (chunk) => {
      const found = /http:\/\/[^/\s]+/.exec(String(chunk))?.[0];
      if (found !== undefined) resolve(found);
    });
  });
}

function hashOfTree(folder: string): string {
  const sum = createHash('sha256');
  for (const name of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
    const file = path.join(folder, name);
    sum.update(name);
    if (statSync(file).isFile()) sum.update(readFileSync(file));
  }
  return sum.digest('hex');
}
