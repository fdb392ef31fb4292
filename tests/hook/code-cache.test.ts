import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LockFile } from '../../src/journal/append/locking.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { readEvents } from '../../src/projections/events.ts';
import { openTestProject, realPorts, scratch } from '../support.ts';
import { hooked, runHook, toolCall } from './run-hook.ts';

/** The user that may write nothing. */
const NOBODY = 65_534;
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/** An installation of its own, and a project. */
function install() {
  const dist = path.join(scratch(), 'dist');
  mkdirSync(dist);
  for (const name of ['ben10.cjs', 'hook.cjs', 'hook-slow.cjs', 'redaction.cjs', 'addons'])
    cpSync(path.join(DIST, name), path.join(dist, name), { recursive: true });
  const project = scratch();
  let calls = 0;
  const owner = (uid: number) => execFileSync('chown', ['-R', `${uid}:${uid}`, project]);
  /** Runs the hook of one more tool call, which must say nothing; returns how many were recorded so far. */
  const hook = (event = 'PreToolUse', own: { uid?: number; gid?: number } = {}) => {
    calls += 1;
    if (own.uid !== undefined) owner(own.uid);
    const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env;
    const said = execFileSync(process.execPath, [path.join(dist, 'ben10.cjs'), 'hook', event], {
      input: JSON.stringify({ ...toolCall(`t${calls}`), hook_event_name: event }),
      env: { ...env, CLAUDE_PROJECT_DIR: project },
      stdio: ['pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: 20_000,
      ...own,
    });
    expect(said).toBe('');
    if (own.uid !== undefined) owner(0); // nobody reads another user's journal
    const { reader, close } = openTestProject(project);
    const events = [...readEvents(reader, realPorts.xxh64, {})];
    close();
    return events.length;
  };
  const caches = () => readdirSync(dist).filter((name) => name.endsWith('.cache'));
  const cache = () => path.join(dist, caches()[0]!);
  return { dist, project, hook, caches, cache };
}

describe('the code cache of the hook', () => {
  it('is left by the first hook of a tool call, for its own version of Node and of the code', () => {
    const { hook, caches, cache } = install();
    expect(hook()).toBe(1);
    expect(caches()).toEqual([
      expect.stringMatching(
        new RegExp(`^hook-[0-9a-f]{12}-${process.version}-${process.arch}\\.cache$`),
      ),
    ]);
    const before = statSync(cache());
    expect(hook()).toBe(2);
    expect(statSync(cache()).ino).toBe(before.ino); // taken, not made again
  });

  it('is made anew by the first hook that meets a secret: more is compiled', async () => {
    const { dist, project, hook, caches } = install();
    const secret = ['gh', 'p_', 'q7Xk2Lm9'.repeat(5).slice(0, 36)].join('');
    const meet = async (id: string) => {
      const input = { ...toolCall(id, `echo ${secret}`), hook_event_name: 'PreToolUse' };
      await runHook(project, 'PreToolUse', input, {}, dist);
      return caches().map((name) => statSync(path.join(dist, name)));
    };
    hook();
    const own = caches()[0]!;
    const before = statSync(path.join(dist, own));
    const left = await meet('s1');
    // Its own is made anew, and the rules have one.
    expect(left).toHaveLength(2);
    expect(statSync(path.join(dist, own)).ino).not.toBe(before.ino);
    const next = await meet('s2');
    expect(next.map(({ ino }) => ino)).toEqual(left.map(({ ino }) => ino)); // taken, not made again
  });

  it('is left by the first hook that finds the lock held, and by the first that takes in what waits: each runs other code', () => {
    const { project, hook, cache } = install();
    hook();
    const lock = new LockFile(realPorts, layoutOf(path.join(project, '.ben10')).lock);
    onTestFinished(() => lock.close());
    const spool = () => lock.hold(1000, () => hook());
    const sizes = [hook, spool, hook].map((way) => {
      way();
      return statSync(cache()).size;
    });
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
    const { ino } = statSync(cache());
    spool();
    expect(hook()).toBe(6);
    expect(statSync(cache()).ino).toBe(ino); // taken, not made again
  });

  it('is made anew by the first hook behind which nothing is due: it compiled the look at the transcript', async () => {
    const { dist, project, cache } = install();
    const usage = { input_tokens: 20_000, output_tokens: 1 };
    const message = { id: 'm1', role: 'assistant', model: 'claude-opus-4-6', content: [], usage };
    const transcript_path = path.join(project, 'transcript.jsonl');
    writeFileSync(
      transcript_path,
      `${JSON.stringify({ type: 'assistant', uuid: 'u1', message })}\n`,
    );
    const called = async (tool_use_id: string) => {
      const call = { ...toolCall(tool_use_id), hook_event_name: 'PostToolUse', transcript_path };
      expect(await hooked(project, 'PostToolUse', call, {}, dist)).toBe('');
      return statSync(cache());
    };
    // It finds no view of the session, and has one written.
    const first = await called('t1');
    const next = await called('t2');
    expect(next.size).toBeGreaterThan(first.size);
    expect((await called('t3')).ino).toBe(next.ino); // taken, not made again
  });

  it('is left of the other bundle by each kind of hook that comes once a turn, with what those before have left, once', {
    tags: 'long',
  }, () => {
    const { hook, caches, cache } = install();
    let before = { ino: 0, size: 0 };
    for (const event of ['SessionStart', 'Stop', 'PreCompact']) {
      hook(event);
      expect(caches()).toEqual([expect.stringMatching(/^hook-slow-[0-9a-f]{12}-/)]);
      const { ino, size } = statSync(cache());
      expect(size).toBeGreaterThan(before.size);
      before = { ino, size };
    }
    for (const event of ['SessionStart', 'Stop', 'PreCompact']) hook(event);
    expect(statSync(cache())).toMatchObject(before); // taken, not made again
  });

  it.each([
    ['empty', () => Buffer.alloc(0)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1000)],
    ['cut off in its middle', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['of another version of V8', (bytes: Buffer) => doubled(bytes, (half) => half.fill(7, 0, 16))],
    ['not what V8 makes', (bytes: Buffer) => doubled(bytes, (half) => half.fill('x'))],
    [
      'damaged by one bit',
      (bytes: Buffer) => {
        bytes[bytes.length >> 2]! ^= 4;
        return bytes;
      },
    ],
    [
      'damaged by one bit near the end of a half',
      (bytes: Buffer) => {
        bytes[(bytes.length >> 1) - 10]! ^= 4;
        return bytes;
      },
    ],
    ['a byte too long', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1)])],
  ])('is made anew when it is %s, and the hook records all the same', (_, damage) => {
    const { hook, cache } = install();
    hook();
    const damaged = damage(readFileSync(cache()));
    writeFileSync(cache(), damaged);
    expect(hook()).toBe(2);
    expect(readFileSync(cache()).equals(damaged)).toBe(false);
    const { ino } = statSync(cache());
    expect(hook()).toBe(3);
    expect(statSync(cache()).ino).toBe(ino);
  });

  it.each(['hook.cjs', 'hook-slow.cjs', 'redaction.cjs'])(
    'fails no agent when %s is missing, cut off or not there yet: one line says so',
    async (name) => {
      const { dist, project } = install();
      const file = path.join(dist, name);
      const whole = readFileSync(file);
      const event = name === 'hook-slow.cjs' ? 'Stop' : 'PreToolUse';
      const secret = ['gh', 'p_', 'q7Xk2Lm9'.repeat(5).slice(0, 36)].join('');
      const command = `echo ${secret}`;
      const input = { ...toolCall('t1', command), hook_event_name: event };
      for (const content of [undefined, whole.subarray(0, whole.length / 2), Buffer.alloc(0)]) {
        rmSync(file, { force: true });
        if (content !== undefined) writeFileSync(file, content);
        const { code, stdout, stderr } = await runHook(project, event, input, {}, dist);
        expect([code, stdout]).toEqual([0, '']);
        expect(stderr).toMatch(/^ben10: this event was not recorded: .*\n$/);
        expect(stderr.trimEnd()).not.toContain('\n');
      }
      const written = readdirSync(project, { recursive: true, encoding: 'utf8' })
        .map((one) => path.join(project, one))
        .filter((one) => statSync(one).isFile());
      for (const one of written)
        expect(readFileSync(one).includes(secret.slice(4)), one).toBe(false);
    },
  );

  it('is done without when something else is in its place', () => {
    const { hook, cache, caches } = install();
    hook();
    const name = cache();
    rmSync(name);
    mkdirSync(name);
    expect(hook()).toBe(2);
    expect(caches()).toHaveLength(1);
    expect(readdirSync(path.dirname(name)).filter((one) => one.endsWith('.tmp'))).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')(
    'is done without in a folder that cannot be written',
    () => {
      const { hook, caches, dist } = install();
      const isRoot = process.getuid!() === 0;
      for (const folder of [dist, path.dirname(dist)]) chmodSync(folder, isRoot ? 0o755 : 0o555);
      const own = isRoot ? { uid: NOBODY, gid: NOBODY } : {}; // root may write anywhere
      expect([hook('PreToolUse', own), hook('PreToolUse', own)]).toEqual([1, 2]);
      expect(caches()).toEqual([]);
      for (const folder of [dist, path.dirname(dist)]) chmodSync(folder, 0o755);
    },
  );

  it('is not taken for another build of the same length', () => {
    const { hook, dist, caches } = install();
    hook();
    const launcher = path.join(dist, 'ben10.cjs');
    const build = /hook-([0-9a-f]{12})-/.exec(caches()[0]!)![1]!;
    writeFileSync(launcher, readFileSync(launcher, 'utf8').replace(build, 'f'.repeat(12)));
    hook();
    expect(caches()).toHaveLength(2);
  });
});

describe('the code cache of the server', () => {
  it('is left by a server that lives for some seconds, and the next one starts with it', {
    tags: 'long',
    timeout: 40_000,
  }, async () => {
    const { dist, project, caches } = install();
    for (const name of ['mcp.cjs', 'zstd.wasm'])
      cpSync(path.join(DIST, name), path.join(dist, name));
    const first = serve(dist, project);
    expect(await first.answer).toContain('"name":"ben10"');
    await expect.poll(caches, { timeout: 20_000, interval: 100 }).toHaveLength(1);
    first.end();
    const [cache] = caches();
    expect(cache).toMatch(/^mcp-[0-9a-f]{12}-v/);
    const { mtimeMs } = statSync(path.join(dist, cache!));
    const next = serve(dist, project);
    expect(await next.answer).toContain('"name":"ben10"');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    next.end();
    // It fitted: nothing was written anew.
    expect(statSync(path.join(dist, cache!)).mtimeMs).toBe(mtimeMs);
    expect(caches()).toEqual([cache]);
  });

  it('needs no command line: the server starts where there is none', async () => {
    const { dist, project } = install();
    cpSync(path.join(DIST, 'mcp.cjs'), path.join(dist, 'mcp.cjs'));
    const { answer, end } = serve(dist, project);
    expect(await answer).toContain('"name":"ben10"');
    end();
  });
});

/** The server as a client starts it, asked for the handshake. */
function serve(dist: string, project: string) {
  const child = spawn(process.execPath, [path.join(dist, 'ben10.cjs'), 'serve'], {
    env: { PATH: process.env.PATH, HOME: `${project}/no-home`, CLAUDE_PROJECT_DIR: project },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  };
  const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  const answer = once(child.stdout, 'data').then(([bytes]) => String(bytes));
  return { answer, end: () => child.stdin.end() };
}

/** Both halves changed alike. */
function doubled(bytes: Buffer, change: (half: Buffer) => void): Buffer {
  const half = Buffer.from(bytes.subarray(0, bytes.length / 2));
  change(half);
  return Buffer.concat([half, half]);
}
