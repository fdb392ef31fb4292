import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Decoder } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { decodeContainer } from '../../src/journal/format/container.ts';
import { BLOCK_HEADER_BYTES, CONTAINER_HEADER_BYTES } from '../../src/journal/format/format.ts';
import type { ContextState } from '../../src/projections/folds/context.ts';
import type { CurrentMeta } from '../../src/timetravel/current.ts';
import { replay } from '../../src/timetravel/replay.ts';
import { codecs } from '../erasure/support.ts';
import { decoders, openTestProject, realPorts, scratch } from '../support.ts';
import { runHook } from './run-hook.ts';

type Json = Record<string, unknown>;

const hook = (dir: string, event: string, fields: Json = {}, env: Record<string, string> = {}) =>
  runHook(dir, event, { hook_event_name: event, session_id: 's', cwd: dir, ...fields }, env);

const prompt = (dir: string, text: string, id = 'p1') =>
  hook(dir, 'UserPromptSubmit', { prompt: text, prompt_id: id });

/** As another tool reads it, with what `journal-format/` says of it. */
function current(dir: string): { meta: CurrentMeta; state: ContextState } {
  const bytes = readFileSync(path.join(dir, '.ben10/current.ctx'));
  const meta = JSON.parse(
    readFileSync(path.join(dir, '.ben10/current.ctx.meta'), 'utf8'),
  ) as CurrentMeta;
  expect(meta).toMatchObject({ bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') });
  const plain = decodeContainer(bytes, decoders, realPorts.xxh64)!;
  return { meta, state: new Decoder().decode(plain) as ContextState };
}

const QUIET = { code: 0, stdout: '', stderr: '' };

describe('current.ctx after a turn', () => {
  it('is the state as the turn left it, and current.ctx.meta says of which event', async () => {
    const dir = scratch();
    await prompt(dir, 'Add due dates. Always write ISO dates.');
    expect(existsSync(path.join(dir, '.ben10/current.ctx'))).toBe(false);
    expect(await hook(dir, 'Stop')).toMatchObject(QUIET);
    const first = current(dir);
    expect(first.meta).toMatchObject({ version: 1, directory: dir, session: 's', seq: 2 });
    const { state } = replay(openTestProject(dir));
    expect(first.state).toEqual(JSON.parse(JSON.stringify(state)));
    expect(first.state.conversation.messageCount).toBe(1);

    await prompt(dir, 'And now sort by them.', 'p2');
    expect(current(dir).meta.seq).toBe(2);
    await hook(dir, 'Stop');
    expect(current(dir).meta.seq).toBe(4);
    expect(current(dir).state.conversation.messageCount).toBe(2);
    expect(statSync(path.join(dir, '.ben10/current.ctx')).mode & 0o777).toBe(0o600);
    const left = readdirSync(path.join(dir, '.ben10')).filter((name) => name.endsWith('.tmp'));
    expect(left).toEqual([]);
  });

  it('is LZ4, which the program lz4 opens', async () => {
    const dir = scratch();
    await prompt(dir, `Add due dates. ${'Always write ISO dates. '.repeat(100)}`);
    await hook(dir, 'Stop');
    const { meta, state } = current(dir);
    expect(meta.bytes).toBeLessThan(meta.plainBytes);
    const bytes = readFileSync(path.join(dir, '.ben10/current.ctx'));
    const block = path.join(dir, 'block.lz4');
    writeFileSync(block, bytes.subarray(CONTAINER_HEADER_BYTES + BLOCK_HEADER_BYTES));
    const plain = execFileSync('lz4', ['-d', '-c', '-q', block]);
    expect(plain.length).toBe(meta.plainBytes);
    expect(new Decoder().decode(plain)).toEqual(state);
  });

  it('is written when a turn failed, too, and by no other hook', async () => {
    const dir = scratch();
    await prompt(dir, 'Add due dates.');
    await hook(dir, 'PreCompact', { trigger: 'manual' });
    await hook(dir, 'SessionEnd', { reason: 'exit' });
    expect(existsSync(path.join(dir, '.ben10/current.ctx'))).toBe(false);
    expect(await hook(dir, 'StopFailure', { error: 'overloaded' })).toMatchObject(QUIET);
    expect(current(dir).state.conversation.messageCount).toBe(1);
  });

  it('is not written where nothing is to be saved', async () => {
    const dir = scratch();
    await prompt(dir, 'Add due dates.');
    await hook(dir, 'Stop');
    const { seq } = current(dir).meta;
    const off = { BEN10_CONTEXT_AUTO_SAVE: 'false' };
    expect(await hook(dir, 'Stop', {}, off)).toMatchObject(QUIET);
    expect(current(dir).meta.seq).toBe(seq);
  });

  it('goes with what was erased, and comes back without it', async () => {
    const dir = scratch();
    await prompt(dir, 'The word is canary-4711.');
    await hook(dir, 'Stop');
    expect(JSON.stringify(current(dir).state)).toContain('canary-4711');
    erase(openTestProject(dir), { by: 'pattern', wanted: parsePattern('canary-4711') }, codecs);
    expect(existsSync(path.join(dir, '.ben10/current.ctx'))).toBe(false);
    await hook(dir, 'Stop');
    expect(JSON.stringify(current(dir).state)).not.toContain('canary-4711');
  });

  it('that cannot be written is one line on stderr; the turn is recorded', async () => {
    const dir = scratch();
    await prompt(dir, 'Add due dates.');
    mkdirSync(path.join(dir, '.ben10/current.ctx'));
    const run = await hook(dir, 'Stop');
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toMatch(
      /^ben10: current\.ctx was not updated for this turn: (E[A-Z]+): (?!.*\1).+\. Run: ben10 doctor\n$/,
    );
    const project = openTestProject(dir);
    expect([...project.reader.entries()]).toHaveLength(2);
  });

  it('is never written through a link', async () => {
    const dir = scratch();
    const outside = path.join(scratch(), 'victim');
    await prompt(dir, 'Add due dates.');
    symlinkSync(outside, path.join(dir, '.ben10/current.ctx'));
    expect(await hook(dir, 'Stop')).toMatchObject(QUIET);
    expect(existsSync(outside)).toBe(false);
    expect(current(dir).meta.session).toBe('s');
  });
});
