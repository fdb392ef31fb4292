import { listInbox } from '../journal/append/inbox.ts';
import { type Derived, derivedFiles, firstHeld } from '../journal/erase/derived.ts';
import type { ChosenEvent } from '../journal/erase/erase.ts';
import { byOrigin, targetsOf } from '../journal/erase/targets.ts';
import { listOrigin, listOrigins, segmentName } from '../journal/format/layout.ts';
import { homeOf } from '../journal/read/origins.ts';
import type { Project } from '../project/open.ts';
import { storedStates } from '../timetravel/stored-points.ts';
import { canRebuild } from '../timetravel/stored-state.ts';
import { findElsewhere, isInGit } from './elsewhere.ts';
import type { Finder } from './finder.ts';
import { besideOwnNames, findUnread, isHeld, type Left } from './left.ts';
import { nameOfFile, type Searched } from './searched.ts';
import type { Unrecorded } from './unrecorded.ts';

/** An event to erase, as a plan names it: never its content. */
export interface FoundEvent extends ChosenEvent {
  /** Null if the event cannot be read. */
  type: string | null;
  /** By the source's clock, milliseconds since the epoch. */
  at: number | null;
  /** It only loses a digest of something that is erased. */
  isDigest?: true;
  /** A state, which only loses the words of an erased event. */
  isWording?: true;
  /** A handoff that quotes an erased event. */
  isQuote?: true;
}

/** What was found in a journal. */
export interface Found {
  events: FoundEvent[];
  /** How many events were searched. */
  searched: number;
  /** Blobs that hold it and that no event names. */
  blobs: string[];
  /** Damaged segments: what is unreadable in them was not searched. */
  unsearched: string[];
  /** The client's transcripts of the found events' sessions. */
  transcripts: string[];
}

/** What an erasure would do, and what it leaves to people. Without any content. */
export interface ErasurePlan extends Omit<Found, 'blobs'> {
  /** How many blobs go that no event names. */
  orphanedBlobs: number;
  /** Derived files that go. */
  derived: Derived;
  /** Saves and snapshots among them that cannot be rebuilt: the journal no longer reaches back to them. */
  lost: string[];
  /** Segments that are rewritten. */
  segments: string[];
  /** Derived files and payloads of packs whose bytes hold it: they go even if no event does. */
  holding: string[];
  /** Snapshots of packs whose payload goes. */
  packSnapshots: string[];
  /** Damaged segments that hold it in unreadable bytes: only a repair removes these. */
  damaged: string[];
  /** Files in the inbox: they are taken in first, then searched. */
  waiting: number;
  /** What only transcripts have: it is recorded first, then searched. */
  unrecorded: Unrecorded;
  /** Settings and former journals that hold it: people have to remove it there. */
  elsewhere: Left[];
  /** Files that stay and cannot be searched. */
  unread: string[];
  /** True when git has files of `.ben10`. */
  inGit: boolean;
}

export function planOf(
  project: Project,
  finder: Finder | undefined,
  { blobs, ...found }: Found,
  { files, snapshots }: Record<'files' | 'snapshots', readonly string[]>,
  unrecorded: Unrecorded,
  searched: Searched,
): ErasurePlan {
  const { ports, layout } = project;
  const held = [...(finder === undefined ? [] : holding(project, finder, searched)), ...files];
  const derived = derivedThatGo(project, found.events, held);
  const shown = (paths: readonly string[]) => paths.map((path) => finder?.withoutIt(path) ?? path);
  return {
    ...found,
    transcripts: shown(found.transcripts),
    unrecorded: {
      ...unrecorded,
      transcripts: shown(unrecorded.transcripts),
      unreadable: shown(unrecorded.unreadable),
      unfinished: shown(unrecorded.unfinished),
    },
    orphanedBlobs: blobs.length,
    derived,
    lost: shown(lostWith(project, derived)),
    holding: held,
    packSnapshots: shown(snapshots),
    damaged: finder === undefined ? [] : damaged(project, finder, found.unsearched),
    segments: [...byOrigin(found.events)].flatMap(([origin, events]) =>
      targetsOf({ targets: seqsOf(events) })
        .in(listOrigin(ports.fs, layout, origin))
        .map(segmentName),
    ),
    waiting: listInbox(ports, layout).length,
    elsewhere: finder === undefined ? [] : findElsewhere(project, finder),
    unread: finder === undefined ? [] : unread(project, derived),
    inGit: isInGit(project),
  };
}

function holding(project: Project, finder: Finder, searched: Searched): string[] {
  const { states, quarantine, leftovers } = derivedFiles(project.ports, project.layout, 1);
  // States are made of events, whose texts were matched with the pattern already.
  const holds = (path: string, isIn: Finder['isIn']) =>
    searched.holds(nameOfFile(project, path), () => isHeld(project, path, isIn));
  return [
    ...states.filter((path) => holds(path, finder.isIn)),
    ...[...quarantine, ...leftovers].filter((path) => holds(path, finder.isLike)),
  ];
}

/** Files that hold it go in any case; if an event goes, so do files made of it. */
function derivedThatGo(
  { ports, layout, reader }: Project,
  events: Found['events'],
  held: readonly string[],
): Derived {
  const own = homeOf(ports, layout)?.origin;
  const isOwn = events.every(({ origin }) => origin === own);
  const from =
    isOwn && events.length > 0 ? firstHeld(ports, reader, Math.min(...seqsOf(events))) : 1;
  const made = events.length === 0 ? [] : Object.values(derivedFiles(ports, layout, from)).flat();
  const going = new Set([...held, ...made]);
  const { states, quarantine, leftovers } = derivedFiles(ports, layout, 1);
  const goingOf = (paths: readonly string[]) => paths.filter((path) => going.has(path));
  return {
    states: goingOf(states),
    quarantine: goingOf(quarantine),
    leftovers: goingOf(leftovers),
  };
}

function lostWith(project: Project, { states }: Derived): string[] {
  const going = new Set(states);
  return storedStates(project)
    .filter((ref) => going.has(`${project.root}/${ref.file}`) && !canRebuild(project, ref))
    .map(({ name, upto }) => `${name} (@${upto})`);
}

function unread(project: Project, going: Derived): string[] {
  const gone = new Set(Object.values(going).flat());
  return findUnread(project).filter((file) => !gone.has(`${project.root}/${file}`));
}

function damaged(project: Project, finder: Finder, unsearched: readonly string[]): string[] {
  const { ports, layout } = project;
  const isIn = besideOwnNames(finder.isLike);
  return listOrigins(ports.fs, layout)
    .flatMap((origin) => listOrigin(ports.fs, layout, origin))
    .filter((file) => unsearched.includes(segmentName(file)) && isHeld(project, file.path, isIn))
    .map(segmentName);
}

const seqsOf = (events: readonly { seq: number }[]): number[] => events.map(({ seq }) => seq);
