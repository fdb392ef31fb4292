import type { RecordedLoss } from '../../src/journal/verify/gaps.ts';
import type { Verification } from '../../src/journal/verify/verify.ts';
import { type Account, type Fault, promised, type Standing } from './account.ts';
import type { SimDisk } from './disk.ts';
import { erasedAsAsked } from './erased.ts';
import { type Aftermath, reading, recovery } from './facts.ts';
import { type Found, idsOf } from './found.ts';
import type { Image } from './image.ts';
import { savesAreThere } from './saved.ts';

/** One broken promise. */
export interface Violation {
  /** Which of the oracle's sentences, 1 to 13. */
  sentence: number;
  text: string;
}

/** What somebody who found the disk saw, and did to it. */
export interface Verdict {
  violations: Violation[];
  /** The disk during recovery, for a crash of that. */
  recovery: SimDisk;
  /** How much of `recovery.log` is the recovery itself. */
  recoveryOps: number;
  /** What survived for good, before anything was made good. */
  survivors: Set<string>;
  /** Ids of what the journal had written about itself when recovery came back. */
  ownEvents: string[];
}

/**
 * Looks at a disk after a fault, as the processes that come next would: reads it, recovers it with the product's own
 * code, verifies it, appends to it (`facts.ts`). The image given is not changed.
 * @param account what was attempted and acknowledged when the fault came
 * @param now when they come, milliseconds since the epoch
 * @param also ids that must be there too
 */
export function judge(
  image: Image,
  account: Account,
  fault: Fault,
  now: number,
  also: ReadonlySet<string> = new Set(),
): Verdict {
  const { before, disk, ops, aftermath, error } = recovery(image, now, bootOf(fault, now));
  const verdict: Verdict = {
    violations: [],
    recovery: disk,
    recoveryOps: ops,
    survivors: survivorsOf(before, fault),
    ownEvents: [],
  };
  const report = (sentence: number, text: string) => verdict.violations.push({ sentence, text });
  const owed = new Set([...promised(account, fault), ...also]);
  noInvention(before, account, report);
  allThere(before, owed, 'before recovery', report);
  if (fault.kind !== 'damage') {
    erasedAsAsked(image, before, account, false, report);
    savesAreThere(image, before, account, report);
  }
  if (aftermath !== undefined) examine(aftermath, account, fault, owed, verdict, report);
  if (error !== undefined) unexpected(error, report);
  return verdict;
}

/** A machine that lost its power was started again. */
function bootOf(fault: Fault, now: number): number {
  if (fault.kind === 'power') return now;
  return (fault.kind === 'kill' && fault.bootedAt) || 0;
}

type Report = (sentence: number, text: string) => void;

const unexpected = (error: unknown, report: Report): void =>
  report(10, `unexpected error: ${(error as Error).stack?.split('\n').slice(0, 4).join(' | ')}`);

function examine(
  { image, found, verified, isUnsettled, states, told, appended, toldAgain, error }: Aftermath,
  account: Account,
  fault: Fault,
  owed: ReadonlySet<string>,
  verdict: Verdict,
  report: Report,
): void {
  verdict.ownEvents = found.entries.filter(({ isOwn }) => isOwn).map(({ id }) => id);
  noInvention(found, account, report);
  allThere(found, new Set([...owed, ...verdict.survivors]), 'after recovery', report);
  const holes = holesIn(found, fault);
  if (holes.length > 0) report(3, `lost in the middle: seqs ${holes.join(', ')}`);
  order(found, verified, account, report);
  if (fault.kind === 'kill' && fault.mayRepeat !== true) onlyOnce(found, report);
  if (fault.kind === 'damage') detected(found, fault, verified, account, report);
  else {
    sound(verified, report);
    erasedAsAsked(image, found, account, true, report);
  }
  asRecorded(verified, account, report);
  if (isUnsettled) report(7, 'recovering twice changed the journal again');
  // A stored state may remember what the damage cost.
  const isMissed = fault.kind === 'damage' ? fault.hit.size > 0 : account.losses !== undefined;
  if (!isMissed) sameStates(states, report);
  if (fault.kind !== 'damage') droppedIsKnown(found, account, told, report);
  // One that was asked for and never begun may have been dropped since: then the tombstone is that of the drop.
  const dropped = new Set(account.drops.flatMap(({ ids }) => ids));
  const erased = new Set(
    account.erasures.flatMap(({ ids, done }) =>
      ids.filter((id) => done !== undefined || !dropped.has(id)),
    ),
  );
  for (const id of toldAgain)
    if (erased.has(id)) report(11, `event ${id} was erased, and came back`);
  if (error !== undefined) unexpected(error, report);
  else appendable(appended!, found, report);
}

/** 1. Every event read was attempted, byte-identical. */
function noInvention({ entries, waiting }: Found, { attempted }: Account, report: Report): void {
  for (const { id, payload, seq, isOwn, isTombstone } of [...entries, ...waiting]) {
    if (isOwn) continue;
    const attempt = attempted.get(id);
    if (attempt === undefined) report(1, `event ${id} (seq ${seq}) was never attempted`);
    else if (!isTombstone && !attempt.payload.equals(payload))
      report(1, `event ${id} (seq ${seq}) was changed`);
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
  { damage, losses }: Verification,
  { attempted }: Account,
  report: Report,
): void {
  const told = [...damage, ...losses];
  const reached = new Map<number, number>();
  const seen = new Set<string>();
  let seq = 0;
  let hlc = -1n;
  for (const event of [...found.entries, ...found.waiting]) {
    if (event.seq > 0) {
      for (let missing = seq + 1; missing < event.seq; missing += 1)
        if (!isCovered(missing, told)) report(2, `seq ${missing} is missing, and nothing says so`);
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

type Range = Pick<RecordedLoss, 'firstSeq' | 'lastSeq'>;

const isCovered = (seq: number, told: readonly Range[]): boolean =>
  told.some(
    ({ firstSeq, lastSeq }) => firstSeq !== null && firstSeq <= seq && seq <= (lastSeq ?? seq),
  );

/**
 * Ids of what is there, but for what stands behind a hole that a loss of power left: a writer that comes next cuts it off
 * with the hole, unless it was promised. That writer may be killed over it.
 */
function survivorsOf(before: Found, fault: Fault): Set<string> {
  const isBehindLoss =
    fault.kind === 'power' || (fault.kind === 'kill' && fault.mayRepeat === true);
  if (!isBehindLoss) return idsOf(before);
  const last = before.entries.at(-1)?.seq ?? 0;
  const told = before.lost.map(({ firstSeq }) => firstSeq).filter((seq) => seq < last);
  const hole = Math.min(...holesIn(before, fault), ...told);
  return idsOf({ ...before, entries: before.entries.filter(({ seq }) => seq < hole) });
}

/** 3. Seqs whose event is not in its place any more though a later one, which stood behind it, still is. */
function holesIn(found: Found, fault: Fault): number[] {
  if (fault.kind !== 'power') return [];
  const left = new Map(found.entries.map((event) => [event.seq, event]));
  const isInPlace = ({ id, seq, hlc }: Standing) =>
    left.get(seq)?.id === id && left.get(seq)?.hlc === hlc;
  const last = fault.order.findLastIndex(isInPlace);
  return fault.order.flatMap((one, index) => (index < last && !isInPlace(one) ? [one.seq] : []));
}

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

/** 13. What is lost for good is told of as it was recorded, and nothing else is. */
function asRecorded(
  { losses }: Verification,
  { losses: recorded = [] }: Account,
  report: Report,
): void {
  const [told, wanted] = [losses, recorded].map((some) => JSON.stringify(some));
  if (told !== wanted) report(13, `verify tells of ${told} as lost, and recorded was ${wanted}`);
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
function sameStates(states: Aftermath['states'], report: Report): void {
  try {
    const both = states();
    if (both !== undefined && both.stored !== both.folded)
      report(8, `from a stored state: ${both.stored}, from all: ${both.folded}`);
  } catch (error) {
    unexpected(error, report);
  }
}

/** 12. What was dropped for its age is in the state, but for what somebody erased. */
function droppedIsKnown(
  { entries }: Found,
  { attempted, drops, erasures }: Account,
  told: Aftermath['told'],
  report: Report,
): void {
  if (drops.length === 0) return;
  const erased = new Set(erasures.flatMap(({ ids }) => ids));
  const tombstones = entries.filter(
    ({ id, isTombstone }) => isTombstone && attempted.has(id) && !erased.has(id),
  );
  if (tombstones.length === 0) return;
  const known = told();
  for (const { id, seq } of tombstones)
    if (attempted.get(id)!.canary !== undefined && !known.has(id))
      report(12, `event ${id} (seq ${seq}) was dropped, and the state does not know of it`);
}

/** 10. An append succeeds, gets the next seq, and can be read. */
function appendable(
  { seqs, spooled, isRead }: NonNullable<Aftermath['appended']>,
  found: Found,
  report: Report,
): void {
  const last = found.entries.at(-1)?.seq ?? 0;
  if (spooled || seqs[0] === undefined || seqs[0] <= last)
    report(
      10,
      `an append after recovery: ${JSON.stringify({ seqs, spooled })}, the last seq was ${last}`,
    );
  if (!isRead) report(10, 'what was appended after recovery is not read');
}

/** What a power cut is measured by: the order of events on a disk, and how far it claims to be synced. */
export function stateBefore(image: Image): {
  order: Standing[];
  claimed: number;
} {
  const { found, claimed } = reading(image);
  return { order: found.entries.map(({ id, seq, hlc }) => ({ id, seq, hlc })), claimed };
}
