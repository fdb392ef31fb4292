import { layoutOf } from '../../src/journal/format/layout.ts';
import type { Loss } from '../../src/journal/repair/events.ts';
import { planRepair, type RepairItem, repairJournal } from '../../src/journal/repair/repair.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { type Verification, verifyJournal } from '../../src/journal/verify/verify.ts';
import { Chance } from '../damage/chance.ts';
import { seeded } from '../seeded.ts';
import { onDisk } from './account.ts';
import { pick } from './chance.ts';
import { complain, type Tally } from './counting.ts';
import { restartEvents } from './events.ts';
import { type CrashOptions, crashAll } from './exhaustive.ts';
import { toldIn } from './facts.ts';
import { findAll, idsOf } from './found.ts';
import { copyOf, digestOf, fileAt, type Image } from './image.ts';
import { decoders, SIM_ROOT, type SimProcess, startProcess } from './process.ts';
import { hasEvents, spoil } from './spoil.ts';
import { LETTERS, type MoreLetter, World } from './workload.ts';

/** Everything that a course depends on; as one line of JSON it is what reproduces it. */
export interface RepairedOptions {
  /** The seed of the damage. */
  repaired: number;
  /** One process does everything, and stays open while others damage and repair. */
  server: boolean;
  /**
   * Letters of operations (`workload.ts`), and of what happens between them: `!` a file is damaged,
   * `R` the journal is repaired, `C` the project is copied, and goes on as the copy. All that was written is on the disk then.
   */
  word: string;
}

/** What a journal is before it is damaged: some letters more often than others. */
const DIET = 'ppddtbsnrrrccmkweox';
/** What comes by at a damaged journal: nobody must have to repair before an agent goes on. */
const MEANWHILE = ['', '', '', 'p', 'd', 's', 'n'];
const AFTER: readonly MoreLetter[] = [...LETTERS, 't', 'a', 'v'];
/** Far above the processes of operations, below those of the oracle. */
const REPAIRER = 10_000;

/** Which operation comes last goes round with the seed: its calls are crashed. */
export function repairedOptionsOf(seed: number): RepairedOptions {
  const chance = seeded(seed ^ 0x4ea1);
  const some = (from: readonly string[] | string, least: number, most: number) =>
    Array.from(
      { length: least + pick(chance, most - least + 1) },
      () => from[pick(chance, from.length)],
    ).join('');
  const repair = () =>
    `${'!'.repeat(1 + pick(chance, 2))}${some(MEANWHILE, 1, 1)}R${some('C', 0, 1).slice(pick(chance, 4))}`;
  const again = pick(chance, 3) === 0 ? `${some(AFTER, 0, 2)}${repair()}` : '';
  const last = AFTER[seed % AFTER.length]!;
  const word = `${some(DIET, 3, 9)}${repair()}${again}${some(AFTER, 0, 1)}${last}`;
  return { repaired: seed, server: pick(chance, 2) === 0, word };
}

/**
 * Damages a journal, repairs it, and runs operations on what the repair left: a crash after each call of the last one. The
 * oracle wants what the repair left readable to stay, and what it recorded as lost to be all that is.
 */
export function runRepaired(
  codecs: Codecs,
  options: RepairedOptions,
  crash: CrashOptions,
  tally: Tally,
): void {
  restartEvents();
  const where = JSON.stringify(options);
  const course = new Course(codecs, options);
  const from = course.run((error) => complain(tally, where, error));
  for (const text of course.wrongs) tally.violations.push({ where, sentence: 10, text });
  tally.workloads += 1;
  if (from === undefined) return;
  const { disk, account } = course.world;
  crashAll(disk, account, from + 1, where, crash, tally);
}

class Course {
  world: World;
  readonly wrongs: string[] = [];
  readonly #codecs: Codecs;
  readonly #options: RepairedOptions;
  readonly #chance: Chance;
  #process = 1;
  #repairs = 0;
  /** Since the last repair nothing was damaged that an event stands in. */
  #isHarmless = true;
  /** Seqs, by their ids, of what could be read before any of the damage, or any time since. */
  readonly #standing = new Map<string, number>();

  constructor(codecs: Codecs, options: RepairedOptions) {
    this.#codecs = codecs;
    this.#options = options;
    this.#chance = new Chance(options.repaired);
    this.world = new World(codecs, 1);
  }

  /** @returns how much had happened to the disk before the last operation; undefined where something was wrong before its end */
  run(failed: (error: unknown) => void): number | undefined {
    let from = 0;
    try {
      for (const step of this.#options.word) {
        from = this.world.disk.log.length;
        if (step === '!') this.#spoil();
        else if (step === 'R') this.#repair();
        else if (step === 'C') this.#copy();
        else this.world.run(step as MoreLetter, this.#next());
        this.wrongs.push(...this.world.complaints.splice(0));
        if (this.wrongs.length > 0) return undefined;
      }
    } catch (error) {
      failed(error);
      return undefined;
    }
    return from;
  }

  #next(): number {
    if (!this.#options.server) this.#process += 1;
    return this.#process;
  }

  #spoil(): void {
    const { disk } = this.world;
    this.#stand();
    const hit = spoil(disk, this.#chance);
    if (hit !== undefined && hasEvents(hit)) this.#isHarmless = false;
    disk.settle();
  }

  #stand(): void {
    for (const { id, seq } of findAll(this.#repairer().ports).entries) this.#standing.set(id, seq);
  }

  #repair(): void {
    this.#stand();
    const { disk, account } = this.world;
    const before = idsOf(findAll(this.#repairer().ports));
    const plan = planRepair(this.#repairer().ports, SIM_ROOT, decoders);
    const { damage } = verifyJournal(this.#repairer().ports, SIM_ROOT, decoders);
    const { after, lost: given } = repairJournal(this.#repairer().ports, SIM_ROOT, decoders);
    if (!after.ok) this.wrongs.push(`the repair left damage: ${JSON.stringify(after.damage)}`);
    const there = findAll(this.#repairer().ports);
    const left = idsOf(there);
    this.#isAsPlanned(plan, damage, left, given);
    this.#standing.clear();
    const lost = [...before].filter((id) => !left.has(id));
    if (lost.length > 0) this.wrongs.push(`the repair lost what was readable: ${lost}`);
    const hidden = account.acknowledged.filter(({ id }) => !left.has(id)).map(({ id }) => id);
    if (this.#isHarmless && hidden.length > 0)
      this.wrongs.push(`no event was damaged, and the repair gives up ${hidden}`);
    this.#isHarmless = true;
    this.#isSettled();
    disk.settle();
    const kept = onDisk(account, left);
    for (const erasure of kept.erasures) erasure.ids = erasure.ids.filter((id) => left.has(id));
    Object.assign(account, kept, { losses: after.losses });
    // The state that stood for what was dropped may be lost itself.
    if (account.drops.length === 0) return;
    const told = toldIn(this.#repairer());
    for (const { id, isTombstone } of there.entries) {
      const attempt = account.attempted.get(id);
      if (isTombstone && attempt !== undefined && !told.has(id)) delete attempt.canary;
    }
  }

  /**
   * The plan gives up what the repair does, and nothing else. It may leave open how far that goes, and of the newest segment
   * nobody knows more than how far it was synced.
   */
  #isAsPlanned(
    plan: readonly RepairItem[],
    damage: Verification['damage'],
    left: ReadonlySet<string>,
    lost: readonly Loss[],
  ): void {
    const given = plan.filter(
      ({ action, kind, firstSeq }) => action !== 'none' && kind !== 'blob' && firstSeq !== null,
    );
    const last = given.reduce((most, { firstSeq }) => Math.max(most, firstSeq!), 0);
    const isGiven = (seq: number): boolean =>
      given.some(({ firstSeq, lastSeq }) => firstSeq! <= seq && seq <= (lastSeq ?? 0));
    // Another segment's footer tells of events that are not there: whether any was, only shows when it is put right.
    const isDoubtful = (seq: number): boolean =>
      damage.some(
        ({ kind, firstSeq, lastSeq }) =>
          kind === 'index' && firstSeq! <= seq && seq <= (lastSeq ?? 0),
      );
    const isRecorded = (seq: number): boolean =>
      lost.some(
        ({ firstSeq, lastSeq, segment }) =>
          firstSeq! <= seq && seq <= lastSeq! && !segment.startsWith('blobs/'),
      );
    const wrong = [...this.#standing].flatMap(([id, seq]) => {
      if (left.has(id)) return isGiven(seq) ? [`${seq} is there`] : [];
      const isTold = isGiven(seq) || isDoubtful(seq) || (last > 0 && seq >= last);
      return isRecorded(seq) && !isTold ? [`${seq} is lost`] : [];
    });
    if (wrong.length > 0)
      this.wrongs.push(`${wrong.join(', ')}, and planned was ${JSON.stringify(plan)}`);
  }

  /** A repaired journal is not repaired again. */
  #isSettled(): void {
    const { live } = this.world.disk;
    const digest = digestOf(live);
    const plan = planRepair(this.#repairer().ports, SIM_ROOT, decoders);
    if (plan.length > 0) this.wrongs.push(`a second repair plans ${JSON.stringify(plan)}`);
    repairJournal(this.#repairer().ports, SIM_ROOT, decoders);
    if (digestOf(live) !== digest) this.wrongs.push('a second repair changed the journal');
  }

  /** Each has other random numbers: no two make events of one id. */
  #repairer(): SimProcess {
    this.#repairs += 1;
    return startProcess(this.world.disk, REPAIRER + this.#repairs, 1);
  }

  #copy(): void {
    const { disk, account } = this.world;
    this.#process += 1;
    this.world = new World(this.#codecs, 1, copied(disk.live), account, disk.now);
    Object.assign(account, onDisk(account, idsOf(findAll(this.#repairer().ports))));
  }
}

/** With the journal's folder as another one, by which a copy is told from what it was made of. */
function copied(image: Image): Image {
  const copy = copyOf(image);
  const { journal } = layoutOf(SIM_ROOT);
  const number = fileAt(image, journal)!;
  const another = Math.max(...image.files.keys(), ...image.folders.keys()) + 1;
  copy.folders.set(another, copy.folders.get(number)!);
  copy.folders.delete(number);
  copy.folders.get(fileAt(image, SIM_ROOT)!)!.set(journal.slice(SIM_ROOT.length + 1), another);
  return copy;
}
