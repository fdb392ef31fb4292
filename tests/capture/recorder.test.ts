import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { observation } from '../../src/capture/observation.ts';
import { Recorder } from '../../src/capture/recorder.ts';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { fact, factId } from '../../src/events/identity.ts';
import { blobPath, getBlob, INLINE_BYTES_MAX, listBlobs } from '../../src/journal/append/blobs.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { eraseSeqs } from '../journal/journals.ts';
import { verify } from '../journal/support.ts';
import { decoders } from '../support.ts';
import { World } from './support/world.ts';

const KEY = `sk-ant-api03-${'A1b2C3d4'.repeat(12)}-AbCdEfAA`;
const where = { session: 's', agent: null, at: 5 };
const call = (input: unknown) =>
  observation('tool.called', fact.toolCall('t1'), where, { toolUseId: 't1', name: 'Bash', input });
const ended = observation('turn.ended', null, where, {});

describe('what is recorded', () => {
  test('has the id of its fact, or one of its own', () => {
    const world = new World();
    world.recorder.append([world.recorder.event(call(null), 'hook')]);
    world.recorder.append([ended, ended].map((one) => world.recorder.event(one, 'cli')));
    const [first, second, third] = world.events();
    expect(first).toMatchObject({
      id: factId('s', fact.toolCall('t1')).toString('hex'),
      source: 'hook',
    });
    expect(second?.id).not.toBe(third?.id);
    expect(second).toMatchObject({
      type: 'turn.ended',
      client: 'claude-code',
      at: 5,
      source: 'cli',
    });
  });

  test('carries its place when it has one', () => {
    const world = new World();
    const traced = { ...call(null), trace: { pos: 7, uuid: 'u' } };
    world.recorder.append([world.recorder.event(traced, 'import')]);
    expect(world.events()[0]?.data).toMatchObject({ trace: { pos: 7, uuid: 'u' } });
  });

  test('has no secret in it, neither in the journal nor beside it', () => {
    const world = new World();
    const long = `${KEY}\n${'x'.repeat(INLINE_BYTES_MAX)}`;
    const events = [call({ command: `export KEY=${KEY}` }), call({ command: long })];
    const more = world.recorder.enrichment(ended, 'aa', { text: KEY, long }, 'transcript');
    world.recorder.append([...events.map((one) => world.recorder.event(one, 'hook')), more]);
    const files = readdirSync(world.root, { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile())) {
      expect(readFileSync(path.join(file.parentPath, file.name), 'latin1')).not.toContain(
        KEY.slice(13),
      );
    }
  });

  test('keeps a large text beside the journal, once however often it comes', () => {
    const world = new World();
    const text = 'y'.repeat(20 * 1024 * 1024);
    for (const id of ['t1', 't2']) {
      const one = { ...call({ content: text }), fact: fact.toolCall(id) };
      world.recorder.append([world.recorder.event(one, 'hook')]);
    }
    const layout = layoutOf(world.root);
    const [name, ...others] = listBlobs(world.ports, layout);
    expect(others).toEqual([]);
    expect(getBlob(world.ports, layout, name!, decoders)?.toString()).toBe(text);
    const { input } = world.events()[1]!.data as { input: { content: unknown } };
    expect(input.content).toEqual({ $blob: name, bytes: text.length, head: 'y'.repeat(2000) });
  });

  test('keeps the head alone where there is no journal to keep the rest beside', () => {
    const world = new World();
    const ports = { ...world.ports, lock: undefined };
    const writer = new JournalWriter(ports, world.root, { lockBudgetMs: 0 });
    const redaction = compileRedaction(undefined).options;
    const recorder = new Recorder({ ports, root: world.root, writer, redaction, client: 'c' });
    const text = 'z'.repeat(INLINE_BYTES_MAX + 1);
    expect(recorder.append([recorder.event(call({ text }), 'hook')]).spooled).toBe(true);
    world.writer.drain();
    expect(listBlobs(ports, layoutOf(world.root))).toEqual([]);
    expect(world.events()[0]?.data).toMatchObject({
      input: { text: { $blob: '', bytes: text.length, head: 'z'.repeat(2000) } },
    });
  });
});

describe('a large text that an erasure takes from beside the journal before its next event is appended', () => {
  const text = 'y'.repeat(INLINE_BYTES_MAX + 1);
  const told = (id: string) => ({ ...call({ text }), fact: fact.toolCall(id) });

  function raced(world: World, recorder: Recorder) {
    recorder.append([recorder.event(told('t1'), 'hook')]);
    const next = recorder.event(told('t2'), 'hook');
    eraseSeqs(world.root, 1);
    expect(listBlobs(world.ports, layoutOf(world.root))).toEqual([]);
    return next;
  }

  test('is there again when that event is', () => {
    const world = new World();
    world.recorder.append([raced(world, world.recorder)]);
    expect(listBlobs(world.ports, layoutOf(world.root))).toHaveLength(1);
    expect(verify(world.root).damage).toEqual([]);
  });

  test('is there again when that event waits in the inbox', () => {
    const world = new World();
    const next = raced(world, world.recorder);
    const unlocked = { ...world.ports, lock: undefined };
    const spooling = new JournalWriter(unlocked, world.root, { lockBudgetMs: 0 });
    expect(spooling.append([next]).spooled).toBe(true);
    expect(listBlobs(world.ports, layoutOf(world.root))).toHaveLength(1);
  });

  test('does not come back with an event that was erased itself', () => {
    const world = new World();
    const next = raced(world, world.recorder);
    const again = world.recorder.event(told('t1'), 'hook');
    eraseSeqs(world.root, 1);
    const layout = layoutOf(world.root);
    for (const name of listBlobs(world.ports, layout)) rmSync(blobPath(layout, name));
    world.recorder.append([again]);
    expect(listBlobs(world.ports, layout)).toEqual([]);
    world.recorder.append([again, next]);
    expect(listBlobs(world.ports, layout)).toHaveLength(1);
  });

  test('is looked at once more, and not read, where it is still there', () => {
    const world = new World();
    world.recorder.append([world.recorder.event(told('t1'), 'hook')]);
    const looks: string[] = [];
    const seen = (what: string, at: string) => at.includes('/blobs/') && looks.push(what);
    const fs = {
      ...world.ports.fs,
      statIfThere(at: string) {
        seen('stat', at);
        return world.ports.fs.statIfThere(at);
      },
      open(at: string, flags: 'r') {
        seen('open', at);
        return world.ports.fs.open(at, flags);
      },
    };
    const ports = { ...world.ports, fs: fs as typeof world.ports.fs };
    const writer = new JournalWriter(ports, world.root, { lockBudgetMs: 5000 });
    const redaction = compileRedaction(undefined).options;
    const recorder = new Recorder({ ports, root: world.root, writer, redaction, client: 'c' });
    const event = recorder.event(told('t2'), 'hook');
    looks.length = 0;
    recorder.append([event]);
    expect(looks).toEqual(['stat']);
  });
});

describe('what a second witness adds', () => {
  test('is an event of its own, once, about the fact', () => {
    const world = new World();
    const seen = { ...call(null), trace: { pos: 3 } };
    const more = () => world.recorder.enrichment(seen, 'ab', { input: { a: 1 } }, 'transcript');
    world.recorder.append([more(), more()]);
    expect(world.events()).toEqual([
      expect.objectContaining({
        type: 'fact.enriched',
        session: 's',
        data: { of: 'ab', type: 'tool.called', trace: { pos: 3 }, more: { input: { a: 1 } } },
      }),
    ]);
  });

  test('has no fields that it does not have', () => {
    const world = new World();
    world.recorder.append([world.recorder.enrichment(call(null), 'ab', {}, 'transcript')]);
    expect(world.events()[0]?.data).toEqual({ of: 'ab', type: 'tool.called' });
  });
});

test('what becomes of a text is what is kept of it', () => {
  const { recorder } = new World();
  expect(recorder.kept('Go on.')).toBe('Go on.');
  expect(recorder.kept(`the key ${KEY}`)).not.toContain(KEY);
});
