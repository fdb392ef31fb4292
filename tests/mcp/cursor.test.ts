import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { decodeCursor, encodeCursor } from '../../src/mcp/cursor.ts';
import { Ben10Error } from '../../src/platform/errors.ts';

const schema = z.strictObject({ point: z.string().optional(), limit: z.int().max(9).optional() });

describe('a cursor', () => {
  it('gives back what it was made of', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.nat(), (point, position) => {
        const cursor = encodeCursor('t', { point }, position);
        expect(cursor).toMatch(/^[\w-]+\.[\w-]{8}$/);
        expect(decodeCursor('t', cursor, schema)).toEqual({ args: { point }, position });
      }),
    );
  });

  it('is refused with one character changed, added or left out', () => {
    const cursor = encodeCursor('t', { point: '@1' }, 5);
    const change = fc.tuple(fc.nat(cursor.length - 1), fc.constantFrom('', 'A', 'x', '.', '_0'));
    fc.assert(
      fc.property(change, ([at, by]) => {
        const other = cursor.slice(0, at) + by + cursor.slice(at + 1);
        fc.pre(other !== cursor);
        expect(() => decodeCursor('t', other, schema)).toThrow(Ben10Error);
      }),
    );
  });

  it('is refused by another tool, with other arguments, or a position that is none', () => {
    const wrong = [
      encodeCursor('other', { point: '@1' }, 5),
      encodeCursor('t', { point: 1 }, 5),
      encodeCursor('t', { limit: 10 }, 5),
      encodeCursor('t', { unknown: 1 }, 5),
      encodeCursor('t', {}, -1),
      encodeCursor('t', {}, 1.5),
      encodeCursor('t', { point: 'x'.repeat(4000) }, 1),
    ];
    for (const cursor of wrong) {
      expect(() => decodeCursor('t', cursor, schema)).toThrow(
        expect.objectContaining({ code: 'USAGE', next: expect.stringContaining('Call t again') }),
      );
    }
  });

  it('is refused when it is anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor('t', text, schema)).toThrow(Ben10Error);
      }),
    );
  });
});
