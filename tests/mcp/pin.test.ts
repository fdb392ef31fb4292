import { describe, expect, it } from 'vitest';
import { pinned } from '../../src/mcp/pin.ts';

describe('a point for the next page', () => {
  it('is the event that it meant, where the next event would move it', () => {
    for (const moving of [undefined, '@head', 'head', '@-3', '-12', ' @-3 ']) {
      expect(pinned(moving, 42)).toBe('@42');
    }
  });

  it('is the point itself where it stays', () => {
    for (const fixed of ['@1234', '@prompt:-2', '@save:x', '@2026-11-21T10:00', '@session:a:end']) {
      expect(pinned(fixed, 42)).toBe(fixed);
    }
  });
});
