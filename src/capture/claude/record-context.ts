import type { CompactionKept, RunningPrompt, Trace } from '../../events/types.ts';
import { type Json, name } from '../json.ts';

/** What a reader of one transcript remembers from record to record. */
export interface RecordContext {
  session: string;
  /** Of the file: a sub-agent's own, or null. */
  agent: string | null;
  sideChains: SideChains;
  /** A compaction's boundary that waits for its summary. */
  boundary: Boundary | undefined;
  /** Of the compaction behind which nobody has said anything yet: the client's files that come are counted here. */
  kept?: CompactionKept | undefined;
  prompts: PromptCounts;
  /** The latest time so far; null when no record had one. */
  latest: number | null;
  /** Tool names by tool use id: an outcome does not say whose it is. */
  toolNames: Map<string, string>;
  /** The files that calls were about, in the same way. */
  toolFiles?: Map<string, string>;
  /** What the latest record that tells of tokens said of them. */
  tokens?: string;
}

/** What is asked about a call, or about a chain, is about one of the newest: few run at a time. */
const NEWEST_MAX = 10_000;

/** Forgets the oldest, many at once: one by one would take long in a map that large. */
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
  /** The last record before it; null when it does not say. */
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

type Counted = 'prompt' | 'compaction';

/** How many prompts and compactions each prompt id has had: the client gives several the same. */
export class PromptCounts {
  readonly #counts = new Map<string, number>();
  #running: string | undefined;

  /** Goes on counting where an earlier reading stopped. */
  goOn(running: RunningPrompt): void {
    this.#running = running.promptId;
    this.#counts.set(`prompt:${running.promptId}`, running.prompts);
    this.#counts.set(`compaction:${running.promptId}`, running.compactions);
  }

  /** Of the prompt that is being worked on: a queued one has the same, but does not say so. */
  get running(): string | undefined {
    return this.#running;
  }

  set running(promptId: string | undefined) {
    this.#running = promptId;
  }

  /** How many of the owner's came before this one. */
  next(what: Counted, owner: string): number {
    const n = this.#of(what, owner);
    this.#counts.set(`${what}:${owner}`, n + 1);
    return n;
  }

  /** For the reading that goes on from here. */
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
 * Sub-agents whose records stand in the main thread's transcript (clients before 2.1): each is told apart by the
 * record that its chain starts with.
 */
export class SideChains {
  readonly #agents = new Map<string, string>();
  readonly #earlier: () => Iterable<Json | undefined>;
  #isEarlierRead = false;

  /** @param earlier the records of earlier readings: read when a chain goes on from one of them */
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
