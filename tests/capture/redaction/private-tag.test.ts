import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';

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
    expect(redact('is<private>x</private>, so')).toBe(`is${MARKER}, so`);
  });

  it('nests', () => {
    expect(redact('a <private>b <private>c</private> d</private> e')).toBe(`a ${MARKER} e`);
  });

  it('goes to the end of the text when it is not closed', () => {
    expect(redact('a <private>b\nc')).toBe(`a ${MARKER}`);
    expect(redact('a <private>b <private>c</private> d')).toBe(`a ${MARKER}`);
  });

  it('hides whatever else is in it behind its own name', () => {
    expect(redactText('<private>password=hunter2 x</private>', options)).toEqual({
      text: MARKER,
      counts: { PRIVATE: 1 },
    });
  });

  it('is two when there are two', () => {
    expect(redact('<private>a</private> b <private>c</private>')).toBe(`${MARKER} b ${MARKER}`);
  });

  it('is not seen in a closing tag alone, in a type argument, or in another word', () => {
    for (const text of [
      'a </private> b',
      'Options<Private>(x)',
      '<privateer>x</privateer>',
      '<private-x>',
    ]) {
      expect(redact(text)).toBe(text);
    }
  });
});
