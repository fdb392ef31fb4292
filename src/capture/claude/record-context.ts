import type { CompactionKept, RunningPrompt, Trace } from '../../events/types.ts';
import { defined, type Json, name } from '../json.ts';
import type { QueuedPrompts } from './queued-prompts.ts';

/** What the reader of a transcript remembers between records. */
export interface RecordContext {
  session: string;
  /** Of the file: a sub-agent's, or null. */
  agent: string | null;
  sideChains: SideChains;
  queue: QueuedPrompts;
  /** A compaction's boundary that waits for its summary. */
  boundary: Boundary | undefined;
  /** Of the compaction after which nobody has spoken yet: the client's files are counted here. */
  kept?: CompactionKept | undefined;
  prompts: PromptCounts;
  /** The latest time so far; null if no record had one. */
  latest: number | null;
  /** Tool names by tool use id: an outcome does not name its tool. */
  toolNames: Map<string, string>;
  /** The files that calls were about, likewise. */
  toolFiles?: Map<string, string>;
  /** Token counts of the latest record that has any. */
  tokens?: string;
}

/** Only the newest calls and chains are asked about: few run at a time. */
const NEWEST_MAX = 10_000;

/** Forgets the oldest in bulk: one by one would be slow in a large map. */
export function keepNewest(map: Map<string, unknown>): void {
  if (map.size < 2 * NEWEST_MAX) return;
  for (const key of map.keys()) {
    map.delete(key);
    if (map.size === NEWEST_MAX) return;
  }
}

export interface Boundary {
  uuid: string;
  trace: Trace;
  /** The last record before it; null if unknown. */
  after: string | null;
  metadata: Json;
  at: number | null;
}

/** Where and when a record was written. */
export interface RecordWhere {
  session: string;
  agent: string | null;
  at: number | null;
  /** See `Trace.time`. */
  time: number | undefined;
}

/** A record that is being read. */
export interface RecordAt {
  record: Json;
  /** Byte offset of its line. */
  pos: number;
  /** Made of its offset if it has none. */
  uuid: string;
  where: RecordWhere;
  context: RecordContext;
}

/** Parts of one record are ordered: a line has more bytes than parts. */
export const traceOf = ({ record, pos, where }: RecordAt, part = 0): Trace =>
  defined<Trace>({ pos: pos + part, uuid: name(record.uuid), time: where.time });

type Counted = 'prompt' | 'compaction';

/** How many prompts and compactions each prompt id has had: the client reuses ids. */
export class PromptCounts {
  readonly #counts = new Map<string, number>();
  #running: string | undefined;

  /** Continues the counts of an earlier reading. */
  goOn(running: RunningPrompt): void {
    this.#running = running.promptId;
    this.#counts.set(`prompt:${running.promptId}`, running.prompts);
    this.#counts.set(`compaction:${running.promptId}`, running.compactions);
  }

  /** Of the prompt in work: a queued one has the same id, but does not say so. */
  get running(): string | undefined {
    return this.#running;
  }

  set running(promptId: string | undefined) {
    this.#running = promptId;
  }

  /** How many of the owner's came before. */
  next(what: Counted, owner: string): number {
    const n = this.#of(what, owner);
    this.#counts.set(`${what}:${owner}`, n + 1);
    return n;
  }

  /** For the next reading. */
  state(): RunningPrompt | undefined {
    const promptId = this.#running;
    if (promptId === undefined) return undefined;
    return {
      promptId,
      prompts: this.#of('prompt', promptId),
      compactions: this.#of('compaction', promptId),
    };
  }

  #of(what: Counted, owner: string): number {
    return this.#counts.get(`${what}:${owner}`) ?? 0;
  }
}

/**
 * Sub-agents inside of the main thread's transcript (clients before 2.1), told apart by the first record of their
 * chain.
 */
export class SideChains {
  readonly #agents = new Map<string, string>();
  readonly #earlier: () => Iterable<Json | undefined>;
  #isEarlierRead = false;

  /** @param earlier records of earlier readings, read when a chain continues one of them */
  constructor(earlier: () => Iterable<Json | undefined> = () => []) {
    this.#earlier = earlier;
  }

  /** The agent of a record; null for one of the main thread. Call for every record: chains run through all kinds. */
  agentOf(record: Json): string | null {
    if (record.isSidechain !== true) return null;
    const uuid = name(record.uuid) ?? '';
    const parent = name(record.parentUuid);
    const known = parent === undefined ? undefined : this.#find(parent);
    const agent = name(record.agentId) ?? known ?? `sidechain-${uuid.slice(0, 8)}`;
    if (uuid !== '') this.#agents.set(uuid, agent);
    keepNewest(this.#agents);
    return agent;
  }

  #find(parent: string): string | undefined {
    const agent = this.#agents.get(parent);
    if (agent !== undefined || this.#isEarlierRead) return agent;
    this.#isEarlierRead = true;
    for (const record of this.#earlier()) if (record !== undefined) this.agentOf(record);
    return this.#agents.get(parent);
  }
}
