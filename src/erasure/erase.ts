import type { RedactionOptions } from '../capture/redaction/index.ts';
import { putBlob } from '../journal/blobs.ts';
import type { Codecs } from '../journal/compact-segment.ts';
import { type Erased, eraseEvents } from '../journal/erase.ts';
import { type Derived, derivedFiles } from '../journal/erase-derived.ts';
import { byOrigin, segmentsWith } from '../journal/erase-finish.ts';
import { listInbox } from '../journal/inbox.ts';
import { segmentName } from '../journal/layout.ts';
import { ensureManifest } from '../journal/manifest.ts';
import { homeOf } from '../journal/origins.ts';
import type { Project } from '../project/open.ts';
import { withDigests } from './digests.ts';
import type { Finder } from './finder.ts';
import type { Found } from './found.ts';
import { isInGit } from './git.ts';
import { findInFiles, findLeft, isHeld, type Left } from './left.ts';
import { finderOf, isInBytes, type Wanted } from './pattern.ts';
import { type Blobs, blobReader } from './redact-event.ts';
import { ruleFinder } from './rule-finder.ts';
import { searchSeqs } from './search-seqs.ts';
import { searchText, textsOf } from './search-text.ts';

/** What somebody wants to be gone. */
export type Request =
  | { by: 'event'; seqs: readonly number[] }
  | { by: 'pattern'; wanted: Wanted }
  | { by: 'rule'; rule: string; redaction: RedactionOptions };

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
  /** True when git has files of `.ben10`. */
  inGit: boolean;
}

/** Looks what an erasure would do, and changes nothing. @throws as the searches */
export function planErasure(project: Project, request: Request): ErasurePlan {
  const finder = finderFor(project, request);
  return planOf(project, request, finder, find(project, request, finder, PLANNING));
}

function planOf(
  project: Project,
  request: Request,
  finder: Finder | undefined,
  { blobs, ...found }: Found,
): ErasurePlan {
  const { ports, layout } = project;
  const own = homeOf(ports, layout)?.origin;
  const seqs = seqsOf(found.events.filter((one) => one.origin === own));
  const derived = derivedFiles(ports, layout, seqs.length === 0 ? 1 : Math.min(...seqs));
  return {
    ...found,
    transcripts: found.transcripts.map((path) => finder?.withoutIt(path) ?? path),
    orphanedBlobs: blobs.length,
    derived,
    holding: request.by === 'pattern' ? holding(project, finder!, request.wanted) : [],
    segments: [...byOrigin(found.events)].flatMap(([origin, events]) =>
      segmentsWith(ports, layout, origin, seqsOf(events)).map(segmentName),
    ),
    waiting: listInbox(ports, layout).length,
    inGit: isInGit(project),
  };
}

function holding(project: Project, finder: Finder, wanted: Wanted): string[] {
  const { states, quarantine, leftovers } = derivedFiles(project.ports, project.layout, 1);
  // States are made of events: whatever texts they have was met with the pattern there.
  const isLike = (bytes: Buffer) => finder.isIn(bytes) || isInBytes(wanted, bytes);
  return [
    ...states.filter((path) => isHeld(project, path, finder.isIn)),
    ...[...quarantine, ...leftovers].filter((path) => isHeld(project, path, isLike)),
  ];
}

const seqsOf = (events: readonly { seq: number }[]): number[] => events.map(({ seq }) => seq);

export interface ErasureDone extends Erased {
  plan: ErasurePlan;
  /** Where it still stands, though it should not or ben10 must not change it. */
  left: Left[];
}

/**
 * Erases for good, and looks afterwards whether anything is left.
 * @throws as `eraseEvents`
 */
export function erase(project: Project, request: Request, codecs: Codecs): ErasureDone {
  const { ports, root } = project;
  let finder: Finder | undefined;
  let plan: ErasurePlan | undefined;
  const erased = eraseEvents(ports, root, codecs, () => {
    // With the locks held: what came in since somebody looked is found as well.
    finder = finderFor(project, request);
    const found = find(project, request, finder, blobWriter(project));
    plan = planOf(project, request, finder, found);
    const { events, blobs } = found;
    const rule = request.by === 'rule' ? { rule: request.rule.toUpperCase() } : {};
    return { by: request.by, ...rule, events, blobs, files: plan.holding };
  });
  return {
    ...erased,
    plan: plan!,
    left: finder === undefined ? [] : leftOf(project, request, finder),
  };
}

/** What a rule finds in bytes that are no text is nothing: files are only searched for a pattern. */
function leftOf(project: Project, { by }: Request, finder: Finder): Left[] {
  const left = findLeft(project, finder);
  return by === 'rule' ? left : [...left, ...findInFiles(project, finder)];
}

function finderFor(project: Project, request: Request): Finder | undefined {
  if (request.by === 'event') return undefined;
  if (request.by === 'rule') return ruleFinder(request.rule, request.redaction);
  return finderOf(request.wanted, () => textsOf(project));
}

function find(
  project: Project,
  request: Request,
  finder: Finder | undefined,
  write: Blobs['write'],
): Found {
  const found =
    request.by === 'event'
      ? searchSeqs(project, request.seqs)
      : searchText(project, finder!, { read: blobReader(project), write });
  return { ...found, events: withDigests(project, found.events) };
}

const PLANNING = (): string => '';

function blobWriter({ ports, layout }: Project): Blobs['write'] {
  const { blobKey } = ensureManifest(ports, layout);
  return (text) => putBlob(ports, layout, blobKey, Buffer.from(text));
}
