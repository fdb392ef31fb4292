import { describe, expect, it } from 'vitest';
import { guarding } from '../../src/hook/guard.ts';
import { Ben10Error } from '../../src/platform/errors.ts';

/** What is said of an error. */
function complaintOf(failed: string, error: unknown): string {
  const { guard, complaint } = guarding();
  guard(failed, () => {
    throw error;
  });
  return complaint()!;
}

describe('what a hook says of what went wrong beside its event', () => {
  const at = (next: string) => new Ben10Error('JOURNAL_UNSAFE', 'it is a link', { next });

  it('ends with what the error says to do, or with the doctor', () => {
    expect(complaintOf('no snapshot', at('Remove it.'))).toBe(
      'ben10: no snapshot: JOURNAL_UNSAFE: it is a link. Remove it.',
    );
    expect(complaintOf('no snapshot', new Error('a parse error: here'))).toBe(
      'ben10: no snapshot: error: a parse error: here. Run: ben10 doctor',
    );
  });

  it('has the code of the system once', () => {
    const error = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
    expect(complaintOf('x', error)).toBe('ben10: x: EIO: i/o error, read. Run: ben10 doctor');
  });

  it('is one line of at most 400 characters, and never half a command', () => {
    const long = '/a\nb'.repeat(1000);
    for (const error of [at(`chmod 700 ${long}`), new Error(long), at('Remove it.\nNow.')]) {
      const line = complaintOf('x', error);
      expect(line.length).toBeLessThanOrEqual(400);
      expect(line).toMatch(/(?:Run: ben10 doctor|Remove it\.\S* ?Now\.)$/);
      expect(line).not.toContain('\n');
    }
  });
});
