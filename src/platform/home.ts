import { homedir } from 'node:os';

/** `os.homedir`, which throws where no HOME is set for a user without a name, as in a container: there `/`, as container programs set it. */
export function homeOrTop(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}
