import type { JournalPorts } from '../../src/journal/format/ports.ts';
import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import { seeded } from '../seeded.ts';
import { aim, inLargeWrite } from './aim.ts';
import { Crew, type Diet } from './crew.ts';
import { Survivors } from './survivors.ts';

export interface RandomKills {
  /** `writer-process`, bundled. */
  program: string;
  /** An empty `.ben10`. */
  root: string;
  ports: JournalPorts;
  decoders: Decoders;
  writers: number;
  /** What they append; those who append only what is large die in the middle of it. */
  diet: Diet;
  /** So many are killed while the others go on, and in the end all of them. */
  kills: number;
  seed: number;
}

export interface KillTally {
  kills: number;
  /** Of the kills, in the middle of an append. */
  inAppends: number;
  attempted: number;
  acknowledged: number;
  kept: number;
  /** Torn tails that the next writer made good. */
  repairs: number;
  /** What must not be, as sentences. */
  violations: string[];
}

/**
 * Writers are killed with -9 at random, one at a time: the others go on, and another one takes its place. After every
 * kill all that was acknowledged until then has to be there; in the end everything is read again and verified.
 */
export async function killAtRandom(run: RandomKills): Promise<KillTally> {
  const random = seeded(run.seed);
  const crew = new Crew(run.program, run.root, run.writers, run.diet);
  const survivors = new Survivors(run.root, run.ports, run.decoders);
  const violations: string[] = [];
  try {
    for (let slot = 0; slot < run.writers; slot += 1) crew.start(slot);
    while (crew.kills < run.kills) {
      const slot = Math.floor(random() * run.writers);
      const isLarge = run.diet === 'large';
      const how = isLarge ? inLargeWrite(run.root) : aim(random, run.root, run.writers);
      const free = await crew.kill(slot, how);
      crew.start(free);
      violations.push(...survivors.look(crew.account));
    }
    await crew.killAll();
    violations.push(...survivors.reckon(crew.account));
  } finally {
    crew.abandon();
  }
  for (const name of crew.strays) violations.push(`${name} ended without being killed`);
  return { ...tallyOf(crew, survivors), violations };
}

export const tallyOf = (crew: Crew, survivors: Survivors): Omit<KillTally, 'violations'> => ({
  kills: crew.kills,
  inAppends: crew.inAppends,
  attempted: crew.account.attempted.size,
  acknowledged: crew.account.acknowledged.size,
  kept: survivors.kept.length,
  repairs: survivors.repairs,
});
