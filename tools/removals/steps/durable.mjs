// Every file that is published whole, and has to be there for good from then on.
import { step } from './step.mjs';

const POWER = 'sim:exhaustive,interleaved,random';
const ERASE = 'journal/erase/power#leaves an erasure that was not begun';
const REPAIR = 'safety/repair';

const durable = (name, catchers, file, before) =>
  step(name, catchers, file, `${before}{ durable: true }`, `${before}{ durable: false }`);

export const durables = [
  durable(
    'a sealed segment is durable',
    POWER,
    'journal/seal/compact-segment.ts',
    'randomHex(ports.random, 6), ',
  ),
  step(
    'a sealed segment that is packed anew is durable',
    POWER,
    'journal/seal/compact-segment.ts',
    'randomHex(ports.random, 6), { durable: true }',
    'randomHex(ports.random, 6), { durable: !file.sealed }',
  ),
  durable(
    'the manifest is durable',
    [ERASE, POWER],
    'journal/format/manifest.ts',
    'randomHex(ports.random, 6), ',
  ),
  durable(
    'a segment with tombstones is durable',
    ERASE,
    'journal/erase/segment.ts',
    'randomHex(ports.random, 6), ',
  ),
  step(
    'the file of erased ids that a repair opens is durable',
    'journal/repair/erased',
    'journal/erase/erased-ids.ts',
    'OPEN_EPOCH, true)',
    'OPEN_EPOCH)',
  ),
  durable('a blob is durable', 'journal/append/blobs', 'journal/append/blobs.ts', 'unique, '),
  durable(
    'a repaired segment is durable',
    REPAIR,
    'journal/repair/files.ts',
    'randomHex(ports.random, 6), ',
  ),
  durable(
    'the own copy of a segment with two names is durable',
    'journal/append/open-own-power',
    'journal/append/active.ts',
    'randomHex(random, 6), ',
  ),
  durable('a save is durable', 'safety/saves', 'timetravel/stored-files.ts', 'unique, '),
  durable(
    'an archived save is durable',
    'timetravel/snapshots/archive',
    'timetravel/snapshots/archive.ts',
    'randomHex(ports.random, 6), ',
  ),
];
