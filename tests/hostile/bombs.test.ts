/** @module-tag long */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeContainer } from '../../src/journal/format/container.ts';
import { CONTAINER_BYTES_MAX } from '../../src/journal/format/format.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { here, json, lines } from '../cli/support.ts';
import { runHook, toolCall } from '../hook/run-hook.ts';
import { INITIALIZE, toolCall as mcpCall, rawServer } from '../mcp/support.ts';
import { scratch } from '../support.ts';
import { expectCivil, fullProject, runCommands, runHooks } from './support.ts';

/** How long any of it may take at most, milliseconds; far more than it does, on a machine that is busy. */
const PATIENCE_MS = 10_000;

const deep = (levels: number, open = '[', close = ']') =>
  open.repeat(levels) + close.repeat(levels);
/** Keys that change what every object is, where somebody copies them carelessly. */
const KEYS = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{}';

const NESTED = {
  'lists, to the stack’s end': deep(200_000),
  'maps, to the stack’s end': `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  'lists that never close': '['.repeat(1_000_000),
  'keys of an object’s own parts': `{${KEYS},"a":{${KEYS},"b":[{${KEYS}}]}}`,
};

describe('what is nested very deep, or has keys of an object’s own parts', () => {
  it.each(Object.entries(NESTED))('does a hook no harm: %s', async (_, value) => {
    const dir = scratch();
    const head = '"session_id":"s","cwd":"/","tool_name":"Bash","tool_use_id":"t1"';
    const transcript = path.join(dir, 't.jsonl');
    const line = `{"type":"user","uuid":"u1","sessionId":"s","message":{"content":${value}},${KEYS}}`;
    writeFileSync(transcript, `${line}\n${value}\n`);
    for (const [event, input] of [
      ['PreToolUse', `{${head},${KEYS},"tool_input":${value}}`],
      ['PostToolUse', `{${head},"tool_input":{},"tool_response":${value}}`],
      ['Stop', `{"session_id":"s","transcript_path":"${transcript}",${KEYS}}`],
      ['SessionStart', '{"session_id":"s","source":"compact"}'],
    ] as const) {
      const run = await runHook(dir, event, input);
      expect(run.code).toBe(0);
      expect(run.stderr).not.toMatch(/^\s+at /m);
      expect(run.stderr).not.toContain('not recorded');
      expect(run.ms).toBeLessThan(PATIENCE_MS);
    }
    expect(json(await here(dir, ['verify', '--json']))).toMatchObject({ ok: true });
    expect((await here(dir, ['replay', '--json'])).status).toBe(0);
  });

  it('costs a hook little, however much of it there is, and not the rest of its event', async () => {
    const dir = scratch();
    const value = deep(1_900_000, '[{"a":', '}]').replace(':}', ':1}');
    const head = '"session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}';
    const input = `{${head},"tool_response":${value},"tool_use_id":"t1"}`;
    const run = await runHook(dir, 'PostToolUse', input);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.ms).toBeLessThan(PATIENCE_MS / 2);
    const [event] = lines<{ session: string; data: object }>(await here(dir, ['log', '--json']));
    expect(event).toMatchObject({ session: 's', data: { toolUseId: 't1', name: 'Bash' } });
  });

  it('does the server no harm, as arguments', async () => {
    const server = rawServer(scratch());
    server.send(INITIALIZE);
    await server.answer('init');
    server.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const line = (id: number, args: string) =>
      JSON.stringify(mcpCall(id, 'ben10_log', '@')).replace('"@"', args);
    server.send(
      line(1, deep(20_000)),
      line(2, `{"text":${deep(20_000)}}`),
      line(3, `{${KEYS},"limit":{${KEYS}}}`),
      '['.repeat(100_000),
      mcpCall(4, 'ben10_status', {}),
    );
    expect(JSON.stringify(await server.answer(4))).toContain('structuredContent');
    for (const id of [2, 3]) expect(await server.answer(id), String(id)).toBeDefined();
    expect(server.stderr()).not.toMatch(/^\s+at /m);
  });

  it('is no setting', async () => {
    const dir = scratch();
    await runHook(dir, 'PreToolUse', toolCall('t1'));
    for (const text of [
      '__proto__:\n  polluted: true\n',
      'constructor:\n  prototype:\n    polluted: true\n',
      `redaction: ${deep(5000)}\n`,
      'recall:\n  __proto__: {maxChars: 1}\n',
    ]) {
      writeFileSync(path.join(dir, '.ben10/config.yaml'), text);
      for (const one of [...(await runHooks(dir)), ...(await runCommands(dir, ['import nothing']))])
        expectCivil(one, text.slice(0, 40));
    }
    writeFileSync(
      path.join(dir, '.ben10/hook-config.json'),
      `{"format":1,"config":{${KEYS},"redaction":${deep(20_000)}},"sources":{${KEYS}}}`,
    );
    for (const one of await runHooks(dir)) expectCivil(one, 'hook-config.json');
  });
});

describe('a file of .ben10 that unpacks to far more than it is', () => {
  it('is not unpacked: stored states, saves and texts', async () => {
    const zstd = await loadZstd();
    // 8 MB in a few hundred bytes: cut off, twice of what was said, and said to be 4 PB.
    const zeros = Buffer.alloc(8 * 1024 * 1024);
    const small = encodeContainer(zeros, xxh64, { method: 'zstd', codec: zstd, level: 3 } as never);
    const dir = fullProject();
    const root = path.join(dir, '.ben10');
    const bombs = [
      small.subarray(0, 32 + 24),
      Buffer.concat([small, small.subarray(32)]),
      (() => {
        const lying = Buffer.from(small);
        lying.writeBigUInt64LE(2n ** 52n, 8);
        lying.writeBigUInt64LE(xxh64(lying.subarray(0, 24), 0n), 24);
        return lying;
      })(),
    ];
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(ckpt|ctx)$|^blobs\/..\/./.test(name),
    );
    expect(files.length).toBeGreaterThanOrEqual(4);
    const whole = new Map(files.map((name) => [name, readFileSync(path.join(root, name))]));
    for (const bomb of bombs) {
      for (const name of files) writeFileSync(path.join(root, name), bomb);
      const started = Date.now();
      for (const one of [
        ...(await runHooks(dir)),
        ...(await runCommands(dir, ['replay', 'recall', 'show 18', 'verify'])),
      ])
        expectCivil(one);
      expect(Date.now() - started).toBeLessThan(6 * PATIENCE_MS);
    }
    for (const [name, bytes] of whole) writeFileSync(path.join(root, name), bytes);
    const [verify] = await runCommands(dir, ['verify']);
    expect(JSON.parse(verify!.stdout)).toMatchObject({ events: expect.any(Number) });
  });

  it('is refused where it is whole, too: a few kilobytes that say millions of values', async () => {
    const zstd = await loadZstd();
    // One list of empty maps: 64 bytes of memory for each of its bytes.
    const maps = Buffer.alloc(CONTAINER_BYTES_MAX, 0x80);
    maps[0] = 0xdd;
    maps.writeUInt32BE(maps.length - 5, 1);
    const bomb = encodeContainer(maps, xxh64, { method: 'zstd', codec: zstd, level: 3 } as never);
    expect(bomb.length).toBeLessThan(32 * 1024);
    const dir = fullProject();
    const root = path.join(dir, '.ben10');
    const saves = readdirSync(path.join(root, 'checkpoints/saves'));
    expect(saves.length).toBeGreaterThan(0);
    for (const name of saves) writeFileSync(path.join(root, 'checkpoints/saves', name), bomb);
    const env = { NODE_OPTIONS: '--max-old-space-size=512' };
    const { status, stdout, stderr } = await here(dir, ['verify', '--json'], env);
    expect(stderr).toBe('');
    expect([0, 1]).toContain(status);
    expect(JSON.parse(stdout)).toMatchObject({
      stored: expect.arrayContaining([expect.objectContaining({ is: 'damaged' })]),
    });
  });
});
