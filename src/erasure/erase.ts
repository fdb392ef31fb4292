import { putBlob } from '../journal/append/blobs.ts';
import { type Erased, eraseEvents, withFittingReplacement } from '../journal/erase/erase.ts';
import type { ErasureCodecs } from '../journal/erase/segment.ts';
import { ensureManifest } from '../journal/format/manifest.ts';
import type { Project } from '../project/open.ts';
import { withDigests } from './digests.ts';
import type { Finder } from './finder.ts';
import { findLeft, findUnread, type Left } from './left.ts';
import { type ErasurePlan, type Found, planOf } from './plan.ts';
import { type Blobs, blobReader } from './redact-event.ts';
import { finderFor, isInEvent, isLike, type Request } from './request.ts';
import { searchSeqs, sessionsOf } from './search-seqs.ts';
import { searchText } from './search-text.ts';
import { Searched } from './searched.ts';
import { withStates } from './state-words.ts';
import { findUnrecorded, recordUnrecorded, type Unrecorded } from './unrecorded.ts';

/** Looks what an erasure would do, and changes nothing. @throws as the searches */
export function planErasure(project: Project, request: Request): ErasurePlan {
  const searched = new Searched();
  const finder = finderFor(project, request, searched);
  const found = find(project, request, finder, PLANNING, searched);
  const unrecorded = unrecordedFor(project, request, finder);
  return planOf(project, request, finder, found, unrecorded, searched);
}

function unrecordedFor(project: Project, request: Request, finder: Finder | undefined): Unrecorded {
  return findUnrecorded(project, isReadFor(project, request), (bytes, isEvent) => {
    if (finder === undefined) return false;
    return isEvent ? isInEvent(request, finder, bytes) : isLike(request, finder, bytes);
  });
}

/**
 * Whose transcripts are read first. Also of events that are named by their seqs: what a hook told without a name of the client's is
 * known again in the transcript by its words alone, and these go with it.
 */
function isReadFor(project: Project, request: Request): (session: string) => boolean {
  if (request.by !== 'event') return () => true;
  const sessions = sessionsOf(project, request);
  return (session) => sessions.has(session);
}

export interface ErasureDone extends Erased {
  plan: ErasurePlan;
  /** Where it still stands, though it should not or ben10 must not change it. */
  left: Left[];
}

/**
 * Erases for good, and looks afterwards whether anything is left. What transcripts hold and nobody has recorded is
 * recorded first: else the next hook would bring it back.
 * @throws as `eraseEvents` and `recordUnrecorded`
 */
export function erase(project: Project, request: Request, codecs: ErasureCodecs): ErasureDone {
  const { ports, root, layout } = project;
  const unrecorded = recordUnrecorded(project, isReadFor(project, request));
  const searched = new Searched();
  let finder: Finder | undefined;
  let plan: ErasurePlan | undefined;
  searchAhead(project, request, unrecorded, searched);
  const erased = eraseEvents(ports, root, codecs, () => {
    // With the locks held: what came in since is found as well.
    finder = finderFor(project, request, searched);
    const { blobKey } = ensureManifest(ports, layout);
    const write = (text: string) => putBlob(ports, layout, blobKey, Buffer.from(text));
    const found = find(project, request, finder, write, searched);
    plan = planOf(project, request, finder, found, unrecorded, searched);
    const { events, blobs } = found;
    const rule = request.by === 'rule' ? { rule: request.rule.toUpperCase() } : {};
    return { by: request.by, ...rule, events, blobs, files: plan.holding };
  });
  return {
    ...erased,
    plan: plan!,
    left: finder === undefined ? [] : [...leftOf(project, finder), ...plan!.elsewhere],
  };
}

/** Hooks go on meanwhile: nothing is written, and the search with the locks held looks at what is new. */
function searchAhead(
  project: Project,
  request: Request,
  unrecorded: Unrecorded,
  searched: Searched,
): void {
  if (request.by === 'event') return;
  const finder = finderFor(project, request, searched);
  const blobs = { read: blobReader(project), write: PLANNING };
  const found = searchText(project, finder!, blobs, searched);
  planOf(project, request, finder, found, unrecorded, searched);
}

const leftOf = (project: Project, finder: Finder): Left[] => [
  ...findLeft(project, finder),
  ...findUnread(project).map((file): Left => ({ file, what: 'unread' })),
];

function find(
  project: Project,
  request: Request,
  finder: Finder | undefined,
  write: Blobs['write'],
  searched: Searched,
): Found {
  const blobs = { read: blobReader(project), write };
  const found =
    request.by === 'event'
      ? searchSeqs(project, request)
      : searchText(project, finder!, blobs, searched);
  const all = request.by === 'event' ? withStates(project, found.events, blobs) : found.events;
  const events = withDigests(project, all);
  return { ...found, events: events.map((event) => withFittingReplacement(project.ports, event)) };
}

const PLANNING = (): string => '';
