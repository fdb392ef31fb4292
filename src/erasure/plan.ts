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

/** An event that has to go, as a plan tells of it: never anything of its content. */
export interface FoundEvent extends ChosenEvent {
  /** The type's name; null where the event's own words cannot be read. */
  type: string | null;
  /** The source's own time, milliseconds since the epoch. */
  at: number | null;
  /** Only a digest of something that is erased goes from it. */
  isDigest?: true;
  /** A state, from which only goes what was said in an erased event's words. */
  isWording?: true;
}

/** What was found in a journal. */
export interface Found {
  events: FoundEvent[];
  /** How many events were looked at. */
  searched: number;
  /** Names of blobs that hold it though no event names them. */
  blobs: string[];
  /** Names of segments that are damaged: what cannot be read in them was not searched. */
  unsearched: string[];
  /** Transcripts of the client's that tell the found events' sessions. */
  transcripts: string[];
}

/** What an erasure would do, or has to leave to people. Nothing in it is content. */
export interface ErasurePlan extends Omit<Found, 'blobs'> {
  /** How many blobs go that no event names. */
  orphanedBlobs: number;
  /** What of the derived files goes. */
  derived: Derived;
  /** Names of the saves and snapshots among them that nobody can make again: the journal no longer reaches back to them. */
  lost: string[];
  /** Names of the segments that are rewritten. */
  segments: string[];
  /** Which of the derived files hold it, as far as their bytes tell: these go also where no event does. */
  holding: string[];
  /** Names of damaged segments that hold it in bytes which cannot be read as events: only a repair takes these out. */
  damaged: string[];
  /** Files of events that wait for a seq: they are taken in first, and searched then. */
  waiting: number;
  /** What the client's transcripts tell besides: it is recorded first, and searched then. */
  unrecorded: Unrecorded;
  /** Where else it stands, in settings and journals of earlier places: people have to take it out there. */
  elsewhere: Left[];
  /** Which files cannot be searched, of those that stay: what is in them is not known. */
  unread: string[];
  /** True when git has files of `.ben10`. */
  inGit: boolean;
}

export function planOf(
  project: Project,
  finder: Finder | undefined,
  { blobs, ...found }: Found,
  unrecorded: Unrecorded,
  searched: Searched,
): ErasurePlan {
  const { ports, layout } = project;
  const held = finder === undefined ? [] : holding(project, finder, searched);
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
  // States are made of events: whatever texts they have was met with the pattern there.
  const holds = (path: string, isInIt: Finder['isIn']) => {
    const name = nameOfFile(project, path);
    if (searched.isClean(name)) return false;
    const isThere = isHeld(project, path, isInIt);
    if (!isThere) searched.noteClean(name);
    return isThere;
  };
  return [
    ...states.filter((path) => holds(path, finder.isIn)),
    ...[...quarantine, ...leftovers].filter((path) => holds(path, finder.isLike)),
  ];
}

/** Without an event only what holds it goes; with one also what was made of it. */
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
