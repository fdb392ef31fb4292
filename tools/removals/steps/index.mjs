// Every safety step of the product, by the text that makes it, and who has to notice when it is gone.
import { chain, mending } from './chain.mjs';
import { drops } from './drop.mjs';
import { durables } from './durable.mjs';
import { locks } from './locks.mjs';
import { sums } from './sums.mjs';
import { syncs } from './syncs.mjs';
import { upkeep } from './upkeep.mjs';

export const STEPS = [
  ...syncs,
  ...upkeep,
  ...durables,
  ...sums,
  ...chain,
  ...mending,
  ...locks,
  ...drops,
];
