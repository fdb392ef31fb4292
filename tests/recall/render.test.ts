import { describe, expect, it } from 'vitest';
import { choose } from '../../src/recall/choose.ts';
import type { Item, Kind } from '../../src/recall/item.ts';
import { ageOfItem, renderRecall } from '../../src/recall/render.ts';

const HEADING = { about: 'What there was.', upto: 9, now: 0 };

const item = (kind: Kind, worth: number, at = 1, seq = 1): Item => ({
  kind,
  text: `${kind} of ${at}`,
  seq,
  at,
  key: `${kind} ${at} ${seq}`,
  worth,
});

/** Titles, in the order in which they stand. */
const sectionsOf = (items: Item[]): string[] =>
  renderRecall(items, HEADING)
    .split('\n')
    .filter((line) => line.endsWith(':'));

const RULES = 'Rules, in the user’s words:';
const TASKS = 'Tasks:';
const ERRORS = 'Failed, not seen to pass since:';
const FILES = 'Files: names in them:';

describe('the sections of a recall', () => {
  it('stand in the order of what their best item is worth', () => {
    expect(sectionsOf([item('task', 20), item('error', 30), item('file', 25)])).toEqual([
      ERRORS,
      FILES,
      TASKS,
    ]);
    expect(sectionsOf([item('error', 30), item('task', 5), item('task', 31, 2)])).toEqual([
      TASKS,
      ERRORS,
    ]);
  });

  it('have the rules first, whatever those are worth', () => {
    expect(sectionsOf([item('error', 80), item('rule', 1)])).toEqual([RULES, ERRORS]);
  });

  it('of the same worth stand in an order that is always the same', () => {
    const items = [item('file', 10), item('error', 10), item('task', 10)];
    const order = [TASKS, ERRORS, FILES];
    expect(sectionsOf(items)).toEqual(order);
    expect(sectionsOf([...items].reverse())).toEqual(order);
  });

  it('have their lines in the order of time, whatever they are worth and whenever they arrived', () => {
    const items = [item('error', 5, 30, 1), item('error', 90, 20, 3), item('error', 50, 10, 2)];
    const lines = renderRecall(items, HEADING).match(/@\d error of \d+/g);
    expect(lines).toEqual(['@2 error of 10', '@3 error of 20', '@1 error of 30']);
  });
});

describe('ages', () => {
  const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
  const NOW = 1000 * DAY;
  const ago = (ms: number, seq = 1): Item => item('error', 5, NOW - ms, seq);
  const citedOf = ({ seq, at }: Item) => ({ seq, at });
  const introOf = (...items: Item[]): string | undefined =>
    renderRecall(items, { ...HEADING, now: NOW }).match(/@n: event(.*)\.$/m)?.[1];

  it.each([
    [0, '<1m'],
    [MINUTE - 1, '<1m'],
    [MINUTE, '1m'],
    [9 * MINUTE, '9m'],
    [14 * MINUTE, '14m'],
    [44 * MINUTE, '40m'],
    [59 * MINUTE, '1h'],
    [90 * MINUTE, '90m'],
    [119.6 * MINUTE, '2h'],
    [14 * HOUR, '14h'],
    [DAY - 1, '1d'],
    [1.6 * DAY, '40h'],
    [3.9 * DAY, '4d'],
    [29 * DAY, '1mo'],
    [266 * DAY, '9mo'],
    [364 * DAY, '1y'],
    [800 * DAY, '2y'],
  ])('%d milliseconds after its event an item is %s old', (ms, age) => {
    expect(ageOfItem(ago(ms), NOW)).toBe(age);
  });

  it('are one where all events are about as old', () => {
    expect(introOf(ago(3.3 * DAY, 1), ago(3 * DAY, 2))).toBe(', all 3d old');
    expect(introOf(ago(4 * HOUR, 1), ago(HOUR, 2))).toBe(', all about 2h old');
    expect(introOf(ago(MINUTE - 1, 1), ago(0, 2))).toBe(', all less than a minute old');
    expect(introOf(ago(4 * MINUTE, 1), ago(0, 2))).toBe(', all about 2m old');
  });

  it('are told from an event up to the next that is named, and are at most two and a half times off', () => {
    const minutes = [300, 299, 200, 120, 80, 76, 70, 30, 19, 4, 1];
    const items = minutes.map((each, n) => ago(each * MINUTE, n + 1));
    const intro = introOf(...items.reverse()) ?? '';
    expect(intro).toBe(', age about 3h from @1, 40m from @7, 2m from @10');
    const unit: Record<string, number> = { m: 1, h: 60 };
    const told = [...intro.matchAll(/(\d+)([mh]) from @(\d+)/g)].map(([, age, of, from]) => {
      return { age: Number(age) * unit[of!]!, from: Number(from) };
    });
    for (const [n, each] of minutes.entries()) {
      const { age } = told.findLast(({ from }) => from <= n + 1)!;
      expect(Math.max(age / each, each / age)).toBeLessThanOrEqual(2.5);
    }
    expect(introOf(ago(2 * DAY, 5), ago(0, 7))).toBe(', age about 2d from @5, <1m from @7');
  });

  it('are not told again where what a text before said is true of these as well', () => {
    const told = { events: [ago(5 * HOUR, 10), ago(2 * MINUTE, 50)].map(citedOf), now: NOW };
    const more = (now: number, ...items: Item[]) =>
      renderRecall(items, { ...HEADING, now, agesStated: told }).match(/@n: event(.*)\.$/m)?.[1];
    expect(more(NOW, ago(4 * HOUR, 12), ago(2 * HOUR, 49), ago(MINUTE, 60))).toBe('');
    expect(more(NOW, ago(6 * HOUR, 2))).toBe('');
    expect(more(NOW, ago(4 * HOUR, 12), ago(30 * MINUTE, 40))).toBe(
      ', age about 4h from @12, 30m from @40',
    );
    // Said long after it: what was two minutes old then is so no more.
    expect(more(NOW + HOUR, ago(MINUTE, 60))).toBe(', all 1h old');
  });

  it('are told where a text before told none, or only the least and the most', () => {
    const more = (events: { seq: number; at: number }[]) =>
      renderRecall([ago(HOUR, 3)], { ...HEADING, now: NOW, agesStated: { events, now: NOW } });
    const many = Array.from({ length: 40 }, (_, n) => ago(n % 2 === 0 ? 3 * DAY : MINUTE, n + 1));
    for (const events of [[], many.map(citedOf)]) expect(more(events)).toContain('all 1h old');
  });

  it('are those of the events, whatever the order in which these arrived', () => {
    const late = [ago(HOUR, 1), ago(10 * DAY, 2), ago(9 * DAY, 3), ago(HOUR, 4)];
    expect(introOf(...late)).toBe(', age about 1h from @1, 9d from @2, 1h from @4');
  });

  it('take no more than a few words, however the times of what arrived go up and down', () => {
    const items = Array.from({ length: 400 }, (_, n) => ago(n % 2 === 0 ? 3 * DAY : MINUTE, n + 1));
    expect(introOf(...items)).toBe(', 1m to 3d old');
    const { items: chosen } = choose(items, 1000, { ...HEADING, now: NOW });
    expect(chosen.length).toBeGreaterThan(5);
  });

  it('are known of none whose time is not known or lies ahead, which is said', () => {
    const [unknown, ahead] = [item('error', 5, 0, 2), ago(-HOUR, 3)];
    expect(introOf(ago(HOUR, 1), unknown, ahead)).toBe(', all 1h old where known');
    expect(introOf(unknown, ahead)).toBe('');
  });

  it('are those of the cited events, also of a file that was used later', () => {
    const read = { ...ago(MINUTE, 1), citedAt: NOW - 5 * HOUR };
    expect(introOf(read, ago(HOUR, 2))).toBe(', age about 5h from @1, 1h from @2');
  });

  it('count in the room that a text has', () => {
    const items = Array.from({ length: 60 }, (_, n) => ago((60 - n) * 40 * MINUTE, n + 1));
    const heading = { ...HEADING, now: NOW };
    const whole = choose(items, 100_000, heading);
    expect(whole.items).toHaveLength(60);
    // A section's last line end is counted, and not there.
    expect(choose(items, whole.text.length + 2, heading).items).toHaveLength(60);
    for (const chars of [300, 500, 900]) {
      const { text } = choose(items, chars, heading);
      expect(text.length).toBeLessThanOrEqual(chars);
      expect(text.length).toBeGreaterThan(chars - 60);
    }
  });
});
