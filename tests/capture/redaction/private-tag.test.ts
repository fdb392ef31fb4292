import { describe, expect, it } from 'vitest';
import {
  compileRedaction,
  privateState,
  redactText,
} from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const MARKER = '[REDACTED:PRIVATE]';

describe('<private>', () => {
  it('goes with its tags and everything in it', () => {
    expect(redact('a <private>one\ntwo\r\nthree</private> b')).toBe(`a ${MARKER} b`);
  });

  it('is recognised in any case and with attributes', () => {
    expect(redact('<PRIVATE>x</Private>')).toBe(MARKER);
    expect(redact('<private reason="mine">x</private>')).toBe(MARKER);
    expect(redact('<private see="https://a/b">x</private>')).toBe(MARKER);
    expect(redact('is<private>x</private>, so')).toBe(`is${MARKER}, so`);
    expect(redact('is<Private>x</Private>, so')).toBe(`is${MARKER}, so`);
  });

  it('nests', () => {
    expect(redact('a <private>b <private>c</private> d</private> e')).toBe(`a ${MARKER} e`);
  });

  it('goes to the end of the text when it is not closed', () => {
    expect(redact('a <private>b\nc')).toBe(`a ${MARKER}`);
    expect(redact('a <private>b <private>c</private> d')).toBe(`a ${MARKER}`);
  });

  it('ends at a closing tag that is one too many: what was pasted into it may have had one', () => {
    expect(redact('a <private>b</private> c</private> d')).toBe(`a ${MARKER} d`);
    expect(redact('a <private>b</private> c</private> d <private>e</private> f')).toBe(
      `a ${MARKER} d ${MARKER} f`,
    );
  });

  it('takes time by the length of a text of tags alone', () => {
    for (const tags of [
      '<private></private>',
      'a<Private> ',
      '</private>',
      '<private a="/" ',
      '&lt;private ',
    ]) {
      const startedAt = performance.now();
      redact(tags.repeat(20_000));
      expect(performance.now() - startedAt).toBeLessThan(5000);
    }
  });

  it('goes on behind a long value in which it begins', () => {
    const value = `password="${'aB3$x9'.repeat(100)}<private>${'aB3$x9'.repeat(200)}"`;
    expect(redactText(`${value} and more</private> end`, options).text).not.toContain('and more');
  });

  it('hides whatever else is in it behind its own name', () => {
    expect(redactText('<private>password=hunter2 x</private>', options)).toEqual({
      text: MARKER,
      counts: { PRIVATE: 1 },
    });
  });

  it.each([
    'a &lt;private&gt;one\n&lt;two&gt;&lt;/private&gt; b',
    'a \\u003cprivate\\u003eone\\u003c/private\\u003e b',
    'a \\\\u003Cprivate why=1\\\\u003Eone\\\\u003C/private\\\\u003E b',
  ])('is one in escapes, too: %s', (text) => {
    expect(redact(text)).toBe(`a ${MARKER} b`);
  });

  it('is two when there are two', () => {
    expect(redact('<private>a</private> b <private>c</private>')).toBe(`${MARKER} b ${MARKER}`);
  });

  it('is not seen in a closing tag alone, in a type argument, or in another word', () => {
    for (const text of [
      'a </private> b',
      'Options<Private>(x)',
      'Options<Private>(x) as Other<Private>',
      'Options&lt;Private&gt;(x)',
      'a &lt;/private&gt; b',
      '&lt;private, public&gt;',
      '<private/>',
      '<privateer>x</privateer>',
      '<private-x>',
    ]) {
      expect(redact(text)).toBe(text);
    }
  });
});

describe('of a text that is only known in part', () => {
  it('says how many blocks are open at its end', () => {
    const open = (text: string, before = 0) => privateState(text, before).open;
    expect([open('a'), open('<private>a'), open('<private><PRIVATE why="x">a</private>')]).toEqual([
      0, 1, 1,
    ]);
    expect([open('</private>a'), open('</private>a', 2), open('<private>', 2)]).toEqual([0, 1, 3]);
  });

  it('says where the block ends that it begins in the middle of', () => {
    const rest = (text: string) => text.slice(privateState(text).end);
    expect(rest('a</private>b')).toBe('b');
    expect(rest('a<private>b</private>c</private>d<private>e</private>')).toBe(
      'd<private>e</private>',
    );
    expect(rest('a</private>b</private>c')).toBe('c');
    expect(rest('a<private>b</private>c')).toBe('a<private>b</private>c');
  });
});
