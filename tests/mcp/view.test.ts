import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonBytes } from '../../src/mcp/shorten.ts';
import { viewPart, viewWhole } from '../../src/mcp/view.ts';

/** Every page of a part, from the first. */
function pages(value: unknown, path: string, bytes: number) {
  const views = [viewPart(value, path, 0, bytes)];
  for (let next = views[0]!.next; next !== undefined; next = views.at(-1)!.next) {
    views.push(viewPart(value, path, next, bytes));
  }
  return views;
}

describe('a part of a value', () => {
  it('is, in all its pages together, the whole list', () => {
    const items = fc.array(fc.record({ n: fc.nat(), text: fc.string({ maxLength: 60 }) }));
    fc.assert(
      fc.property(items, fc.integer({ min: 1000, max: 3000 }), (list, bytes) => {
        const views = pages({ a: { list } }, 'a.list', bytes);
        expect(views.flatMap((view) => view.value)).toEqual(list);
        expect(views.some((view) => view.shortened)).toBe(false);
        for (const view of views) expect(jsonBytes(view.value)).toBeLessThanOrEqual(bytes);
      }),
    );
  });

  it('is, in all its pages together, the whole object', () => {
    const whole = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}.ts`, { n }]));
    const views = pages({ files: whole }, 'files', 1000);
    expect(views.length).toBeGreaterThan(3);
    expect(Object.assign({}, ...views.map((view) => view.value))).toEqual(whole);
  });

  it('is not stopped by an item that is larger than a page', () => {
    const list = ['small', 'x'.repeat(5000), 'last'];
    const views = pages({ list }, 'list', 1000);
    expect(views.flatMap((view) => view.value as string[])).toEqual([
      'small',
      expect.stringMatching(/^x+…$/),
      'last',
    ]);
    expect(views.map((view) => view.shortened)).toContain(true);
  });

  it('is found by names that have dots in them, the longest first', () => {
    const value = { 'a.b': { c: 1 }, a: { b: { c: 2 } }, list: [{ 'x.y': 3 }] };
    expect(viewPart(value, 'a.b.c', 0, 1000).value).toBe(1);
    expect(viewPart(value, 'list.0.x.y', 0, 1000).value).toBe(3);
  });

  it('is only ever its own', () => {
    for (const path of ['__proto__', 'constructor', 'a.length', 'text.0', 'a.-1', '']) {
      const value = { a: [1], text: 'abc' };
      if (path === '') expect(viewPart(value, path, 0, 1000).value).toBe(value);
      else expect(() => viewPart(value, path, 0, 1000)).toThrow(/there is nothing at path/);
    }
  });

  it('that is not there is an error which names what is', () => {
    const value = { conversation: { messages: [1, 2] }, files: {} };
    const messages = ['nope', 'conversation.nope', 'conversation.messages.5', 'files.x'].map(
      (path) => {
        try {
          return viewPart(value, path, 0, 1000);
        } catch (error) {
          return (error as Error).message;
        }
      },
    );
    expect(messages).toEqual([
      'there is nothing at path "nope"; at the top there is: "conversation", "files"',
      'there is nothing at path "conversation.nope"; before "nope" there is: "messages"',
      'there is nothing at path "conversation.messages.5"; before "5" there is: indexes 0 to 1',
      'there is nothing at path "files.x"; before "x" there is: nothing',
    ]);
  });

  it('past its end is empty', () => {
    expect(viewPart({ list: [1] }, 'list', 5, 1000)).toEqual({ value: [], shortened: false });
  });
});

describe('a whole value', () => {
  it('is shortened until it fits', () => {
    const value = { list: Array.from({ length: 500 }, (_, n) => n) };
    expect(viewWhole(value, 100_000)).toEqual({ value, shortened: false });
    expect(viewWhole(value, 500).shortened).toBe(true);
  });
});
