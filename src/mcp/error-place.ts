import { errno } from '../platform/errors.ts';

/** Kind and place of an error, for the log; not its message, which may quote a secret. */
export function errorPlace(error: unknown): string {
  const { name = 'error', stack = '' } = (error ?? {}) as Error;
  const frame = stack.split('\n').find((line) => /^\s+at /.test(line));
  return `${errno(error) ?? name}${frame?.replace(/^\s+/, ' ') ?? ''}`.slice(0, 300);
}
