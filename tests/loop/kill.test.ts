/** @module-tag long */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { seeded } from '../seeded.ts';
import { Place, type Step } from './run-loop.ts';

const PRELOAD = path.join(import.meta.dirname, 'killed.cjs');
const STEPS: Step[] = [
  { say: 'not yet', ms: 40, write: { 'work.txt': 'one' } },
  { say: 'not yet', ms: 40, write: { 'work.txt': 'two' } },
  { say: '<promise>DONE</promise>', ms: 20, write: { 'work.txt': 'three' } },
];
const RUN = ['the task', '--until', 'DONE', '--check', 'grep -q three work.txt', '--max', '30'];
const KILLS = process.env.BEN10_WHOLE === '1' ? 100 : 8;
const RESUMES_MAX = 4;

interface Kill {
  at: number;
  afterMs: number;
  who: 'loop' | 'client' | 'both';
}

const killing = ({ at, afterMs, who }: Kill, more: Record<string, string> = {}) => ({
  ...{ NODE_OPTIONS: `--require ${PRELOAD}`, KILLED: who },
  ...{ KILLED_AT: `${at}`, KILLED_AFTER_MS: `${afterMs}`, ...more },
});

/** How many changes the loop makes, all in all. */
function changes(): number {
  const place = new Place(STEPS);
  const counted = path.join(place.beside, 'count');
  Object.assign(place.env, killing({ at: -2, afterMs: 0, who: 'loop' }, { KILLED_COUNT: counted }));
  expect(place.run(...RUN).status).toBe(0);
  return Number(readFileSync(counted, 'utf8'));
}

/** @returns whether the loop was killed before its end */
function check(kill: Kill): boolean {
  const about = JSON.stringify(kill);
  const place = new Place(STEPS);
  const calm = { ...place.env };
  Object.assign(place.env, killing(kill));
  let { status } = place.run(...RUN);
  const isKilled = status === null;
  for (const name of Object.keys(place.env)) delete place.env[name];
  Object.assign(place.env, calm);
  const isThere = () => place.events('loop.started').length > 0;
  if (!isThere()) ({ status } = place.run(...RUN));
  for (let n = 0; n < RESUMES_MAX && status !== 0; n += 1) ({ status } = place.loop('resume'));
  expect(status, about).toBe(0);
  expect(place.status().state, about).toBe('complete');
  const numbers = (type: string) => place.events(type).map(({ data }) => data.n);
  const started = numbers('loop.iteration-started');
  expect(started, about).toEqual(started.map((_, index) => index + 1));
  expect(numbers('loop.iteration-finished'), about).toEqual(started);
  const { log } = place;
  expect(
    log.filter(({ what }) => what === 'beside'),
    about,
  ).toEqual([]);
  const ran = log.filter(({ what }) => what === 'start').map(({ n }) => n);
  expect(ran, about).toEqual([...new Set(ran)]);
  expect(readFileSync(path.join(place.dir, 'work.txt'), 'utf8'), about).toBe('three');
  return isKilled;
}

describe('a loop that is killed, or its client, or both', () => {
  it('loses no iteration and uses none twice, never has two clients, and comes to its end', {
    timeout: 900_000,
  }, () => {
    const random = seeded(7);
    const all = changes();
    let killed = 0;
    for (let n = 0; n < KILLS; n += 1) {
      const at = Math.floor(random() * all);
      const afterMs = n % 2 === 0 ? 0 : Math.ceil(random() * 60);
      const who = (['loop', 'both', 'client'] as const)[n % 3]!;
      if (check({ at, afterMs, who })) killed += 1;
    }
    // Two of three are meant to be; some come too late.
    expect(killed).toBeGreaterThanOrEqual(KILLS / 2);
  });
});
