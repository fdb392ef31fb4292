import type { JournalPorts } from '../../src/journal/ports.ts';
import type { Decoders } from '../../src/platform/codecs/codecs.ts';
import { Crew } from './crew.ts';
import { seeded } from './seeded.ts';
import { Survivors } from './survivors.ts';

export interface RandomKills {
  /** `writer-process`, bundled. */
  program: string;
  /** An empty `.ben10`. */
  root: string;
  ports: JournalPorts;
  decoders: Decoders;
  writers: number;
  /** At least so many are killed, in rounds of one to three. */
  kills: number;
  seed: number;
}

export interface KillTally {
  kills: number;
  attempted: number;
  acknowledged: number;
  kept: number;
  /** Torn tails that the next writer made good. */
  repairs: number;
  /** What must not be, as sentences. */
  violations: string[];
}

const KILLS_A_ROUND_MAX = 3;

/** Writers that append as fast as they can are killed with -9 at random, and others take their place. */
export async function killAtRandom(run: RandomKills): Promise<KillTally> {
  const random = seeded(run.seed);
  const crew = new Crew(run.program, run.root);
  const survivors = new Survivors(run.root, run.ports, run.decoders);
  const violations: string[] = [];
  try {
    const slots = Array.from({ length: run.writers }, (_, slot) => slot);
    for (const slot of slots) crew.start(slot);
    while (crew.kills < run.kills) {
      await new Promise((go) => setTimeout(go, random() * 60));
      const shuffled = slots.toSorted(() => random() - 0.5);
      const victims = shuffled.slice(0, 1 + Math.floor(random() * KILLS_A_ROUND_MAX));
      await Promise.all(victims.map((slot) => crew.kill(slot, aim(random))));
      for (const key of survivors.missing(crew.account))
        violations.push(`${key} was acknowledged and is lost`);
      for (const slot of victims) crew.start(slot);
    }
    await crew.killAll();
    violations.push(...survivors.reckon(crew.account));
  } finally {
    crew.abandon();
  }
  for (const name of crew.strays) violations.push(`${name} ended without being killed`);
  return { ...tallyOf(crew, survivors), violations };
}

/** Half of them die at once, half of them soon after they begin to write something large. */
function aim(random: () => number): ((shoot: () => void) => void) | undefined {
  if (random() >= 0.5) return undefined;
  const delay = random() * 3;
  return (shoot) => void setTimeout(shoot, delay);
}

export const tallyOf = (crew: Crew, { kept }: Survivors): Omit<KillTally, 'violations'> => ({
  kills: crew.kills,
  attempted: crew.account.attempted.size,
  acknowledged: crew.account.acknowledged.size,
  kept: kept.length,
  repairs: kept.filter(({ key }) => key === 'journal.repaired').length,
});
