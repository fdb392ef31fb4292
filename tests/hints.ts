import { HintFile, type SyncHint } from '../src/journal/hint.ts';
import type { JournalPorts } from '../src/journal/ports.ts';

/** Leaves a hint as a writer does. */
export function writeHint(ports: JournalPorts, path: string, hint: SyncHint): void {
  const file = new HintFile(ports, path);
  file.write(hint);
  file.close();
}
