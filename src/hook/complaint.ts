import { oneLine } from '../projections/safe-text.ts';

const LINE_CHARS_MAX = 400;

/**
 * One line that says what went wrong beside the recording itself.
 * @param what came of it, as it stands behind `ben10: `
 * @throws STATES_BEHIND, for the hook to say: it goes on the next time
 */
export function complaintOf(what: string, error: unknown): string {
  const { code = 'error', message, next } = error as { [key: string]: string | undefined };
  if (code === 'STATES_BEHIND') throw error;
  // The system's messages begin with its code.
  const said = String(message).split('\n')[0]!.replace(`${code}: `, '');
  const todo = next ?? 'Run: ben10 doctor';
  const room = LINE_CHARS_MAX - todo.length;
  return `${`ben10: ${what}: ${oneLine(`${code}: ${said}`)}`.slice(0, room)}. ${oneLine(todo)}`;
}
