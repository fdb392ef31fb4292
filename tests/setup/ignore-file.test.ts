import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutIgnoreLine } from '../../src/setup/ignore-file.ts';

const OURS = ['# ben10: what an agent did here stays on this machine', '.ben10/'];

describe('.gitignore, to which earlier versions added a line', () => {
  it('goes if that line was all it had', () => {
    expect(withoutIgnoreLine(`${OURS.join('\n')}\n`)).toBeUndefined();
  });

  it('is the same bytes again without it', () => {
    const line = fc.constantFrom('', 'dist', '# x', '.ben10', '!.ben10', '# ben10: what', '*.log ');
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, eol) => {
        const text = [...lines, ''].join(eol);
        if (text === '') return;
        expect(withoutIgnoreLine(`${text}${OURS.join(eol)}${eol}`)).toBe(text);
        expect(withoutIgnoreLine(text)).toBe(text);
      }),
    );
  });
});
