import { homedir } from 'node:os';

/** `os.homedir`, or `/` where it throws: in a container without HOME and without a name for the user. */
export function homeOrTop(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}
