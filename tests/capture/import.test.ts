import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importTranscripts } from '../../src/capture/import.ts';
import { asOneReader } from '../../src/capture/one-reader.ts';
import { findTranscripts } from '../../src/capture/transcripts.ts';
import { schemaOf } from '../../src/events/schema.ts';
import { hasShape } from '../../src/events/shape.ts';
import type { EventType, JournalEvent } from '../../src/events/types.ts';
import { LockFile } from '../../src/journal/append/locking.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import { context } from '../../src/projections/folds/context.ts';
import { codeOf, decoders, scratch, twinOf } from '../support.ts';
import { FIXTURES, recordedSessions } from './support/recorded.ts';
import { Script } from './support/script.ts';
import { playInOrder, World } from './support/world.ts';

const TRANSCRIPTS = path.join(FIXTURES, 'transcripts');
const EVERYTHING = [TRANSCRIPTS, path.join(FIXTURES, 'real-client')];

describe('importing every transcript that the project keeps', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'ben10-test-'));
  let world: World;
  let imported: ReturnType<World['import']>;
  let events: JournalEvent[];

  beforeAll(() => {
    world = new World(dir);
    imported = world.import(...EVERYTHING);
    events = world.events();
  });
  afterAll(() => {
    world.close();
    rmSync(dir, { recursive: true });
  });

  test('finds them all, and knows every type of their records', () => {
    const files = EVERYTHING.flatMap((dir) =>
      readdirSync(dir, { recursive: true, encoding: 'utf8' }),
    );
    const transcripts = files.filter(
      (file) => file.endsWith('.jsonl') && !/(?:hooks|arrivals)\.jsonl$/.test(file),
    );
    expect(imported).toHaveLength(transcripts.length);
    expect(imported.every(({ complete, malformed }) => complete && malformed === 0)).toBe(true);
    expect(imported.map(({ unknown }) => unknown)).toEqual(imported.map(() => ({})));
  });

  test('yields each fact once', () => {
    const ids = events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(events.length).toBeGreaterThan(600);
  });

  test('twice is the same as once', () => {
    expect(world.import(...EVERYTHING).map(({ added, enriched }) => added + enriched)).toEqual(
      imported.map(() => 0),
    );
    expect(world.import(...[...EVERYTHING].reverse()).every(({ added }) => added === 0)).toBe(true);
    expect(world.events()).toHaveLength(events.length);
  });

  test('makes events of their types’ shapes', () => {
    for (const event of events) {
      const schema = schemaOf(event.type as EventType);
      expect(schema.safeParse(event.data)).toMatchObject({ success: true });
      expect(hasShape(event)).toBe(true);
    }
  });

  test('tells the sub-agents’ work apart, in folders of their own as inside a file', () => {
    const agents = new Set(events.map(({ session, agent }) => `${session} ${agent}`));
    expect(agents.has('0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f a0ad4f44468bdf20d')).toBe(true);
    const inline = [...agents].filter((one) => one.includes('sidechain-'));
    expect(inline.length).toBeGreaterThanOrEqual(3);
  });

  test('finds the one branch that a rewound conversation has left, and the one before a compaction', () => {
    const abandoned = imported.flatMap(({ session, agent }) => {
      const { conversation } = world.states.at(context, agent === null ? session : 'none').state;
      return conversation.abandonedCount > 0 ? [conversation] : [];
    });
    expect(abandoned.map(({ abandonedCount }) => abandonedCount)).toEqual([2, 2]);
    const texts = abandoned.flatMap(({ messages }) => messages.map(({ content }) => content));
    expect(texts).toContain('Second attempt');
    expect(texts).toContain('Try it the right way.');
    expect(texts).not.toContain('First attempt');
    expect(texts).not.toContain('Try it the wrong way.');
  });
});

describe('importing what was recorded live', () => {
  test.each(recordedSessions())(
    'adds nothing to events of their types’ shapes, from any copy of the files: $name',
    (recorded) => {
      const world = new World();
      playInOrder(world, recorded);
      const before = world.events().length;
      for (const event of world.events()) {
        expect([event.type, hasShape(event)]).toEqual([event.type, true]);
        expect(schemaOf(event.type as EventType).safeParse(event.data).success).toBe(true);
      }
      const copies = recorded.transcripts.map((one) =>
        world.put(path.join('copies', one.file), one.lines.join('')),
      );
      expect(world.import(...copies).every(({ added, enriched }) => added + enriched === 0)).toBe(
        true,
      );
      expect(world.events()).toHaveLength(before);
      world.close();
    },
  );
});

describe('an import in the middle of a live session', () => {
  test('leaves nothing for the next reading to repeat, and nothing out', () => {
    const world = new World();
    const script = new Script();
    const start = script.prompt('One.', 'p1') + script.says('1');
    const file = world.put('s.jsonl', start);
    world.reconcile({ path: file, session: 's' });
    const more = script.prompt('Two.', 'p2') + script.says('2');
    const half = script.prompt('Three.', 'p3');
    appendFileSync(file, more + half.slice(0, 30));
    expect(world.import(file)[0]).toMatchObject({ added: 2 });
    appendFileSync(file, half.slice(30));
    expect(world.reconcile({ path: file, session: 's' })).toMatchObject({ added: 1, malformed: 0 });
  });

  test('of an older or a further copy does not make the next reading repeat anything', () => {
    for (const [copied, read] of [
      [2, 6],
      [6, 2],
      [9, 2],
    ] as const) {
      const world = new World();
      const script = new Script();
      const lines = Array.from({ length: 9 }, (_, n) => script.prompt(`${n}`, `p${n}`));
      const file = world.put('s.jsonl', lines.slice(0, read).join(''));
      world.reconcile({ path: file, session: 's' });
      world.import(world.put('copy/s.jsonl', lines.slice(0, copied).join('')));
      for (let upto = read + 1; upto <= 9; upto += 1) {
        appendFileSync(file, lines[upto - 1]!);
        world.reconcile({ path: file, session: 's' });
      }
      const ids = world.events().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(world.states.facts('s', ['prompt.submitted'])).toHaveLength(9);
      world.close();
    }
  });
});

describe('importing into a journal that is damaged', () => {
  const idsOf = (world: World) => world.events().map(({ id }) => id);
  const factsOf = (world: World) =>
    world.events().filter(({ type }) => type !== 'transcript.read' && type !== 'fact.enriched');

  function flip(file: string, offset: number): void {
    const bytes = readFileSync(file);
    bytes[offset]! ^= 1;
    writeFileSync(file, bytes);
  }

  /** Imports, and expects exactly what was lost of the transcripts' facts to be there again. */
  function expectBack(world: World, before: readonly JournalEvent[], ...paths: string[]): void {
    const left = new Set(idsOf(world));
    const lost = before.filter(({ id }) => !left.has(id));
    expect(lost.length).toBeGreaterThan(0);
    const added = world.import(...paths).reduce((sum, one) => sum + one.added, 0);
    expect(added).toBe(lost.length);
    const now = new Map(factsOf(world).map((event) => [event.id, event]));
    expect([...now.keys()].sort()).toEqual(before.map(({ id }) => id).sort());
    for (const { id, type, data } of before) expect(now.get(id)).toMatchObject({ type, data });
    const events = world.events().length;
    expect(world.import(...paths).every((one) => one.added + one.enriched === 0)).toBe(true);
    expect(world.events()).toHaveLength(events);
  }

  const whole = mkdtempSync(path.join(tmpdir(), 'ben10-test-'));
  beforeAll(() => {
    const writing = new World(whole);
    writing.import(...EVERYTHING);
    writing.close();
  });
  afterAll(() => rmSync(whole, { recursive: true }));

  /** Everything imported, and the facts of it; another process wrote it, so nobody remembers their ids. */
  function filled(): { world: World; before: JournalEvent[] } {
    const dir = scratch();
    twinOf(path.join(whole, '.ben10'), path.join(dir, '.ben10'));
    const world = new World(dir);
    return { world, before: factsOf(world) };
  }

  test.each([0.1, 0.5, 0.85])('brings back what was lost at %d of the file', (part) => {
    const { world, before } = filled();
    const { path: file } = world.reader.segments()[0]!;
    flip(file, Math.floor(readFileSync(file).length * part));
    expectBack(world, before, ...EVERYTHING);
    world.close();
  });

  test('brings back what was in a damaged part of a sealed segment', {
    tags: 'long',
  }, async () => {
    const { world, before } = filled();
    compactJournal(world.ports, world.root, { zstd: await loadZstd(), decoders });
    const sealed = world.reader.segments().find((one) => one.sealed)!.path;
    flip(sealed, readFileSync(sealed).length >> 1);
    expectBack(world, before, ...EVERYTHING);
    world.close();
  });

  test('brings back a fact that a hook told, of which only what the transcript added is left', () => {
    const dir = scratch();
    const live = new World(dir);
    const script = new Script();
    const hook = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash' };
    live.hook({ ...hook, tool_use_id: 't1', tool_input: { command: 'make it' } }, undefined);
    const file = live.put('s.jsonl', script.calls('t1', 'Bash', { command: 'make it' }));
    live.reconcile({ path: file, session: 's' });
    live.close();
    const world = new World(dir);
    const types = ['tool.called', 'fact.enriched', 'transcript.read'];
    expect(world.events().map(({ type }) => type)).toEqual(types);
    const { path: segment } = world.reader.segments()[0]!;
    flip(segment, readFileSync(segment).indexOf('make it'));
    expect(world.states.facts('s', ['tool.called'])).toHaveLength(0);
    expect(world.import(file)).toMatchObject([{ added: 1, enriched: 0 }]);
    expect(world.import(file)).toMatchObject([{ added: 0, enriched: 0 }]);
    expect(world.states.facts('s', ['tool.called'])).toHaveLength(1);
    world.close();
  });
});

test('a compaction without a summary is one by the end of a finished file', () => {
  const world = new World();
  const script = new Script();
  const file = world.put('s.jsonl', script.prompt('Go.', 'p1') + script.boundary());
  expect(world.import(file)[0]).toMatchObject({ added: 2 });
  expect(world.import(file)[0]).toMatchObject({ added: 0, enriched: 0 });
});

test('a last line without its newline counts when it is whole', () => {
  const world = new World();
  const file = world.put('s.jsonl', new Script().prompt('Go.', 'p1').trimEnd());
  expect(world.import(file)[0]).toMatchObject({ added: 1 });
  expect(world.import(file)[0]).toMatchObject({ added: 0, records: 0 });
});

test('says how far it is, over all files, in bytes', () => {
  const world = new World();
  const files = ['a', 'b'].map((name) => {
    const script = new Script(name);
    return world.put(
      `${name}.jsonl`,
      Array.from({ length: 300 }, (_, n) => script.says(`${n}`)).join(''),
    );
  });
  const sizes = files.map((file) => readFileSync(file).length);
  const all = sizes[0]! + sizes[1]!;
  const heard: [number, number, string][] = [];
  const { ports, reader, states, recorder } = world;
  const progress = (...one: [number, number, string]) => heard.push(one);
  importTranscripts({ ports, reader, states, recorder, paths: files, progress });
  expect(heard.map(([done]) => done)).toEqual(
    [...heard.map(([done]) => done)].sort((a, b) => a - b),
  );
  expect(heard.at(-1)).toEqual([all, all, files[1]]);
  expect(heard.some(([done, , file]) => file === files[0] && done === sizes[0])).toBe(true);
});

describe('beside others that read transcripts', () => {
  const locked = (world: World, path: string) => new LockFile(world.ports, path);
  /** A session's transcript, of some prompts. */
  const session = (world: World, name: string) =>
    world.put(`${name}.jsonl`, new Script(name).prompt(`Go, ${name}.`, name));

  test('waits for one that reads, and says so where that does not end', () => {
    const world = new World();
    const file = session(world, 'a');
    world.ports.clock.sleep = () => {
      world.now += 1000;
    };
    const { layout } = world.reader;
    const reading = locked(world, layout.transcriptsLock);
    reading.hold(0, () => {
      expect(codeOf(() => world.import(file))).toBe('CONTEXT_LOCKED');
    });
    reading.close();
    expect(world.events()).toEqual([]);
    expect(world.import(file)[0]).toMatchObject({ added: 1 });
  });

  test('keeps them from reading, but lets in who waits between two files, and goes on from there', () => {
    const world = new World();
    const [a, b] = ['a', 'b'].map((name) => session(world, name)) as [string, string];
    const { ports, reader, states, recorder } = world;
    const { layout } = reader;
    const queue = locked(world, layout.transcriptsQueueLock);
    let isAlone = false;
    let waiting: (() => void) | undefined;
    const tryRead = () => asOneReader({ ports, reader }, world.now, () => true);
    const progress = (_done: number, _all: number, file: string) => {
      if (file !== a || isAlone) return;
      isAlone = tryRead() === undefined;
      waiting = () => world.reconcile({ path: b, session: 'b' });
    };
    const lock = {
      tryLock: (fd: number) => {
        if (waiting === undefined) return ports.lock!.tryLock(fd);
        return queue.hold(0, () => ports.lock!.tryLock(fd))?.value ?? false;
      },
      unlock(fd: number) {
        ports.lock!.unlock(fd);
        waiting?.();
        waiting = undefined;
      },
    };
    const [first, second] = importTranscripts({
      ports: { ...ports, lock },
      reader,
      states,
      recorder,
      paths: [a, b],
      progress,
    });
    queue.close();
    expect(isAlone).toBe(true);
    expect(first).toMatchObject({ added: 1 });
    expect(second).toMatchObject({ added: 0, records: 0 });
  });

  test('lets in who waits within a long file, too, and counts the file as one', () => {
    const world = new World();
    const script = new Script('long');
    const long = Array.from({ length: 600 }, (_, n) => script.says(`message ${n}`));
    const [a, b] = [world.put('long.jsonl', long.join('')), session(world, 'b')];
    const { ports, reader, states, recorder } = world;
    const queue = locked(world, reader.layout.transcriptsQueueLock);
    const heard: string[] = [];
    let waiting: (() => void) | undefined;
    const progress = (done: number) => {
      heard.push(`read ${done}`);
      if (heard.length === 1)
        waiting = () => {
          heard.push('another');
          world.reconcile({ path: b, session: 'b' });
        };
    };
    const lock = {
      tryLock: (fd: number) => {
        if (waiting === undefined) return ports.lock!.tryLock(fd);
        return queue.hold(0, () => ports.lock!.tryLock(fd))?.value ?? false;
      },
      unlock(fd: number) {
        ports.lock!.unlock(fd);
        const run = waiting;
        waiting = undefined;
        run?.();
      },
    };
    const imported = importTranscripts({
      ports: { ...ports, lock },
      reader,
      states,
      recorder,
      paths: [a],
      progress,
    });
    queue.close();
    expect(heard.indexOf('another')).toBeGreaterThan(0);
    expect(heard.indexOf('another')).toBeLessThan(heard.length - 1);
    expect(imported).toMatchObject([{ added: 600, records: 600, complete: true, from: 0 }]);
    expect(world.events().filter(({ session: of }) => of === 'b')).not.toEqual([]);
  });
});

test('says which path is not there', () => {
  expect(() => new World().import('/no/such/folder')).toThrow(/ENOENT/);
});

test('a sub-agent’s transcript is known by its name, also behind the separators of Windows', () => {
  const dir = scratch();
  const record = { type: 'user', sessionId: 'inner', message: { role: 'user', content: 'Go.' } };
  for (const name of ['outer\\subagents\\agent-a1.jsonl', 'not-agent-a1.jsonl']) {
    const file = path.join(dir, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(record)}\n`);
  }
  const found = (name: string) =>
    findTranscripts(nodeFs, path.join(dir, name)).map(({ session, agent }) => [session, agent]);
  expect(found('outer\\subagents\\agent-a1.jsonl')).toEqual([['outer', 'a1']]);
  expect(found('not-agent-a1.jsonl')).toEqual([['inner', null]]);
});
