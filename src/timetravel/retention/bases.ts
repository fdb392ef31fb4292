import { encodeEvent } from '../../events/encode.ts';
import type { Text } from '../../events/types.ts';
import { INLINE_BYTES_MAX, putBlob } from '../../journal/append/blobs.ts';
import type { NewEvent } from '../../journal/append/inbox.ts';
import { ensureManifest } from '../../journal/format/manifest.ts';
import type { Project } from '../../project/open.ts';
import type { Based } from '../../projections/based.ts';
import type { Projection } from '../../projections/contract.ts';
import type { DropPlan } from './plan.ts';

interface DropBases {
  /** The project's first, then each session's next to each other. */
  events: NewEvent[];
  /** Ids of facts that none of them covers yet. */
  open: Set<string>;
}

/** Writes blobs of large states, but appends nothing yet. */
export function basesAt(project: Project, { upto, sessions }: DropPlan, based: Based): DropBases {
  const bases: DropBases = { events: [], open: new Set() };
  for (const one of based.project) addBase(project, bases, one, { session: null, upto });
  for (const [session, { goesOn }] of sessions)
    for (const one of based.session) addBase(project, bases, one, { session, upto, goesOn });
  return bases;
}

/** No event where the state would be empty. */
function addBase(
  project: Project,
  bases: DropBases,
  projection: Projection,
  { session, upto, goesOn = false }: { session: string | null; upto: number; goesOn?: boolean },
): void {
  const { ports, states } = project;
  const { name, version } = projection;
  const { state, frontier, open } = states.baseAt(projection, session, upto, goesOn);
  for (const id of open) bases.open.add(id);
  const json = JSON.stringify(state);
  if (json === JSON.stringify(projection.initial())) return;
  const id = Buffer.alloc(16);
  ports.random.fill(id);
  const { last: _, ...kept } = frontier;
  const data = { projection: name, version, upto, state: textOf(project, json), frontier: kept };
  const about = { session, agent: null, client: null, source: 'journal' as const };
  const draft = {
    id,
    type: 'journal.based' as const,
    ...about,
    at: kept.place?.time ?? null,
    data,
  };
  bases.events.push(encodeEvent(draft, ports.xxh64));
}

function textOf({ ports, layout }: Project, json: string): Text {
  const bytes = Buffer.from(json);
  if (bytes.length <= INLINE_BYTES_MAX) return json;
  const { blobKey } = ensureManifest(ports, layout);
  return { $blob: putBlob(ports, layout, blobKey, bytes), bytes: bytes.length, head: '' };
}
