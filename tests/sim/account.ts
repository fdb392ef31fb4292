import type { Durability } from '../../src/journal/format/durability.ts';
import type { RecordedLoss } from '../../src/journal/verify/gaps.ts';

/** An event as somebody tried to append it. */
export interface Attempt {
  process: number;
  /** Which event of its process it is; rising. */
  number: number;
  durability: Durability;
  payload: Buffer;
  /** Words that stand in it and in no other event; undefined where nobody looks for them. */
  canary?: string;
}

/** An event whose append came back. */
export interface Acknowledgment {
  /** Hex. */
  id: string;
  durability: Durability;
  /** When its append began, and when that came back; milliseconds since the epoch. */
  since: number;
  time: number;
  /** How much had happened to the disk by then: see `SimDisk.log`. */
  at: number;
  /** It waits in the inbox. */
  spooled: boolean;
}

/** Events that somebody wanted to be gone. */
export interface Erasure {
  /** Hex. */
  ids: readonly string[];
  /** How much had happened to the disk when they were chosen, and when the erasure came back, if it did. */
  asked: number;
  done?: number;
}

/** Events that may be dropped from then on. */
export interface Dropping {
  /** Hex. */
  ids: readonly string[];
  /** How much had happened to the disk by then. */
  asked: number;
}

/** What the harness knows, which cannot die with a process. */
export interface Account {
  /** By id, hex. */
  attempted: Map<string, Attempt>;
  /** In the order in which they came back. */
  acknowledged: Acknowledgment[];
  erasures: Erasure[];
  drops: Dropping[];
  /** What a repair recorded as lost for good, as it told of it itself; left out where nothing was ever repaired. */
  losses?: readonly RecordedLoss[];
}

export const newAccount = (): Account => ({
  attempted: new Map(),
  acknowledged: [],
  erasures: [],
  drops: [],
});

/** What was known when so much had happened to the disk. */
export const accountAt = (
  { acknowledged, erasures, drops, ...rest }: Account,
  at: number,
): Account => ({
  ...rest,
  drops: drops.filter(({ asked }) => asked <= at),
  acknowledged: acknowledged.filter((one) => one.at <= at),
  erasures: erasures
    .filter(({ asked }) => asked <= at)
    .map(({ done, ...one }) => (done === undefined || done > at ? one : { ...one, done })),
});

/** Where these survived, and all that is there is on the disk, whatever its class. */
export const onDisk = (
  { acknowledged, erasures, drops, ...rest }: Account,
  survivors: ReadonlySet<string>,
): Account => ({
  ...rest,
  drops: drops.map((one) => ({ ...one, asked: 0 })),
  erasures: erasures.map((one) => ({
    ...one,
    asked: 0,
    ...(one.done !== undefined && { done: 0 }),
  })),
  acknowledged: acknowledged
    .filter(({ id }) => survivors.has(id))
    .map((one) => ({ ...one, durability: 'disk' as const, at: 0, spooled: true })),
});

/** An event in its place: appended again it has another time. */
export interface Standing {
  seq: number;
  /** Hex. */
  id: string;
  hlc: bigint;
}

/**
 * What happened to the disk before it was found.
 * - `kill`: every process died, the machine went on
 * - `power`: the machine lost its power
 * - `damage`: nobody died; bytes were changed behind everybody's back
 */
export type Fault =
  | {
      kind: 'kill';
      /** There was a loss of power before: what an inbox file held may be in the journal twice. */
      mayRepeat?: boolean;
      /** When the machine was started after that; long ago where it is left out. */
      bootedAt?: number;
    }
  | {
      kind: 'power';
      /** What stood in the journal just before, in the order of seqs. */
      order: readonly Standing[];
      /** What the sync hint said just before: everything up to this seq is on disk. */
      claimed: number;
    }
  | {
      kind: 'damage';
      /** Ids of the events that have bytes where the damage is, or in the same chunk or inbox file. */
      hit: ReadonlySet<string>;
      where: string;
    };

/** `SYNC_INTERVAL_MS`, as promised: not read from the code that has to keep it. */
const INTERVAL_MS = 1000;

/** Ids of the acknowledged events that the fault must not have cost. */
export function promised({ acknowledged }: Account, fault: Fault): Set<string> {
  if (fault.kind === 'kill') return new Set(acknowledged.map(({ id }) => id));
  if (fault.kind === 'damage')
    return new Set(acknowledged.map(({ id }) => id).filter((id) => !fault.hit.has(id)));
  const ids = new Set(fault.order.filter(({ seq }) => seq <= fault.claimed).map(({ id }) => id));
  // Whoever appends to the journal syncs what is a second old, its own class allowing.
  const syncs = acknowledged.filter(
    ({ durability, spooled }) => durability !== 'process' && !spooled,
  );
  const last = Math.max(0, ...syncs.map(({ since }) => since));
  for (const { id, durability, time, spooled } of acknowledged) {
    // In the inbox they are synced at once.
    const isDue = durability === 'interval' && (spooled || time <= last - INTERVAL_MS);
    if (durability === 'disk' || isDue) ids.add(id);
  }
  return ids;
}
