import { HintFile, type SyncHint } from '../src/journal/format/hint.ts';
import type { JournalPorts } from '../src/journal/format/ports.ts';

/** Leaves a hint as a writer does. */
export function writeHint(ports: JournalPorts, path: string, hint: SyncHint): void {
  const file = new HintFile(ports, path);
  file.write(hint);
  file.close();
}
