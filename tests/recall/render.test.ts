import { describe, expect, it } from 'vitest';
import { choose } from '../../src/recall/choose.ts';
import type { Item, Kind } from '../../src/recall/items.ts';
import { renderRecall } from '../../src/recall/render.ts';

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

describe('the age of a line', () => {
  const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
  const NOW = 1000 * DAY;
  const ago = (ms: number, seq = 1): Item => item('error', 5, NOW - ms, seq);
  const linesOf = (...items: Item[]): (string | undefined)[] =>
    renderRecall(items, { ...HEADING, now: NOW }).match(/^@\d.*(?= error of)/gm) ?? [];

  it.each([
    [0, '0m'],
    [MINUTE - 1, '0m'],
    [9 * MINUTE, '9m'],
    [59 * MINUTE, '50m'],
    [HOUR, '1h'],
    [14 * HOUR, '10h'],
    [DAY - 1, '20h'],
    [3.9 * DAY, '3d'],
    [29 * DAY, '20d'],
    [266 * DAY, '8mo'],
    [364 * DAY, '10mo'],
    [800 * DAY, '2y'],
  ])('%d milliseconds after its event is %s', (ms, age) => {
    expect(linesOf(ago(ms))).toEqual([`@1 ${age}`]);
  });

  it('stands where it is not that of the line above', () => {
    const lines = [ago(3 * DAY, 1), ago(2 * HOUR + MINUTE, 2), ago(2 * HOUR, 3), ago(MINUTE, 4)];
    expect(linesOf(...lines)).toEqual(['@1 3d', '@2 2h', '@3', '@4 1m']);
  });

  it('is said of none whose time is not known or lies ahead, and these stand where no age is above them', () => {
    const unknown = item('error', 5, 0, 2);
    const ahead = ago(-HOUR, 3);
    expect(linesOf(ago(HOUR, 1), unknown, ahead)).toEqual(['@2', '@3', '@1 1h']);
  });

  it('is that of the cited event, also of a file that was used later', () => {
    const read = { ...ago(MINUTE, 1), citedAt: NOW - 5 * HOUR };
    expect(linesOf(read, ago(HOUR, 2))).toEqual(['@1 5h', '@2 1h']);
  });

  it('is said once where all that is on offer has the same', () => {
    const heading = { ...HEADING, now: NOW };
    const same = choose(
      [ago(3 * DAY, 1), item('task', 20, NOW - 3.5 * DAY, 2)],
      1000,
      heading,
    ).text;
    expect(same).toContain('@n: event, all 3d old where known.');
    expect(same).toMatch(/^@1 error of/m);
    expect(same).toMatch(/^@2 task of/m);
    const other = choose([ago(3 * DAY, 1), item('task', 20, 0, 2)], 1000, heading).text;
    expect(other).toContain('@n: event, 2h: age (none: as above in the list, or unknown).');
    expect(other).toMatch(/^@1 3d error of/m);
    expect(other).toMatch(/^@2 task of/m);
  });

  it('counts in the room that a text has', () => {
    const items = Array.from({ length: 60 }, (_, n) => ago((60 - n) * 40 * MINUTE, n + 1));
    const heading = { ...HEADING, now: NOW };
    const whole = choose(items, 100_000, heading);
    expect(whole.items).toHaveLength(60);
    // A section's last line end is counted, and not there.
    expect(choose(items, whole.text.length + 2, heading).items).toHaveLength(60);
    for (const chars of [300, 500, 900]) {
      const { text } = choose(items, chars, heading);
      expect(text.length).toBeLessThanOrEqual(chars);
      expect(text.length).toBeGreaterThan(chars - 40);
    }
  });
});
