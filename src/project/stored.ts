import type { StoredFiles } from '../journal/format/ports.ts';
import { checkpointFiles } from '../projections/retention.ts';
import { currentFiles, saveFiles, snapshotFiles } from '../timetravel/places.ts';

/**
 * Files beside the journal, which an erasure removes, status counts and retention may make smaller. Apart from the other lists, because
 * opening a project needs it and features need the project.
 */
export const STORED: readonly StoredFiles[] = [
  checkpointFiles,
  saveFiles,
  snapshotFiles,
  currentFiles,
  // As `search/places.ts` and `packs/kept/payload-file.ts` have it, which hooks do not load.
  { ...checkpointFiles, place: 'search', name: 'search' },
  // `monitor/view.ts` says what.
  { ...checkpointFiles, place: 'monitor' },
  // What the client of a loop is told and prints, while it runs: `loop/child.ts`.
  { ...checkpointFiles, place: 'loops' },
  { place: 'pack-payloads', kind: 'kept', name: 'pack payloads' },
];
