import type { PackSnapshotted } from '../events/types.ts';
import { keptFiles } from '../journal/erase/derived.ts';
import type { KeptPayload } from '../packs/kept/payload-file.ts';
import type { Project } from '../project/open.ts';
import { innerOf } from './based.ts';
import type { Finder } from './finder.ts';
import { readPayload, textsOf } from './payload-texts.ts';
import type { FoundEvent } from './plan.ts';
import { ownEvents } from './search.ts';
import { nameOfFile, type Searched } from './searched.ts';

/** What of kept payloads of packs an erasure takes. */
export interface Payloads {
  /** Absolute paths. */
  files: string[];
  /** Their snapshots, as people call them. */
  snapshots: string[];
  /** Whether a digest of this file may confirm a guess: it goes, or nobody can look any more. */
  isTelling(file: string): boolean;
}

/**
 * Files with it in their payload or in what describes that. Of events that are chosen by their seqs nobody knows what they say, so all
 * files go that were kept behind one and have something from the journal: files, too, as they were at a point behind it. What cannot be read goes if anything does.
 */
export function payloadsThatGo(
  project: Project,
  finder: Finder | undefined,
  events: readonly FoundEvent[],
  searched: Searched,
): Payloads {
  const paths = keptFiles(project.ports, project.layout);
  const kept = paths.length === 0 ? [] : snapshotsIn(project);
  const first = Math.min(...events.map(({ seq }) => seq));
  const mayHold = (path: string) => {
    const behind = kept.filter((one) => one.seq > first && path === `${project.root}/${one.file}`);
    const isThen = behind.some(({ at = 0 }) => at >= first);
    return isThen || (behind.length > 0 && isOfJournal(readPayload(project, path)));
  };
  const held = paths.filter((path) =>
    finder === undefined
      ? mayHold(path)
      : searched.holds(nameOfFile(project, path), () => holds(readPayload(project, path), finder)),
  );
  const isAny = held.length > 0 || events.length > 0;
  const files = paths.filter(
    (path) => held.includes(path) || (isAny && readPayload(project, path) === undefined),
  );
  const isGoing = (file: string) => files.includes(`${project.root}/${file}`);
  return {
    files,
    snapshots: kept
      .filter(({ file }) => isGoing(file))
      .map(({ label, snapshot }) => label ?? snapshot),
    isTelling: (file) => isGoing(file) || !paths.includes(`${project.root}/${file}`),
  };
}

function snapshotsIn(project: Project): (PackSnapshotted & { seq: number })[] {
  const found: (PackSnapshotted & { seq: number })[] = [];
  for (const { entry, event } of ownEvents(project)) {
    const inner = innerOf(event);
    if (inner.type === 'pack.snapshotted')
      found.push({ ...(inner.data as PackSnapshotted), seq: entry.seq });
  }
  return found;
}

const isOfJournal = (found: KeptPayload | undefined): boolean =>
  found?.manifest.some(({ kind }) => FROM_JOURNAL.has(kind)) === true;

const FROM_JOURNAL: ReadonlySet<string> = new Set(['text', 'cmd', 'journal']);

const holds = (found: KeptPayload | undefined, { isInPayload }: Finder): boolean =>
  found !== undefined && textsOf(found).some(isInPayload);
