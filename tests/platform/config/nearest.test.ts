import { describe, expect, it } from 'vitest';
import { distance, nearestName, nearName } from '../../../src/platform/config/nearest.ts';

describe('the nearest name', () => {
  it('is the one with the fewest changes, letter case ignored', () => {
    expect(nearestName('AUTOSAVE', ['autoRestore', 'autoSave'])).toBe('autoSave');
    expect(nearestName('x', [])).toBeUndefined();
  });

  it('is only suggested where it can have been meant', () => {
    const names = ['log', 'init', 'verify', 'doctor', 'mcp'];
    const near = (name: string) => nearName(name, names);
    expect(['verfy', 'lgo', 'inti', 'LOG', 'doctro'].map(near)).toEqual([
      'verify',
      'log',
      'init',
      'log',
      'doctor',
    ]);
    expect(['nosuch', 'a', 'foo', '', 'x'.repeat(100_000)].map(near)).toEqual(
      Array(5).fill(undefined),
    );
    expect(nearName('x', [])).toBeUndefined();
  });

  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
  ])('counts %j to %j as %i changes', (a, b, changes) => {
    expect(distance(a, b)).toBe(changes);
  });

  it('compares only the head of a name of a hundred thousand characters', () => {
    expect(distance('a'.repeat(100_000), 'b')).toBe(64);
  });
});
