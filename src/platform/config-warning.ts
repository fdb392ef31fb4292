import { Ben10Error } from './errors.ts';

/** What to tell of a configuration that cannot be used, with its place; one line. */
export function configWarning(error: unknown, isLastSound: boolean): string {
  const holds = isLastSound ? 'the last sound one' : 'the default';
  return `the configuration is wrong, ${holds} holds: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  const { message } = error as Error;
  if (!(error instanceof Ben10Error) || error.place.file === undefined) return message;
  const { file, line } = error.place;
  return `${message} (${file}${line === undefined ? '' : `:${line}`})`;
}
