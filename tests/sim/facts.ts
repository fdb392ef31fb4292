import { JournalWriter } from '../../src/journal/append/writer.ts';
import { resumeErasure } from '../../src/journal/erase/resume.ts';
import { hintPath, readHint } from '../../src/journal/format/hint.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { homeOf } from '../../src/journal/read/origins.ts';
import { type Verification, verifyJournal } from '../../src/journal/verify/verify.ts';
import { GuardedWriter } from '../../src/project/guarded-writer.ts';
import { context } from '../../src/projections/folds/context.ts';
import { SimDisk } from './disk.ts';
import { judgesEvent } from './events.ts';
import { type Found, findAll } from './found.ts';
import { digestOf, fileAt, type Image } from './image.ts';
import { decoders, SIM_ROOT, type SimProcess, startProcess } from './process.ts';
import { SESSION, statesOf, tally } from './tally.ts';

/** What the journal says, as somebody reads it who changes nothing. */
export interface Reading {
  found: Found;
  /** Everything up to this seq is on disk, as the sync hint says. */
  claimed: number;
}

/** What the next processes see of a disk, and do to it. */
export interface Recovery {
  before: Found;
  /** The disk during recovery, for a crash of that. */
  disk: SimDisk;
  /** How much of its log is the recovery itself. */
  ops: number;
  aftermath: Aftermath | undefined;
  /** What was thrown, if anything was; then the rest is missing. */
  error: unknown;
}

/** What is left of a recovered journal, and whether it is one. */
export interface Aftermath {
  image: Image;
  found: Found;
  verified: Verification;
  /** A second recovery changes something. */
  isUnsettled: boolean;
  /** A state from a stored one, and one from the very start, as JSON; undefined where none is stored. */
  states(): { stored: string; folded: string } | undefined;
  /** Ids of the events that the session's context has messages of. */
  told(): ReadonlySet<string>;
  appended: { seqs: number[]; spooled: boolean; isRead: boolean } | undefined;
  /** Ids of erased events that were there again once somebody told them anew, as a transcript does. */
  toldAgain: string[];
  error: unknown;
}

/** Far above every process of a workload. */
const JUDGE = 1_000_000;
const BUDGET_MS = 50;
/** The same disks come up again within few workloads. */
const REMEMBERED_MAX = 5000;

/**
 * Remembers what came of a disk. All of it depends on the disk's content and on the two times alone: who judges the same
 * content by other promises need not have it recovered again.
 */
function remembered<T>(work: (image: Image, now: number, bootedAt: number) => T) {
  const known = new Map<string, T>();
  return (image: Image, now: number, bootedAt: number): T => {
    const key = `${now} ${bootedAt} ${digestOf(image)}`;
    let value = known.get(key);
    if (value !== undefined) return value;
    value = work(image, now, bootedAt);
    if (known.size >= REMEMBERED_MAX) known.delete(known.keys().next().value!);
    known.set(key, value);
    return value;
  };
}

/** Reads a disk as it is. */
export const reading = (image: Image): Reading => timeless(image, 0, 0);

const timeless = remembered((image): Reading => {
  const { ports } = startProcess(new SimDisk(image, 0), JUDGE, 1);
  if (fileAt(image, SIM_ROOT) === undefined)
    return { found: { entries: [], waiting: [], lost: [] }, claimed: 0 };
  const layout = layoutOf(SIM_ROOT);
  const home = homeOf(ports, layout);
  const claimed =
    home === undefined ? 0 : readHint(ports, hintPath(layout, home.origin)).syncedUpto;
  return { found: findAll(ports), claimed };
});

/** Recovers a disk with the product's own code, as whoever comes next would. The image is not changed. */
export const recovery = remembered((image, now, bootedAt): Recovery => {
  const disk = new SimDisk(image, now, bootedAt);
  const before: Found = { entries: [], waiting: [], lost: [] };
  const done: Recovery = { before, disk, ops: 0, aftermath: undefined, error: undefined };
  try {
    done.before = reading(image).found;
    recover(disk, JUDGE + 1);
    done.ops = disk.log.length;
    done.aftermath = aftermath(disk.live, now, 0);
  } catch (error) {
    done.error = error;
  }
  return done;
});

/** What `verify` says, which changes nothing and knows no time. */
export const verification = (image: Image): Verification => verifiedOnce(image, 0, 0);

const verifiedOnce = remembered((image): Verification => {
  const { ports } = startProcess(new SimDisk(image, 0), JUDGE + 2, 1);
  return verifyJournal(ports, SIM_ROOT, decoders);
});

/** Verifies a recovered disk, recovers it once more, folds its states, and appends to it. */
const aftermath = remembered((image, now): Aftermath => {
  const disk = new SimDisk(image, now);
  const process = (number: number) => startProcess(disk, JUDGE + number, now);
  const { found } = reading(image);
  const verified = verification(image);
  const done: Aftermath = {
    image,
    found,
    verified,
    isUnsettled: false,
    states: onDemand(() => bothStates(startProcess(new SimDisk(image, now), JUDGE + 4, now))),
    told: onDemand(() => toldIn(startProcess(new SimDisk(image, now), JUDGE + 7, now))),
    appended: undefined,
    toldAgain: [],
    error: undefined,
  };
  try {
    recover(disk, JUDGE + 3);
    done.isUnsettled = disk.log.length > 0 && digestOf(disk.live) !== digestOf(image);
    done.appended = appendOne(process(5));
    done.toldAgain = tellAgain(process(6), found);
  } catch (error) {
    done.error = error;
  }
  return done;
});

/** What the next process does that opens the journal and finds something waiting, or an erasure that was cut off. */
function recover(disk: SimDisk, number: number): void {
  const { ports } = startProcess(disk, number, disk.now);
  resumeErasure(ports, SIM_ROOT, decoders);
  const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: BUDGET_MS });
  writer.drain();
  writer.close();
}

function tellAgain({ ports }: SimProcess, { entries }: Found): string[] {
  const tombstones = entries.filter(({ isTombstone }) => isTombstone).map(({ id }) => id);
  if (tombstones.length === 0) return [];
  const writer = new GuardedWriter(ports, SIM_ROOT, decoders, { lockBudgetMs: BUDGET_MS });
  writer.append(tombstones.map((id) => ({ ...judgesEvent(), id: Buffer.from(id, 'hex') })));
  writer.close();
  const { entries: now, waiting } = findAll(ports);
  const there = [...now, ...waiting].filter(({ isTombstone }) => !isTombstone).map(({ id }) => id);
  return tombstones.filter((id) => there.includes(id));
}

function onDemand<T>(work: () => T): () => T {
  let done: { value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

function bothStates({ ports }: SimProcess): ReturnType<Aftermath['states']> {
  if (ports.fs.statIfThere(layoutOf(SIM_ROOT).checkpoints) === undefined) return undefined;
  const [stored, folded] = [true, false].map((isStored) =>
    JSON.stringify(statesOf(ports, isStored).at(tally, SESSION).state),
  );
  return { stored: stored!, folded: folded! };
}

/** Ids of the events that the session's context has messages of. */
export function toldIn({ ports }: SimProcess): ReadonlySet<string> {
  const { conversation } = statesOf(ports, false).at(context, SESSION).state;
  return new Set(conversation.messages.map(({ id }) => id));
}

function appendOne({ ports }: SimProcess): Aftermath['appended'] {
  const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: BUDGET_MS });
  const event = judgesEvent();
  const { seqs, spooled } = writer.append([event]);
  writer.close();
  const last = findAll(ports).entries.at(-1)?.id;
  return { seqs, spooled, isRead: last === event.id.toString('hex') };
}
