import { hintPath, readHint } from '../../src/journal/hint.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { homeOf } from '../../src/journal/origins.ts';
import { type Verification, verifyJournal } from '../../src/journal/verify.ts';
import { JournalWriter } from '../../src/journal/writer.ts';
import { type Account, type Fault, promised } from './account.ts';
import { SimDisk } from './disk.ts';
import { newSimEvent } from './events.ts';
import { type Found, type FoundEvent, findAll, idsOf } from './found.ts';
import { digestOf, fileAt, type Image } from './image.ts';
import { decoders, SIM_ROOT, type SimProcess, startProcess } from './process.ts';
import { SESSION, statesOf, tally } from './tally.ts';

/** One broken promise. */
export interface Violation {
  /** Which of the oracle's sentences, 1 to 10. */
  sentence: number;
  text: string;
}

/** What somebody who found the disk saw, and did to it. */
export interface Verdict {
  violations: Violation[];
  /** Known weaknesses of the product that showed, by name; they are not counted as violations. */
  exceptions: string[];
  /** The disk during recovery, for a crash of that. */
  recovery: SimDisk;
  /** How much of `recovery.log` is the recovery itself. */
  recoveryOps: number;
  /** What survived, before anything was made good. */
  survivors: Set<string>;
  /** Ids of what the journal had written about itself when recovery came back. */
  ownEvents: string[];
}

/** A power cut may persist a later unsynced write and lose an earlier one: see `README.md`. */
export const UNSYNCED_HOLE = 'unsynced-hole';

/** Far above every process of a workload. */
const JUDGE = 1_000_000;
const BUDGET_MS = 50;

/**
 * Looks at a disk after a fault, as the processes that come next would: reads it, recovers it with the product's own
 * code, verifies it, appends to it. The image given is not changed.
 * @param account what was attempted and acknowledged when the fault came
 * @param also ids that must be there too
 */
export function judge(
  image: Image,
  account: Account,
  fault: Fault,
  now: number,
  also: ReadonlySet<string> = new Set(),
): Verdict {
  const disk = new SimDisk(image, now + 60_000);
  const verdict: Verdict = {
    violations: [],
    exceptions: [],
    recovery: disk,
    recoveryOps: 0,
    survivors: new Set(),
    ownEvents: [],
  };
  const report = (sentence: number, text: string) => verdict.violations.push({ sentence, text });
  try {
    examine(disk, account, fault, also, verdict, report);
  } catch (error) {
    report(10, `unexpected error: ${(error as Error).stack?.split('\n').slice(0, 4).join(' | ')}`);
  }
  return verdict;
}

type Report = (sentence: number, text: string) => void;

function examine(
  disk: SimDisk,
  account: Account,
  fault: Fault,
  also: ReadonlySet<string>,
  verdict: Verdict,
  report: Report,
): void {
  const owed = new Set([...promised(account, fault), ...also]);
  const reader = startProcess(disk, JUDGE, disk.now);
  const before = findAll(reader.ports);
  verdict.survivors = idsOf(before);
  noInvention(before, account, report);
  allThere(before, owed, 'before recovery', report);

  recover(disk, JUDGE + 1);
  verdict.recoveryOps = disk.log.length;
  const after = findAll(reader.ports);
  verdict.ownEvents = after.entries.filter(({ isOwn }) => isOwn).map(({ id }) => id);
  noInvention(after, account, report);
  allThere(after, new Set([...owed, ...verdict.survivors]), 'after recovery', report);
  const verified = verifyJournal(startProcess(disk, JUDGE + 2, disk.now).ports, SIM_ROOT, decoders);
  const holes = holesIn(before, fault);
  const isKnownHole = holes.length > 0 && isReported(holes, verified);
  if (isKnownHole) verdict.exceptions.push(UNSYNCED_HOLE);
  else if (holes.length > 0) report(3, `lost in the middle: seqs ${holes.join(', ')}`);
  order(after, verified, isKnownHole ? { ...account, attempted: new Map() } : account, report);
  if (fault.kind === 'kill' && fault.mayRepeat !== true) onlyOnce(after, report);
  if (fault.kind === 'damage') detected(after, fault, verified, account, report);
  else if (!isKnownHole) sound(verified, report);

  const recovered = digestOf(disk.live);
  recover(disk, JUDGE + 3);
  if (digestOf(disk.live) !== recovered) report(7, 'recovering twice changed the journal again');
  // A stored state may remember what the damage cost.
  if (!isKnownHole && (fault.kind !== 'damage' || fault.hit.size === 0))
    sameStates(startProcess(disk, JUDGE + 4, disk.now), report);
  appendable(startProcess(disk, JUDGE + 5, disk.now), after, report);
}

/** What the next process does that opens the journal and finds something waiting. */
function recover(disk: SimDisk, number: number): void {
  const { ports } = startProcess(disk, number, disk.now);
  const writer = new JournalWriter(ports, SIM_ROOT, { lockBudgetMs: BUDGET_MS });
  writer.drain();
  writer.close();
}

/** 1. Every event read was attempted, byte-identical. */
function noInvention({ entries, waiting }: Found, { attempted }: Account, report: Report): void {
  for (const { id, payload, seq, isOwn } of [...entries, ...waiting]) {
    if (isOwn) continue;
    const attempt = attempted.get(id);
    if (attempt === undefined) report(1, `event ${id} (seq ${seq}) was never attempted`);
    else if (!attempt.payload.equals(payload)) report(1, `event ${id} (seq ${seq}) was changed`);
  }
}

/** 4. What was promised is there. */
function allThere(found: Found, owed: ReadonlySet<string>, when: string, report: Report): void {
  const there = idsOf(found);
  const lost = [...owed].filter((id) => !there.has(id));
  if (lost.length > 0)
    report(4, `${when}: lost ${lost.length} promised events: ${lost.join(', ')}`);
}

/** 2. A process's events stand as it sent them, seqs are dense or reported, hlcs rise. */
function order(
  found: Found,
  { damage }: Verification,
  { attempted }: Account,
  report: Report,
): void {
  const reached = new Map<number, number>();
  const seen = new Set<string>();
  let seq = 0;
  let hlc = -1n;
  for (const event of [...found.entries, ...found.waiting]) {
    if (event.seq > 0) {
      for (let missing = seq + 1; missing < event.seq; missing += 1)
        if (!isCovered(missing, damage))
          report(2, `seq ${missing} is missing, and nothing says so`);
      if (event.seq <= seq) report(2, `seq ${event.seq} behind ${seq}`);
      if (event.hlc <= hlc) report(2, `the hlc of seq ${event.seq} does not rise`);
      seq = event.seq;
      hlc = event.hlc;
    }
    const attempt = attempted.get(event.id);
    if (attempt === undefined || seen.has(event.id)) continue;
    seen.add(event.id);
    const last = reached.get(attempt.process) ?? -1;
    if (attempt.number <= last)
      report(2, `event ${attempt.number} of process ${attempt.process} stands behind ${last}`);
    reached.set(attempt.process, Math.max(last, attempt.number));
  }
}

const isCovered = (seq: number, damage: Verification['damage']): boolean =>
  damage.some(
    ({ firstSeq, lastSeq }) => firstSeq !== null && firstSeq <= seq && seq <= (lastSeq ?? seq),
  );

/** 3. Seqs whose event is not in its place any more though a later one, which stood behind it, still is. */
function holesIn(before: Found, fault: Fault): number[] {
  if (fault.kind !== 'power') return [];
  const left = new Map(before.entries.map(({ id, seq }) => [seq, id]));
  const isInPlace = ({ id, seq }: { id: string; seq: number }) => left.get(seq) === id;
  const last = fault.order.findLastIndex(isInPlace);
  return fault.order.flatMap((one, index) => (index < last && !isInPlace(one) ? [one.seq] : []));
}

/** Nothing was promised of them, and `verify` names each. */
const isReported = (holes: readonly number[], { damage }: Verification): boolean =>
  holes.every((seq) => isCovered(seq, damage)) &&
  damage.every(
    ({ firstSeq, lastSeq }) =>
      firstSeq === null || holes.some((seq) => firstSeq <= seq && seq <= (lastSeq ?? seq)),
  );

/** 7. A drain that a process died in leaves a mark, so that nothing is taken in twice. */
function onlyOnce({ entries }: Found, report: Report): void {
  const seen = new Set<string>();
  for (const { id, seq } of entries) {
    if (seen.has(id)) report(7, `event ${id} is there twice, again as seq ${seq}`);
    seen.add(id);
  }
}

/** 9. The chain and all sums hold. */
function sound({ ok, damage }: Verification, report: Report): void {
  if (ok) return;
  const told = damage.map(
    ({ segment, kind, offset, firstSeq, lastSeq }) =>
      `${kind} in ${segment} at ${offset} (${firstSeq}–${lastSeq})`,
  );
  report(9, `verify after recovery: ${told.join('; ')}`);
}

/** 5 and 6. What is lost was hit, and every loss is told of. */
function detected(
  found: Found,
  fault: Extract<Fault, { kind: 'damage' }>,
  { damage }: Verification,
  { acknowledged }: Account,
  report: Report,
): void {
  const there = idsOf(found);
  const lost = acknowledged.filter(({ id }) => !there.has(id));
  for (const { id } of lost)
    if (!fault.hit.has(id)) report(6, `${id} was lost, ${fault.where} is elsewhere`);
  // An inbox file that was damaged is in quarantine by now.
  const isTold =
    damage.length > 0 || found.entries.some(({ isOwn }) => isOwn) || isQuarantined(found, lost);
  if (lost.length > 0 && !isTold)
    report(5, `${lost.length} events were lost in silence (${fault.where})`);
}

const isQuarantined = (_: Found, lost: readonly { spooled: boolean }[]): boolean =>
  lost.every(({ spooled }) => spooled);

/** 8. A stored state and the rest of the events give what all events give. */
function sameStates(process: SimProcess, report: Report): void {
  if (process.ports.fs.statIfThere(layoutOf(SIM_ROOT).checkpoints) === undefined) return;
  const stored = statesOf(process.ports, true).at(tally, SESSION);
  const folded = statesOf(process.ports, false).at(tally, SESSION);
  if (JSON.stringify(stored.state) !== JSON.stringify(folded.state))
    report(
      8,
      `from a stored state: ${JSON.stringify(stored.state)}, from all: ${JSON.stringify(folded.state)}`,
    );
}

/** 10. An append succeeds, gets the next seq, and can be read. */
function appendable(process: SimProcess, found: Found, report: Report): void {
  const writer = new JournalWriter(process.ports, SIM_ROOT, { lockBudgetMs: BUDGET_MS });
  const event = newSimEvent('judge', 'disk');
  const { seqs, spooled } = writer.append([event]);
  writer.close();
  const last = found.entries.at(-1)?.seq ?? 0;
  if (spooled || seqs[0] === undefined || seqs[0] <= last)
    report(
      10,
      `an append after recovery: ${JSON.stringify({ seqs, spooled })}, the last seq was ${last}`,
    );
  const again: FoundEvent[] = findAll(process.ports).entries;
  if (again.at(-1)?.id !== event.id.toString('hex'))
    report(10, 'what was appended after recovery is not read');
}

/** What a power cut is measured by: the order of events on a disk, and how far it claims to be synced. */
export function stateBefore(
  image: Image,
  now: number,
): { order: { seq: number; id: string }[]; claimed: number } {
  const disk = new SimDisk(image, now);
  const { ports } = startProcess(disk, JUDGE + 9, 1);
  if (fileAt(image, SIM_ROOT) === undefined) return { order: [], claimed: 0 };
  const layout = layoutOf(SIM_ROOT);
  const home = homeOf(ports, layout);
  const order = findAll(ports).entries.map(({ id, seq }) => ({ id, seq }));
  const claimed =
    home === undefined ? 0 : readHint(ports, hintPath(layout, home.origin)).syncedUpto;
  return { order, claimed };
}
