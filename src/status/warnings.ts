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

/** Ranges that are named; `ben10 verify` lists all. */
const RANGES_NAMED = 3;
/** Events that wait longer than this wait for somebody who does not come. */
export const WAITING_MS_MAX = 60_000;

/**
 * What a person should know about a journal that can be read, one sentence each, with what to do.
 * @throws Ben10Error JOURNAL_UNSAFE, JOURNAL_FOREIGN
 */
export function warningsOf(project: Project, segments: readonly SegmentFile[]): string[] {
  const { ports, layout, dir, root } = project;
  const warnings: string[] = [];
  const waiting = listInbox(ports, layout);
  const oldest = waiting[0] === undefined ? Number.POSITIVE_INFINITY : writtenAt(waiting[0]);
  if (ports.clock.now() - oldest > WAITING_MS_MAX) {
    warnings.push(
      `${count(waiting.length, 'append')} waiting in the inbox for a writer: run ben10 doctor`,
    );
  }
  if (ports.lock === undefined) {
    warnings.push('this system has no kernel lock for ben10: what is recorded waits in the inbox');
  }
  for (const path of blockedLocks(ports, layout))
    warnings.push(`${path} is no file, so no process can take its turn: run ben10 doctor`);
  const cut = readdirIfThere(ports.fs, layout.quarantine).length;
  if (cut > 0) {
    warnings.push(
      `${count(cut, 'file')} kept in journal/quarantine, not read any more: run ben10 doctor`,
    );
  }
  for (const place of earlierPlaces(dir, root.slice(dir.length + 1))) {
    warnings.push(
      `an earlier journal is in ${dir}/${place}, and is not read: context.storageLocation is ${root}`,
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
    warnings.push('the manifest of the journal is lost; the next write makes a new one');
  }
  if (manifest !== undefined && isMisplaced(ports, layout, manifest)) {
    warnings.push(
      "the manifest is another journal's, or from before this one was copied, so that nothing of this one is read; no event is lost: run ben10 repair",
    );
  } else if (otherOrigins(ports, layout).length > 0) {
    warnings.push(
      'events of another copy of this journal, of another journal, or from before it began again, are beside it and not read: run ben10 doctor',
    );
  }
  return warnings;
}

/** As disks and file managers count. */
const MB = 1_000_000;

/** What folders take by their names, bytes; `all` is more than these together. */
export type Taken = Record<string, number> & { all: number };

/** @param bytesOf what a path takes */
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
    // Long contents, which nothing makes smaller as long as an event refers to them.
    blobs: bytesOf(blobs),
    ...Object.fromEntries(named),
  };
}

/** A limit that is reached is said, and never a reason to drop an event. */
export function sizeWarnings(taken: Taken, maxMb: number, isCompacted = false): string[] {
  const { all, ...known } = taken;
  if (all <= maxMb * MB) return [];
  const rest = all - Object.values(known).reduce((sum, one) => sum + one, 0);
  const parts = Object.entries({ ...known, 'the rest': rest })
    .filter(([, size]) => size > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, size]) => `${name} ${sized(size)}`);
  const first = isCompacted
    ? 'what is left to do:'
    : 'run ben10 compact; where that is not enough,';
  const takes = `what ben10 keeps takes ${sized(all)}, more than context.maxStorageMb (${maxMb})`;
  return [
    `${takes}: ${parts.join(', ')}; ${first} delete snapshots (ben10 snapshot delete), have old events dropped with what only they refer to (retention.events), or set a higher limit`,
  ];
}

/** What ought to be in the journal and is not, or cannot be read. */
export function missingWarnings(missing: readonly MissingEvents[]): string[] {
  if (missing.length === 0) return [];
  const byPlace = [...missing].sort((a, b) => a.firstSeq - b.firstSeq);
  const ranges = byPlace.slice(0, RANGES_NAMED).map(rangeOf).join(', ');
  const more = missing.length > RANGES_NAMED ? ' and more' : '';
  return [`events are missing or cannot be read: ${ranges}${more}: run ben10 verify`];
}

/** Files in segments' places, without which no event is missing. */
export const strangerWarnings = (names: readonly string[]): string[] =>
  names.map((name) => `${name} is not the segment that it is called: run ben10 repair`);

/** States that stood for dropped events are lost: what a person is asked for by then is not there. */
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

/** The name of an inbox file starts with the milliseconds at which it was written, in 12 hex digits. */
const writtenAt = (name: string): number => Number.parseInt(name.slice(0, 12), 16);
