import { readFileSync } from 'node:fs';
import path from 'node:path';

export { scratch } from '../support.ts';

/** What a real program printed; `tests/fixtures/workspace/README.md` says which, and how. */
export const fixture = (name: string): string =>
  readFileSync(path.join(import.meta.dirname, '../fixtures/workspace', name), 'utf8');
