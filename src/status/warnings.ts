import { listInbox } from '../journal/append/inbox.ts';
import { blockedLocks } from '../journal/append/locking.ts';
import { isMisplaced } from '../journal/append/misplaced-manifest.ts';
import type { SegmentFile } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import { otherOrigins } from '../journal/read/origins.ts';
import type { MissingEvents } from '../journal/read/segment-summary.ts';
import { bytes as sized } from '../platform/bytes-text.ts';
import { earlierPlaces } from '../platform/earlier-places.ts';
import { readdirIfThere } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import { type LostStates, statesLost } from '../projections/dropped.ts';
import { serversBeforeErasure } from './servers.ts';

const RANGES_NAMED = 3;
/** Events that wait longer are reported. */
export const WAITING_MS_MAX = 60_000;

/** One sentence each, with what to do. @throws Ben10Error JOURNAL_UNSAFE, JOURNAL_FOREIGN */
export function warningsOf(project: Project, segments: readonly SegmentFile[]): string[] {
  const { ports, layout, dir, root } = project;
  const warnings: string[] = [];
  const waiting = listInbox(ports, layout);
  const oldest = waiting[0] === undefined ? Number.POSITIVE_INFINITY : writtenAt(waiting[0]);
  if (ports.clock.now() - oldest > WAITING_MS_MAX) {
    warnings.push(`${count(waiting.length, 'append')} waiting in the inbox: run ben10 doctor`);
  }
  if (ports.lock === undefined) {
    warnings.push('ben10 has no file lock for this system: events wait in the inbox');
  }
  for (const path of blockedLocks(ports, layout))
    warnings.push(`${path} is not a file, so nobody can lock it: run ben10 doctor`);
  const cut = readdirIfThere(ports.fs, layout.quarantine).length;
  if (cut > 0) {
    warnings.push(`${count(cut, 'file')} in journal/quarantine: run ben10 doctor`);
  }
  for (const place of earlierPlaces(dir, root.slice(dir.length + 1))) {
    warnings.push(
      `an earlier journal in ${dir}/${place} is not read: context.storageLocation is ${root}`,
    );
  }
  const servers = serversBeforeErasure(project);
  if (servers.length > 0) {
    warnings.push(
      `running clients may still hold erased text in memory: restart the client that started ben10 as process ${servers.join(', ')}`,
    );
  }
  const manifest = readManifest(ports, layout);
  if (segments.length > 0 && manifest === undefined) {
    warnings.push('the manifest of the journal is lost; the next write rebuilds it');
  }
  if (manifest !== undefined && isMisplaced(ports, layout, manifest)) {
    warnings.push(
      'the manifest belongs to another journal, or is from before this one was copied, so nothing can be read; no event is lost: run ben10 repair',
    );
  } else if (otherOrigins(ports, layout).length > 0) {
    warnings.push(
      'events of another copy of this journal, of another journal, or from before it started over are not read: run ben10 doctor',
    );
  }
  return warnings;
}

const MB = 1_000_000;

/** Sizes of folders by name; `all` is more than their sum. */
export type Taken = Record<string, number> & { all: number };

export function takenIn(
  { ports, root, layout }: Project,
  bytesOf: (path: string) => number,
): Taken {
  const named = ports.stored.flatMap(({ name, place }) =>
    name === undefined ? [] : [[name, bytesOf(`${root}/${place}`)] as const],
  );
  const { journal, blobs } = layout;
  return {
    all: bytesOf(root),
    journal: bytesOf(journal),
    blobs: bytesOf(blobs),
    ...Object.fromEntries(named),
  };
}

/** The limit never drops events. */
export function sizeWarnings(taken: Taken, maxMb: number, isCompacted = false): string[] {
  const { all, ...known } = taken;
  if (all <= maxMb * MB) return [];
  const rest = all - Object.values(known).reduce((sum, one) => sum + one, 0);
  const parts = Object.entries({ ...known, 'the rest': rest })
    .filter(([, size]) => size > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, size]) => `${name} ${sized(size)}`);
  const first = isCompacted ? 'you can' : 'run ben10 compact; if that is not enough,';
  const takes = `ben10 uses ${sized(all)}, more than context.maxStorageMb (${maxMb})`;
  return [
    `${takes}: ${parts.join(', ')}; ${first} delete snapshots (ben10 snapshot delete), drop old events (retention.events), or raise the limit`,
  ];
}

export function missingWarnings(missing: readonly MissingEvents[]): string[] {
  if (missing.length === 0) return [];
  const byPlace = [...missing].sort((a, b) => a.firstSeq - b.firstSeq);
  const ranges = byPlace.slice(0, RANGES_NAMED).map(rangeOf).join(', ');
  const more = missing.length > RANGES_NAMED ? ' and more' : '';
  return [`events are missing or cannot be read: ${ranges}${more}: run ben10 verify`];
}

/** Files that are not the segments that their names say. */
export const strangerWarnings = (names: readonly string[]): string[] =>
  names.map((name) => `${name} is not the segment that its name says: run ben10 repair`);

export function lostWarnings(lost: LostStates | undefined): string[] {
  if (lost === undefined) return [];
  const { code, message } = statesLost(lost);
  return [`${message} (${code}): run ben10 explain ${code}`];
}

const rangeOf = ({ firstSeq, lastSeq }: MissingEvents): string => {
  if (lastSeq === null) return `from @${firstSeq} on`;
  return firstSeq === lastSeq ? `@${firstSeq}` : `@${firstSeq} to @${lastSeq}`;
};

const count = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;

/** The name of an inbox file starts with its time in 12 hex digits. */
const writtenAt = (name: string): number => Number.parseInt(name.slice(0, 12), 16);
