import { putBlob } from '../journal/append/blobs.ts';
import { type Erased, eraseEvents, withFittingReplacement } from '../journal/erase/erase.ts';
import type { ErasureCodecs } from '../journal/erase/segment.ts';
import { ensureManifest } from '../journal/format/manifest.ts';
import { tell } from '../packs/kept/retention.ts';
import { snapshotsOf } from '../packs/kept/snapshots.ts';
import type { Project } from '../project/open.ts';
import { withDigests } from './digests.ts';
import type { Finder } from './finder.ts';
import { withHandoffs } from './handoff-words.ts';
import { findLeft, findUnread, type Left } from './left.ts';
import { payloadsThatGo } from './payloads.ts';
import { type ErasurePlan, type Found, planOf } from './plan.ts';
import { type Blobs, blobReader } from './redact-event.ts';
import { finderFor, type Request } from './request.ts';
import { searchSeqs } from './search-seqs.ts';
import { searchText } from './search-text.ts';
import { Searched } from './searched.ts';
import { withStates } from './state-words.ts';
import { findUnrecorded, recordUnrecorded, type Unrecorded } from './unrecorded.ts';

/** What an erasure would do, without changing anything. @throws as the searches */
export const planErasure = (project: Project, request: Request): ErasurePlan =>
  look(project, request, new Searched()).plan;

export interface ErasureDone extends Erased {
  plan: ErasurePlan;
  /** Where it remains, though it should not or ben10 must not change it. */
  left: Left[];
}

/**
 * Erases for good, then checks what is left. What only transcripts have is recorded first: otherwise the next hook
 * would bring it back.
 * @throws as `eraseEvents` and `recordUnrecorded`
 */
export function erase(project: Project, request: Request, codecs: ErasureCodecs): ErasureDone {
  const { ports, root, layout } = project;
  const unrecorded = recordUnrecorded(project);
  const searched = new Searched();
  // Once without the locks: with them, only what came in since is searched.
  if (request.by !== 'event') look(project, request, searched, unrecorded);
  let looked: Looked | undefined;
  const erased = eraseEvents(ports, root, codecs, () => {
    const { blobKey } = ensureManifest(ports, layout);
    const write = (text: string) => putBlob(ports, layout, blobKey, Buffer.from(text));
    looked = look(project, request, searched, unrecorded, write);
    const { events, blobs } = looked.found;
    const rule = request.by === 'rule' ? { rule: request.rule.toUpperCase() } : {};
    return { by: request.by, ...rule, events, blobs, files: looked.plan.holding };
  });
  const { finder, plan } = looked!;
  tellRemoved(project, plan.holding);
  return { ...erased, plan, left: finder ? [...leftOf(project, finder), ...plan.elsewhere] : [] };
}

function tellRemoved(project: Project, files: readonly string[]): void {
  const gone = snapshotsOf(project).filter(({ file }) => files.includes(`${project.root}/${file}`));
  for (const one of gone) tell(project, one, 'erased', 'cli');
}

const leftOf = (project: Project, finder: Finder): Left[] => [
  ...findLeft(project, finder),
  ...findUnread(project).map((file): Left => ({ file, what: 'unread' })),
];

interface Looked {
  /** Undefined when events are chosen by their seqs. */
  finder: Finder | undefined;
  found: Found;
  plan: ErasurePlan;
}

/** @param write stores a blob; a plan stores none */
function look(
  project: Project,
  request: Request,
  searched: Searched,
  unrecorded?: Unrecorded,
  write: Blobs['write'] = () => '',
): Looked {
  const finder = finderFor(project, request, searched);
  const blobs = { read: blobReader(project), write };
  const found =
    request.by === 'event'
      ? searchSeqs(project, request)
      : searchText(project, finder!, blobs, searched);
  const all =
    request.by === 'event'
      ? withStates(project, withHandoffs(project, found.events, blobs), blobs)
      : found.events;
  const payloads = payloadsThatGo(project, finder, all, searched);
  const events = withDigests(project, all, payloads).map((one) =>
    withFittingReplacement(project.ports, one),
  );
  const unknown = unrecorded ?? findUnrecorded(project, (bytes) => finder?.isLike(bytes) === true);
  const plan = planOf(project, finder, { ...found, events }, payloads, unknown, searched);
  return { finder, found: { ...found, events }, plan };
}
