import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { observeHook } from '../../../src/capture/claude/hooks.ts';
import { importTranscripts } from '../../../src/capture/import.ts';
import { nameByOrder } from '../../../src/capture/naming.ts';
import { reconcile } from '../../../src/capture/reconcile.ts';
import type { Reconciled } from '../../../src/capture/reconciliation.ts';
import { Recorder } from '../../../src/capture/recorder.ts';
import { compileRedaction } from '../../../src/capture/redaction/index.ts';
import { SessionFacts } from '../../../src/capture/session-facts.ts';
import { subagentTranscripts } from '../../../src/capture/transcripts.ts';
import type { JournalEvent } from '../../../src/events/types.ts';
import { JournalWriter } from '../../../src/journal/append/writer.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { JournalReader } from '../../../src/journal/read/reader.ts';
import { lz4Codec } from '../../../src/platform/codecs/lz4.ts';
import { nodeFs } from '../../../src/platform/fs.ts';
import { CheckpointStore } from '../../../src/projections/checkpoints.ts';
import { readEvents } from '../../../src/projections/events.ts';
import { cursors } from '../../../src/projections/folds/cursors.ts';
import { States } from '../../../src/projections/states.ts';
import { decoders, realPorts, scratch } from '../../support.ts';
import type { HookInput, Recorded, Transcript } from './recorded.ts';

/** Hooks that read the transcript: those of `hook/entry-slow.ts`. */
const RECONCILING = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'StopFailure',
  'PreCompact',
  'SessionEnd',
]);

/**
 * A project with its journal and a client's transcripts, at a time of its own. Files, locks and codecs are real, but
 * nothing waits for the disk: what survives a power cut is no matter here.
 */
export class World {
  readonly transcripts: string;
  readonly root: string;
  now = Date.parse('2026-11-21T10:00:00Z');
  readonly ports = {
    ...realPorts,
    fs: { ...nodeFs, datasync() {}, fsync() {}, syncDir() {} },
    clock: { ...realPorts.clock, now: () => this.now },
  };
  readonly writer: JournalWriter;
  readonly reader: JournalReader;
  readonly states: States;
  /** Folds from the very start, always. */
  readonly bare: States;
  readonly recorder: Recorder;
  /** Never gets the lock: what it records waits in the inbox. */
  readonly #spooler: Recorder;
  readonly #written = new Map<string, number>();

  /** @param dir where it is; by default a folder that goes when the test is over */
  constructor(dir = scratch()) {
    this.transcripts = path.join(dir, 'projects');
    this.root = path.join(dir, '.ben10');
    const { ports, root } = this;
    this.writer = new JournalWriter(ports, root, { lockBudgetMs: 5000 });
    this.reader = new JournalReader(ports, root, decoders);
    const { writer } = this;
    const store = new CheckpointStore(ports, layoutOf(root), { lz4: lz4Codec, decoders }, 0);
    this.states = new States(this.reader, ports.xxh64, store, { partEvents: 40 });
    this.bare = new States(this.reader, ports.xxh64);
    const { options } = compileRedaction(undefined);
    const recording = { root, redaction: options, client: 'claude-code' };
    this.recorder = new Recorder({ ...recording, ports, writer });
    const unlocked = { ...ports, lock: undefined };
    const spooling = new JournalWriter(unlocked, root, { lockBudgetMs: 0 });
    this.#spooler = new Recorder({ ...recording, ports: unlocked, writer: spooling });
  }

  pathOf({ file }: Transcript): string {
    return path.join(this.transcripts, file);
  }

  /** Lets a transcript grow to that many lines; one that is as long already stays. */
  grow(transcript: Transcript, lines = transcript.lines.length): void {
    const there = this.#written.get(transcript.file) ?? 0;
    if (lines <= there) return;
    const file = this.pathOf(transcript);
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, transcript.lines.slice(there, lines).join(''));
    this.#written.set(transcript.file, lines);
  }

  /** Puts a file among the transcripts. */
  put(file: string, content: string | Buffer): string {
    const target = path.join(this.transcripts, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
    return target;
  }

  /**
   * What the hook process does with an event, as far as it is recorded.
   * @param spooled somebody else holds the lock while the event is recorded
   */
  hook(input: HookInput, main: Transcript | undefined, spooled = false): void {
    const recorder = spooled ? this.#spooler : this.recorder;
    const seen = observeHook(input.hook_event_name, input, this.now);
    if (seen !== undefined) {
      const { state } = this.states.at(cursors, seen.session);
      const named = nameByOrder(seen, state, (text) => this.recorder.kept(text));
      if (named !== undefined) recorder.append([recorder.event(named, 'hook')]);
    }
    if (RECONCILING.has(input.hook_event_name) && main !== undefined) {
      this.reconcileSession(main.session, this.pathOf(main));
    }
  }

  reconcileSession(session: string, file: string): (Reconciled | undefined)[] {
    const sources = [
      { path: file, session, agent: null },
      ...subagentTranscripts(this.ports.fs, file, session),
    ];
    return sources.map((source) => this.reconcile(source));
  }

  reconcile(
    source: { path: string; session: string; agent?: string | null },
    options: { hasToStop?: () => boolean; source?: 'transcript' | 'import' } = {},
  ): Reconciled | undefined {
    const { ports, reader, recorder } = this;
    return reconcile({
      ports,
      reader,
      recorder,
      cursors: this.states.at(cursors, source.session).state,
      agent: null,
      source: 'transcript',
      sessions: new SessionFacts(reader, this.states),
      ...source,
      ...options,
    });
  }

  import(...paths: string[]) {
    const { ports, reader, states, recorder } = this;
    return importTranscripts({ ports, reader, states, recorder, paths });
  }

  /** Every event of the journal. */
  events(): JournalEvent[] {
    return [...readEvents(this.reader, this.ports.xxh64, {})];
  }

  close(): void {
    this.writer.close();
  }
}

/** A hook, by its number, and whether its event has to wait in the inbox. */
export interface Delivery {
  which: number;
  spooled: boolean;
}

/**
 * Plays what a client did: hooks as they came, while its transcripts grow.
 * @param deliveries by moment; those behind the last moment come after all was read
 */
export function play(world: World, recorded: Recorded, deliveries: readonly Delivery[][]): void {
  const { moments, transcripts } = recorded;
  for (const [index, moment] of moments.entries()) {
    world.now = moment.at;
    for (const [transcript, lines] of moment.lines) world.grow(transcript, lines);
    for (const one of deliveries[index] ?? []) deliver(world, recorded, one);
  }
  for (const transcript of transcripts) world.grow(transcript);
  world.now += 1000;
  world.writer.drain();
  reconcileAll(world, recorded);
  for (const one of deliveries.slice(moments.length).flat()) deliver(world, recorded, one);
  world.writer.drain();
}

/** Plays it with every hook as it came. */
export const playInOrder = (world: World, recorded: Recorded): void =>
  play(
    world,
    recorded,
    recorded.moments.map((_, which) => [{ which, spooled: false }]),
  );

function deliver(world: World, recorded: Recorded, { which, spooled }: Delivery): void {
  const { input } = recorded.moments[which]!;
  const main = recorded.transcripts.find(
    ({ session, agent }) => session === input.session_id && agent === null,
  );
  world.hook(input, main, spooled);
}

export function reconcileAll(world: World, { transcripts }: Recorded): void {
  for (const one of transcripts) {
    if (one.agent === null) world.reconcileSession(one.session, world.pathOf(one));
  }
}
