import type { PackSnapshotted } from '../events/types.ts';
import { keptFiles } from '../journal/erase/derived.ts';
import { CONTAINER_FILE_BYTES_MAX, decodeContainer } from '../journal/format/container.ts';
import { type KeptPayload, payloadIn } from '../packs/kept/payload-file.ts';
import { unlessRefused } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import { innerOf } from './based.ts';
import type { Finder } from './finder.ts';
import type { FoundEvent } from './plan.ts';
import { ownEvents } from './search.ts';
import type { Said } from './search-text.ts';
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
 * files go that have something from the journal and were kept behind one. What cannot be read goes if anything does.
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
  const isBehind = (path: string) =>
    kept.some(({ file, seq }) => seq > first && path === `${project.root}/${file}`);
  const held = paths.filter((path) =>
    finder === undefined
      ? isBehind(path) && isOfJournal(read(project, path))
      : searched.holds(nameOfFile(project, path), () => holds(read(project, path), finder)),
  );
  const isAny = held.length > 0 || events.length > 0;
  const files = paths.filter(
    (path) => held.includes(path) || (isAny && read(project, path) === undefined),
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

const holds = (found: KeptPayload | undefined, { withoutIt }: Finder): boolean =>
  found !== undefined && textsOf(found).some((text) => withoutIt(text) !== text);

function textsOf({ manifest, payload }: KeptPayload): string[] {
  const said = manifest.flatMap(({ source, label, path = '' }) => [source, label, path]);
  return [payload.toString('utf8'), ...new Set(said)];
}

/** To match a pattern or rule with. */
export function* saidInPayloads(project: Project, searched: Searched): Generator<Said> {
  for (const path of keptFiles(project.ports, project.layout)) {
    const name = nameOfFile(project, path);
    if (name === undefined || !searched.isNew(name)) continue;
    const found = read(project, path);
    if (found !== undefined) yield { texts: textsOf(found), data: null };
  }
}

function read({ ports, decoders }: Project, path: string): KeptPayload | undefined {
  const bytes = unlessRefused(() => readFile(ports.fs, path, CONTAINER_FILE_BYTES_MAX), undefined);
  const plain = bytes && decodeContainer(bytes, decoders, ports.xxh64);
  return plain && payloadIn(plain);
}
