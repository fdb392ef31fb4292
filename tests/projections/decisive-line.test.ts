import { describe, expect, it } from 'vitest';
import { decisiveLine } from '../../src/projections/decisive-line.ts';

describe('the decisive line of a command', () => {
  it('is why it failed, not how it was started', () => {
    const output =
      'Exit code 1\nTAP version 13\n# Subtest: adds\nnot ok 1 - adds\n  ---\n  error: x';
    expect(decisiveLine(output, '', true)).toBe('not ok 1 - adds');
    expect(
      decisiveLine('Exit code 2\nsrc/a.ts(1,2): error TS2304: Cannot find name', '', true),
    ).toContain('TS2304');
    expect(decisiveLine('Exit code 127\nsh: frobnicate: not found', '', true)).toBe(
      'sh: frobnicate: not found',
    );
  });

  it('is the last word when nothing is telling', () => {
    expect(decisiveLine('Exit code 3\none\ntwo', '', true)).toBe('two');
    expect(decisiveLine('Exit code 3', '', true)).toBe('');
    expect(decisiveLine('', '', false)).toBe('');
  });

  it('is what passed, of a command that passed', () => {
    expect(decisiveLine('ok 1\n# tests 3\n# pass 3\n# fail 0\n# duration_ms 5', '', false)).toBe(
      '# pass 3',
    );
    expect(decisiveLine('a\nb', 'Tests  12 passed (12)\nDone in 3s', false)).toBe(
      'Tests  12 passed (12)',
    );
  });

  it('is the program’s last own word, not brackets, a tool’s marks or an interpreter’s warning behind it', () => {
    const warned = [
      'Composition complete: 3.8 seconds',
      '/lib/generic.py:260: FutureWarning: `_register` is deprecated.',
      '  torch.utils._pytree._register_pytree_node(',
    ].join('\n');
    expect(decisiveLine(warned, '', false)).toBe('Composition complete: 3.8 seconds');
    expect(decisiveLine('Model 3: 0.42\n... [102 lines truncated] ...', '', false)).toBe(
      'Model 3: 0.42',
    );
    expect(decisiveLine('{\n  "port": 8080\n}', '', false)).toBe('"port": 8080');
    expect(decisiveLine('完成\n=====', '', false)).toBe('完成');
    expect(decisiveLine('...\n}', '', false)).toBe('}');
  });
});
