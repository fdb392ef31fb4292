import type { NewEvent } from '../../src/journal/append/inbox.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { eraseEvents } from '../../src/journal/erase/erase.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { LEVEL_COMPACT, LEVEL_SEAL } from '../../src/journal/seal/seal.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import type { FileSystem } from '../../src/platform/fs.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import { STORED } from '../../src/project/stored.ts';
import type { Stage } from './actor.ts';
import { randomOf } from './chance.ts';
import { Killed } from './disk.ts';
import { newSimEvent, oldestEvent, restartEvents } from './events.ts';
import { decoders, loadCodecs, SIM_ROOT, type SimProcess } from './process.ts';
import { SESSION, statesOf, tally } from './tally.ts';
import { LARGE_CHARS, SEGMENT_BYTES } from './workload.ts';

/** What a thread is to do in one run. */
export interface Part {
  /** Of the process. */
  number: number;
  seed: number;
  word: string;
  lockBudgetMs: number;
}

/** Of one process, fewer by far. */
const EVENTS_MAX = 1000;

type Ask = (call: string, ...args: unknown[]) => unknown;

/** Does one part after the other, for ever: every call of each waits until it is its turn. */
export async function takeTurns(stage: Stage): Promise<void> {
  const codecs = await loadCodecs();
  const ask = askerOn(stage);
  for (;;) {
    const part = ask('next') as Part;
    try {
      play(part, stage, ask, codecs);
    } catch (error) {
      if (error instanceof Killed) continue;
      ask('threw', (error as Error).stack?.split('\n').slice(0, 9).join(' | '));
    }
  }
}

const askerOn =
  (stage: Stage): Ask =>
  (call, ...args) => {
    const answer = stage.ask(call, ...args);
    if (answer === 'killed') throw new Killed();
    if ('value' in answer) return answer.value;
    throw Object.assign(new Error(answer.failed.message), answer.failed);
  };

/** The machine's file system from afar. What is written is seen by others half done. */
function fsOf(ask: Ask): FileSystem {
  const write = (fd: number, bytes: Uint8Array, position: number) => {
    const half = bytes.length >> 1;
    if (half > 0) ask('write', fd, Buffer.from(bytes.subarray(0, half)), position);
    ask('write', fd, Buffer.from(bytes.subarray(half)), position + half);
    return bytes.length;
  };
  const read = (fd: number, into: Uint8Array, position: number) => {
    const bytes = ask('read', fd, into.length, position) as Uint8Array;
    into.set(bytes);
    return bytes.length;
  };
  const far = (_: object, call: string) => {
    if (call === 'write') return write;
    if (call === 'read') return read;
    return (...args: unknown[]) => ask(call, ...args);
  };
  return new Proxy({}, { get: far }) as FileSystem;
}

function play(
  { number, seed, word, lockBudgetMs }: Part,
  { now }: Stage,
  ask: Ask,
  codecs: Codecs,
): void {
  // Ids of its own.
  restartEvents(number * EVENTS_MAX);
  const process: SimProcess = {
    number,
    isLockedOut: false,
    ports: {
      fs: fsOf(ask),
      clock: {
        now,
        bootedAt: () => 0,
        sleep: (milliseconds) => void ask('sleep', milliseconds),
      },
      random: randomOf(seed * 1_000_003 + number * 7919),
      lock: {
        tryLock: (fd) => !process.isLockedOut && (ask('tryLock', fd) as boolean),
        unlock: (fd) => void ask('unlock', fd),
      },
      xxh64,
      stored: STORED,
    },
  };
  const { ports } = process;
  const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs, segmentBytes: SEGMENT_BYTES });
  const append = (...events: NewEvent[]) => {
    ask('attempts', events);
    const { spooled } = writer.append(events);
    ask('acknowledged', events, spooled);
  };
  const acts: Record<string, () => void> = {
    p: () => append(newSimEvent('p', 'process')),
    i: () => append(newSimEvent('i', 'interval')),
    d: () => append(newSimEvent('d', 'disk')),
    b: () =>
      append(
        newSimEvent('b', 'process'),
        newSimEvent('b', 'process', LARGE_CHARS),
        newSimEvent('b', 'interval'),
      ),
    s: () => {
      process.isLockedOut = true;
      append(newSimEvent('s', 'process'));
      append(newSimEvent('s', 'disk'));
      process.isLockedOut = false;
    },
    n: () => void writer.drain(),
    r: () => void writer.rotate(0),
    c: () => void compactJournal(ports, SIM_ROOT, codecs, { level: LEVEL_SEAL }),
    m: () => void compactJournal(ports, SIM_ROOT, codecs, { level: LEVEL_COMPACT }),
    k: () => void statesOf(ports, true).checkpoint(tally, SESSION),
    e: () => {
      let isChosen = false;
      eraseEvents(ports, SIM_ROOT, codecs, () => {
        const reader = new JournalReader(ports, SIM_ROOT, decoders);
        const oldest = oldestEvent(reader);
        isChosen = oldest !== undefined;
        if (oldest !== undefined) ask('erases', oldest.id);
        const origin = reader.origin()!;
        const events = oldest?.seqs.map((seq) => ({ origin, seq })) ?? [];
        return { by: 'event', events, blobs: [], files: [] };
      });
      if (isChosen) ask('erased');
    },
  };
  for (const letter of word) {
    try {
      acts[letter]!();
    } catch (error) {
      // Two compactions at once: the later one says so.
      if (!(error instanceof Ben10Error) || error.code !== 'CONTEXT_LOCKED') throw error;
    }
  }
}
