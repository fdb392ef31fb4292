import { oneLine } from '../projections/safe-text.ts';

const LINE_CHARS_MAX = 400;

/**
 * One line that says what went wrong beside the recording itself.
 * @param what came of it, as it stands behind `ben10: `
 * @throws STATES_BEHIND, for the hook to say: it goes on the next time
 */
export function complaintOf(what: string, error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'STATES_BEHIND') throw error;
  const why = oneLine(`${code ?? 'error'}: ${String(message).split('\n')[0]}`);
  return `ben10: ${what}: ${why}`.slice(0, LINE_CHARS_MAX);
}
