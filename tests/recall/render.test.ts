import { describe, expect, it } from 'vitest';
import type { Item, Kind } from '../../src/recall/items.ts';
import { renderRecall } from '../../src/recall/render.ts';

const HEADING = { about: 'What there was.', upto: 9 };

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
