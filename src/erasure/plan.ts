import { type Derived, derivedFiles } from '../journal/erase-derived.ts';
import { byOrigin, segmentsWith } from '../journal/erase-finish.ts';
import { listInbox } from '../journal/inbox.ts';
import { segmentName } from '../journal/layout.ts';
import { homeOf } from '../journal/origins.ts';
import type { Project } from '../project/open.ts';
import type { Finder } from './finder.ts';
import type { Found } from './found.ts';
import { isInGit } from './git.ts';
import { isHeld } from './left.ts';
import { isLike, type Request } from './request.ts';
import type { Unrecorded } from './unrecorded.ts';

/** What an erasure would do, or has to leave to people. Nothing in it is content. */
export interface ErasurePlan extends Omit<Found, 'blobs'> {
  /** How many blobs go that no event names. */
  orphanedBlobs: number;
  derived: Derived;
  /** Names of the segments that are rewritten. */
  segments: string[];
  /** Which of the derived files hold it, as far as their bytes tell: these go also where no event does. */
  holding: string[];
  /** Files of events that wait for a seq: they are taken in first, and searched then. */
  waiting: number;
  /** What the client's transcripts tell besides: it is recorded first, and searched then. */
  unrecorded: Unrecorded;
  /** True when git has files of `.ben10`. */
  inGit: boolean;
}

export function planOf(
  project: Project,
  request: Request,
  finder: Finder | undefined,
  { blobs, ...found }: Found,
  unrecorded: Unrecorded,
): ErasurePlan {
  const { ports, layout } = project;
  const own = homeOf(ports, layout)?.origin;
  const seqs = seqsOf(found.events.filter((one) => one.origin === own));
  const derived = derivedFiles(ports, layout, seqs.length === 0 ? 1 : Math.min(...seqs));
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
    holding: request.by === 'pattern' ? holding(project, request, finder!) : [],
    segments: [...byOrigin(found.events)].flatMap(([origin, events]) =>
      segmentsWith(ports, layout, origin, seqsOf(events)).map(segmentName),
    ),
    waiting: listInbox(ports, layout).length,
    inGit: isInGit(project),
  };
}

function holding(project: Project, request: Request, finder: Finder): string[] {
  const { states, quarantine, leftovers } = derivedFiles(project.ports, project.layout, 1);
  // States are made of events: whatever texts they have was met with the pattern there.
  const isIn = (bytes: Buffer) => isLike(request, finder, bytes);
  return [
    ...states.filter((path) => isHeld(project, path, finder.isIn)),
    ...[...quarantine, ...leftovers].filter((path) => isHeld(project, path, isIn)),
  ];
}

const seqsOf = (events: readonly { seq: number }[]): number[] => events.map(({ seq }) => seq);
