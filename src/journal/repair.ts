import type { Decoders } from '../platform/codecs/codecs.ts';
import { Ben10Error } from '../platform/errors.ts';
import { type Layout, layoutOf, originDir, type SegmentFile, segmentName } from './layout.ts';
import { LockFile } from './locking.ts';
import { homeOf, ownSegments } from './origins.ts';
import type { JournalPorts } from './ports.ts';
import { besideItem, foreignItem, setBlobAside } from './repair-beside.ts';
import { type Loss, lossesIn, repairedEvents } from './repair-events.ts';
import { replace, replaceNewest, setAside } from './repair-files.ts';
import { examineManifest, repairManifest } from './repair-manifest.ts';
import type { RepairItem } from './repair-piece.ts';
import { mend, type Patient, type Treatment, treat } from './repair-segment.ts';
import { endOf } from './segment-end.ts';
import { type Verification, verifyJournal } from './verify.ts';
import { asWriteError } from './write-errors.ts';
import { JournalWriter } from './writer.ts';

export type { RepairAction, RepairItem } from './repair-piece.ts';

type Damage = Verification['damage'][number];

export interface Repaired {
  items: RepairItem[];
  /** Names in `quarantine/` of what was taken out. */
  kept: string[];
  /** What is lost for good, as it was recorded now. */
  lost: Loss[];
  /** The journal as it is afterwards. */
  after: Verification;
}

const LOCK_BUDGET_MS = 5000;
/** Damage that is no segment's. */
const BESIDE = new Set(['missing', 'inbox', 'blob']);

/**
 * What a repair would do about everything that `verify` finds. Changes nothing, and takes no lock but as `verify` does.
 * @throws as `verifyJournal`
 */
export function planRepair(
  ports: JournalPorts,
  root: string,
  decoders: Decoders,
  progress?: (done: number, all: number) => void,
): RepairItem[] {
  const layout = layoutOf(root);
  if (homeOf(ports, layout) === undefined) return [];
  const manifest = examineManifest(ports, layout);
  const { damage } = verifyJournal(ports, root, decoders, progress);
  const items = manifest === undefined ? [] : [manifest.item];
  for (const { treatment } of treatments(ports, layout, damage, decoders))
    items.push(...itemsOf(treatment));
  const besides = damage.filter(({ kind }) => BESIDE.has(kind));
  items.push(...besides.map((one) => besideItem(ports, layout, one)));
  items.push(...damage.filter(isForeign).map(foreignItem));
  return items;
}

/**
 * Repairs what can be repaired, beside any number of writers and readers. A segment that is sound is not touched. Every
 * byte that is taken out is in `quarantine/` before, and events that are lost are recorded in a `journal.repaired` event.
 * @throws Ben10Error CONTEXT_LOCKED when a compaction or another repair is running or this system has no locks;
 * FS_WRITE_ERROR, FS_PERMISSION_DENIED: then whatever was done is whole, and a repair can be run again
 */
export function repairJournal(ports: JournalPorts, root: string, decoders: Decoders): Repaired {
  const layout = layoutOf(root);
  try {
    const lock = new LockFile(ports, layout.compactLock);
    try {
      const held = lock.hold(LOCK_BUDGET_MS, () => repairLocked(ports, layout, decoders));
      if (held !== undefined) return held.value;
    } finally {
      lock.close();
    }
  } catch (error) {
    throw asWriteError(error, layout.journal);
  }
  throw cannotLock(ports, layout);
}

function repairLocked(ports: JournalPorts, layout: Layout, decoders: Decoders): Repaired {
  const items = planRepair(ports, layout.root, decoders);
  const kept: string[] = [];
  if (items.length === 0)
    return { items, kept, lost: [], after: verifyJournal(ports, layout.root, decoders) };
  const manifest = withLock(ports, layout, () => repairManifest(ports, layout));
  if (manifest !== undefined) kept.push(manifest);
  const writer = new JournalWriter(ports, layout.root, { lockBudgetMs: LOCK_BUDGET_MS });
  try {
    kept.push(...closeNewest(ports, layout, writer, items));
    writer.drain();
    const { damage } = verifyJournal(ports, layout.root, decoders);
    for (const { file, treatment } of treatments(ports, layout, damage, decoders)) {
      if (treatment.how === 'rewrite') kept.push(...replace(ports, layout, file, treatment.repair));
      if (treatment.how === 'set-aside')
        kept.push(setAside(ports, layout, originDir(layout, file.origin), segmentName(file)));
    }
    for (const one of damage)
      if (one.kind === 'blob') kept.push(...setBlobAside(ports, layout, one));
    const lost = lossesIn(verifyJournal(ports, layout.root, decoders));
    for (const event of repairedEvents(ports, items, kept, lost)) writer.append([event]);
    return { items, kept, lost, after: verifyJournal(ports, layout.root, decoders) };
  } finally {
    writer.close();
  }
}

/**
 * A damaged segment that is appended to is closed first: from then on nobody writes to it. What can be put right in it is
 * before, for an append that found it damaged would go on as if it were lost.
 */
function closeNewest(
  ports: JournalPorts,
  layout: Layout,
  writer: JournalWriter,
  items: readonly RepairItem[],
): string[] {
  const kept = withLock(ports, layout, () => {
    const files = ownSegments(ports, layout);
    const newest = files.at(-1);
    if (newest === undefined || !items.some(({ segment }) => segment === segmentName(newest)))
      return undefined;
    const mended = mend(ports, patientAt(ports, layout, files, files.length - 1));
    return mended === undefined ? [] : replaceNewest(ports, layout, newest, mended);
  });
  if (kept !== undefined) writer.rotate(0);
  return kept ?? [];
}

function withLock<T>(ports: JournalPorts, layout: Layout, work: () => T): T {
  const lock = new LockFile(ports, layout.lock);
  try {
    const held = lock.hold(LOCK_BUDGET_MS, work);
    if (held !== undefined) return held.value;
  } finally {
    lock.close();
  }
  throw cannotLock(ports, layout);
}

/** What is done about each damaged segment of the own origin, oldest first. */
function* treatments(
  ports: JournalPorts,
  layout: Layout,
  damage: readonly Damage[],
  decoders: Decoders,
): Generator<{ file: SegmentFile; treatment: Treatment }> {
  const names = new Set(damage.filter(isInSegment).map(({ segment }) => segment));
  for (const name of [...names].sort()) {
    // Listed again: the one before may have been replaced or set aside.
    const files = ownSegments(ports, layout);
    const index = files.findIndex((one) => segmentName(one) === name);
    const file = files[index];
    if (file === undefined) continue;
    const patient = patientAt(ports, layout, files, index);
    yield { file, treatment: treat(ports, layout, patient, decoders) };
  }
}

function patientAt(
  ports: JournalPorts,
  layout: Layout,
  files: readonly SegmentFile[],
  index: number,
): Patient {
  const file = files[index]!;
  const before = files[index - 1];
  return {
    file,
    journalId: homeOf(ports, layout)?.journalId ?? '',
    end: files[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY,
    chainBefore: before && chainBefore(ports, before, file.firstSeq),
  };
}

const isForeign = ({ kind, segment }: Damage): boolean =>
  !BESIDE.has(kind) && segment.includes('/');
const isInSegment = (one: Damage): boolean => !BESIDE.has(one.kind) && !isForeign(one);

/** Undefined unless the segment before ends just before. */
function chainBefore(
  ports: JournalPorts,
  before: SegmentFile,
  firstSeq: number,
): Buffer | undefined {
  const end = endOf(ports, before, 0);
  return end.flags === 0 && end.seq === firstSeq - 1 ? end.chain : undefined;
}

const itemsOf = (treatment: Treatment): RepairItem[] =>
  treatment.how === 'rewrite' ? treatment.repair.items : treatment.items;

function cannotLock(ports: JournalPorts, layout: Layout): Ben10Error {
  const place = { file: layout.compactLock };
  return ports.lock === undefined
    ? new Ben10Error('CONTEXT_LOCKED', 'this system has no file locks, so nothing is repaired', {
        place,
        next: 'Repair the journal on a system that has them (see: ben10 doctor).',
      })
    : new Ben10Error('CONTEXT_LOCKED', 'a compaction or another repair is running', {
        place,
        next: 'Wait until it is done, then run: ben10 repair',
      });
}
