import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import { decoders } from '../ports.ts';
import { Bystanders } from './bystanders.ts';
import { type KilledTally, killAll, newKilledTally } from './killer.ts';
import { overhaulsIn } from './overhaul-scenes.ts';

/** Beside 1 and 7 others so many fewer places are tried than alone. */
const BESIDE_ONE_IN = 6;

export interface OverhaulRun {
  /** Of the places, those of one lane. */
  lane: number;
  lanes: number;
  oneIn: number;
  seed: number;
  /** `bystander-process`, bundled. */
  bystander: string;
}

/** Kills the commands that change what is there, alone and beside 1 and 7 others. @param top an empty folder */
export async function killOverhauls(top: string, run: OverhaulRun): Promise<KilledTally> {
  const { lane, lanes, oneIn, seed, bystander } = run;
  const tally = newKilledTally();
  const overhauls = overhaulsIn(top, { zstd: await loadZstd(), decoders });
  for (const [nth, count] of [0, 1, 7].entries()) {
    const others = count === 0 ? undefined : new Bystanders(bystander, count);
    const every = lanes * oneIn * (count === 0 ? 1 : BESIDE_ONE_IN);
    const share = { every, offset: (lane + lanes * nth) % every, seed };
    await killAll(overhauls, share, tally, others).finally(() => others?.end());
  }
  return tally;
}
