import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isOutside } from '../../src/platform/inside.ts';

describe('a path', () => {
  const folder = path.resolve('/a/b');

  it.each(['/a/b', '/a/b/c', '/a/b/c/d', '/a/b/..c', '/a/b/...'])('%s is inside /a/b', (file) => {
    expect(isOutside(folder, path.resolve(file))).toBe(false);
  });

  it.each(['/a', '/', '/a/bc', '/a/c', '/b'])('%s is outside /a/b', (file) => {
    expect(isOutside(folder, path.resolve(file))).toBe(true);
  });
});
