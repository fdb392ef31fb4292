import { JournalWriter } from '../../src/journal/append/writer.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import { Ben10Error, errno } from '../../src/platform/errors.ts';
import { Chance } from '../damage/chance.ts';
import { type Makers, portsOn, ROOT } from '../damage/corpus.ts';
import { type Image, MemoryFs } from '../damage/memory-fs.ts';
import { FAULTS, type Fault, FaultyFs, type Plan } from './faulty-fs.ts';
import type { Work, Workload } from './work.ts';
import { decoders, newEvent, WORKLOADS } from './workloads.ts';

export interface Tally {
  runs: number;
  /** Runs in which an error came out of ben10's own functions. */
  refused: number;
  violations: string[];
}

/** These hand on what the system says: who calls them knows what a failure means. */
const HANDS_ON = new Set(['checkpoint', 'blob', 'import', 'save', 'drop']);
/** No workload makes so many calls. */
const CALLS_MAX = 5000;

/** Fails every call of every workload, one a run, until a run passes clean. */
export function injectAll(
  makers: Makers,
  tally: Tally,
  { faults = FAULTS, step = 1 }: { faults?: readonly Fault[]; step?: number } = {},
): void {
  for (const workload of WORKLOADS) {
    const { image, work } = prepared(workload, makers);
    for (const fault of faults)
      for (const how of ['once', 'from then on'] as const)
        for (let call = 1; call < CALLS_MAX; call += step)
          if (!inject(workload, image, work, { fault, call, how }, makers, tally)) break;
  }
}

function prepared(workload: Workload, makers: Makers): { image: Image; work: Work } {
  const fs = new MemoryFs({ files: new Map(), folders: new Set(['/', '/project']) });
  const chance = new Chance(11);
  const ports = portsOn(fs, makers.xxh64, chance);
  const work: Work = { ports, chance, makers, acknowledged: [] };
  workload.prepare(work, fs);
  return { image: fs.image(), work };
}

/** @returns false when the workload ended before the call that was to fail */
function inject(
  workload: Workload,
  image: Image,
  before: Work,
  plan: Plan,
  makers: Makers,
  tally: Tally,
): boolean {
  const inner = new MemoryFs(image);
  const faulty = new FaultyFs(inner, plan);
  const chance = new Chance(plan.call + 1);
  const ports = { ...portsOn(inner, makers.xxh64, chance), fs: faulty.fs };
  const work: Work = { ...before, ports, chance, acknowledged: [...before.acknowledged] };
  const told: string[] = [];
  try {
    workload.run(work);
  } catch (error) {
    tally.refused += 1;
    const isTold = error instanceof Ben10Error || (HANDS_ON.has(workload.name) && errno(error));
    if (!isTold) told.push(`it threw ${(error as Error).stack}`);
  }
  tally.runs += 1;
  if (faulty.trusted.length > 0) told.push(`synced again: ${faulty.trusted.join(', ')}`);
  if (inner.opened > 0) told.push(`${inner.opened} descriptors are left open`);
  try {
    told.push(...afterwards(workload, mayDamage(workload, plan), inner, work, makers));
    const clean = portsOn(inner, makers.xxh64, new Chance(98));
    told.push(...(workload.after?.(work, clean) ?? []));
  } catch (error) {
    told.push(`afterwards it threw ${(error as Error).stack}`);
  }
  const place = `${workload.name}: ${plan.fault} at call ${plan.call}, ${plan.how}`;
  tally.violations.push(...told.map((one) => `${place}: ${one}`));
  return faulty.failed > 0;
}

/** A disk that does not give what is on it looks damaged, and appends go on behind it: nothing is lost by that. */
const mayDamage = ({ name }: Workload, { fault }: Plan): boolean =>
  name.startsWith('repair') || ['EIO', 'EIO of reads', 'short read'].includes(fault);

/**
 * The fault is gone: the next append works, what was acknowledged is there, and everything verifies.
 * @param mayBeDamaged half a repair may be seen then, or a gap that nothing was in; a repair does the rest
 */
function* afterwards(
  { isRepairedAfter }: Workload,
  mayBeDamaged: boolean,
  fs: MemoryFs,
  work: Work,
  makers: Makers,
): Generator<string> {
  const chance = new Chance(99);
  const ports = portsOn(fs, makers.xxh64, chance);
  const writer = new JournalWriter(ports, ROOT, { lockBudgetMs: 0 });
  const last = newEvent(chance, 'disk');
  const { seqs } = writer.append([last]);
  if (seqs.length !== 1) yield 'the next append was spooled';
  if (!writer.drain()) yield 'the inbox was not taken in';
  writer.close();
  if (isRepairedAfter === true) repairJournal(ports, ROOT, decoders);
  const there = new Set<string>();
  const reader = new JournalReader(ports, ROOT, decoders);
  for (const { entry } of reader.entries())
    if (entry !== undefined) there.add(entry.id.toString('hex'));
  for (const { id } of [...work.acknowledged, last])
    if (!there.has(id.toString('hex'))) yield `${id.toString('hex')} was acknowledged and is gone`;
  const { damage } = verifyJournal(ports, ROOT, decoders);
  const { after } =
    damage.length === 0 ? { after: { damage } } : repairJournal(ports, ROOT, decoders);
  if (after.damage.length > 0) yield `damage is left: ${JSON.stringify(after.damage)}`;
  if (damage.length > 0 && !mayBeDamaged) yield `damage: ${JSON.stringify(damage)}`;
  if (fs.opened > 0) yield 'descriptors are left open';
}
