import type { Decoders } from '../../platform/codecs/codecs.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { admissionOf } from '../append/admission.ts';
import { LockFile } from '../append/locking.ts';
import { createSegment } from '../append/rotate.ts';
import { asWriteError } from '../append/write-errors.ts';
import { JournalWriter } from '../append/writer.ts';
import { areErasedIdsOpen, closeErasedIds, openErasedIds } from '../erase/erased-ids.ts';
import { hintPath, readHint } from '../format/hint.ts';
import { ensureLayout, type Layout, layoutOf, originDir, segmentName } from '../format/layout.ts';
import { ensureManifest, openManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { ownSegments } from '../read/origins.ts';
import { JournalReader } from '../read/reader.ts';
import { endOf } from '../read/segment-end.ts';
import { setStraysAside } from '../read/stray.ts';
import { type Verification, verifyJournal } from '../verify/verify.ts';
import { setBlobAside } from './beside.ts';
import { type Loss, lossesIn, repairedEvents } from './events.ts';
import { replace, replaceNewest } from './files.ts';
import type { RepairItem } from './piece.ts';
import { patientAt, planRepair, treatments } from './plan.ts';
import { setAside } from './quarantine.ts';
import { isHeldBack } from './refused.ts';
import { mend } from './segment.ts';

export type { RepairAction, RepairItem } from './piece.ts';
export { planRepair } from './plan.ts';

export interface Repaired {
  items: RepairItem[];
  /** Names in `quarantine/`. */
  kept: string[];
  /** Losses that were recorded now. */
  lost: Loss[];
  /** The journal as it is afterwards. */
  after: Verification;
}

const LOCK_BUDGET_MS = 5000;

/**
 * Repairs what can be repaired, while others write and read. Sound segments are not touched. Removed bytes go to `quarantine/`
 * first, and lost events are recorded in a `journal.repaired` event. If permissions keep a segment from being read, nothing is done.
 * @throws Ben10Error CONTEXT_LOCKED if a compaction or another repair is running, or this system has no locks;
 * JOURNAL_UNSAFE, FS_WRITE_ERROR, FS_PERMISSION_DENIED: what was done so far is whole, and a repair can be run again
 */
export function repairJournal(given: JournalPorts, root: string, decoders: Decoders): Repaired {
  // No file is skipped here: one that becomes unreadable meanwhile ends the repair.
  const ports = { ...given, refused: undefined };
  const layout = layoutOf(root);
  try {
    // Before the lock's file is made: a link might lead out of the journal.
    ensureLayout(ports.fs, layout);
    const work = () => repairWhole(ports, layout, decoders);
    return withLock(ports, layout.compactLock, work);
  } catch (error) {
    throw asWriteError(error, layout.journal);
  }
}

/** A file that took the place of one that was set aside may be damaged itself, which shows only in a second round. */
function repairWhole(ports: JournalPorts, layout: Layout, decoders: Decoders): Repaired {
  const first = repairLocked(ports, layout, decoders);
  if (first.after.ok || first.items.every(({ action }) => action === 'none')) return first;
  const then = repairLocked(ports, layout, decoders);
  return {
    // The second round finds again what nothing was done about.
    items: [...first.items.filter(({ action }) => action !== 'none'), ...then.items],
    kept: [...first.kept, ...then.kept],
    lost: [...first.lost, ...then.lost],
    after: then.after,
  };
}

function repairLocked(ports: JournalPorts, layout: Layout, decoders: Decoders): Repaired {
  let items = planRepair(ports, layout.root, decoders);
  const kept: string[] = [];
  const closeErased = () =>
    closeErasedIds(ports, layout, new JournalReader(ports, layout.root, decoders));
  if (isHeldBack(items) || items.length === 0) {
    if (items.length === 0 && areErasedIdsOpen(ports, layout)) closeErased();
    return { items, kept, lost: [], after: verifyJournal(ports, layout.root, decoders) };
  }
  const lostManifest = withLock(ports, layout.lock, () => openManifest(ports, layout).lost);
  if (lostManifest?.kept !== undefined) kept.push(lostManifest.kept);
  // With another journal's manifest no segment was read.
  if (lostManifest !== undefined) {
    const others = planRepair(ports, layout.root, decoders);
    items = [...items.filter(({ kind }) => kind === 'manifest'), ...others];
  }
  openErasedIds(ports, layout);
  const writer = new JournalWriter(ports, layout.root, {
    lockBudgetMs: LOCK_BUDGET_MS,
    admission: () => admissionOf(ports, layout, decoders),
  });
  try {
    kept.push(...closeNewest(ports, layout, writer, items));
    writer.drain();
    kept.push(...writer.kept);
    const { damage } = verifyJournal(ports, layout.root, decoders);
    for (const { file, treatment } of treatments(ports, layout, damage, decoders)) {
      if (treatment.how === 'rewrite') kept.push(...replace(ports, layout, file, treatment.repair));
      // It cannot be read any more, and others are judged by it: the rest waits for the next repair.
      if (treatment.how === 'leave' && isPlanned(items, segmentName(file))) break;
      if (treatment.how === 'set-aside')
        kept.push(setAside(ports, layout, originDir(layout, file.origin), segmentName(file)));
    }
    for (const one of damage)
      if (one.kind === 'blob') kept.push(...setBlobAside(ports, layout, one));
    closeErased();
    const lost = lossesIn(verifyJournal(ports, layout.root, decoders));
    // If nothing was done and no loss is new, there is nothing to record.
    const isTold =
      lost.length > 0 || kept.length > 0 || items.some(({ action }) => action !== 'none');
    if (isTold)
      for (const event of repairedEvents(ports, items, kept, lost)) writer.append([event]);
    return { items, kept, lost, after: verifyJournal(ports, layout.root, decoders) };
  } finally {
    writer.close();
  }
}

const isPlanned = (items: readonly RepairItem[], name: string): boolean =>
  items.some(({ segment, action }) => segment === name && action !== 'none');

/**
 * Closes the newest segment if it is damaged, so that nobody writes to it any more. It is mended before that: an append that found
 * damage would go on as if the events were lost.
 */
function closeNewest(
  ports: JournalPorts,
  layout: Layout,
  writer: JournalWriter,
  items: readonly RepairItem[],
): string[] {
  const found = withLock(ports, layout.lock, () => {
    const aside = setNoFilesAside(ports, layout);
    const files = ownSegments(ports, layout);
    const newest = files.at(-1);
    if (newest === undefined || !items.some(({ segment }) => segment === segmentName(newest)))
      return { kept: aside, isOpen: false };
    const mended = mend(ports, patientAt(ports, layout, files, files.length - 1));
    const kept = mended === undefined ? [] : replaceNewest(ports, layout, newest, mended);
    return { kept: [...aside, ...kept], isOpen: true };
  });
  if (found.isOpen) writer.rotate(0);
  return found.kept;
}

/**
 * Sets folders and links with segments' names aside. If the newest one is such, the next segment is begun first, with a seq above
 * all names, so that no seq is assigned twice. Call with the append lock held.
 * @returns names in quarantine
 */
function setNoFilesAside(ports: JournalPorts, layout: Layout): string[] {
  const isNoFile = ({ path }: { path: string }): boolean =>
    ports.fs.statIfThere(path)?.isFile === false;
  const own = ownSegments(ports, layout);
  if (!own.some(isNoFile)) return [];
  const manifest = ensureManifest(ports, layout);
  const { syncedUpto } = readHint(ports, hintPath(layout, own[0]!.origin));
  // Names of strays do not count.
  const { files, repairs } = setStraysAside(ports, layout, own, syncedUpto);
  const newest = files.at(-1);
  if (newest !== undefined && isNoFile(newest)) {
    const end = endOf(ports, newest, syncedUpto);
    const start = { ...end, firstSeq: end.seq + 1 };
    ports.fs.close(createSegment(ports, layout, manifest, start).fd);
  }
  return [
    ...repairs.flatMap(({ repair }) => repair.kept ?? []),
    ...files
      .filter(isNoFile)
      .map((one) => setAside(ports, layout, originDir(layout, one.origin), segmentName(one))),
  ];
}

function withLock<T>(ports: JournalPorts, file: string, work: () => T): T {
  const lock = new LockFile(ports, file);
  try {
    const held = lock.hold(LOCK_BUDGET_MS, work);
    if (held !== undefined) return held.value;
  } finally {
    lock.close();
  }
  throw cannotLock(ports, file);
}

function cannotLock(ports: JournalPorts, file: string): Ben10Error {
  const place = { file };
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
