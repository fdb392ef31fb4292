import { hasShape } from '../events/shape.ts';
import type {
  ContextMerged,
  PackSnapshotted,
  SnapshotAnnotated,
  SnapshotCreated,
} from '../events/types.ts';
import { decodeEnvelope } from '../journal/format/envelope.ts';
import { homeOf } from '../journal/read/origins.ts';
import type { Project } from '../project/open.ts';
import { innerOf, withInner } from './based.ts';
import type { Payloads } from './payloads.ts';
import type { FoundEvent } from './plan.ts';
import { ownEvents } from './search.ts';

/** Events with an unsalted digest of a state or file, and how to remove it. */
const WITHOUT: Readonly<Record<string, (data: never) => object>> = {
  'snapshot.created': (data: SnapshotCreated) => ({ ...data, contentHash: '' }),
  'snapshot.annotated': ({ contentHash: _, ...data }: SnapshotAnnotated) => data,
  'context.merged': (data: ContextMerged) => ({
    ...data,
    files: data.files.map(({ hash: _, bytes: __, ...file }) => file),
  }),
  'pack.snapshotted': (data: PackSnapshotted) => ({ ...data, renderHash: '', payloadHash: '' }),
};

/**
 * The found events, and later ones with a digest of a state or file that may contain what is erased: it could
 * confirm a guess. Merges count only in the session of a found event, snapshots of packs only where their payload is telling.
 * @returns by seq
 */
export function withDigests(
  project: Project,
  found: readonly FoundEvent[],
  payloads: Payloads,
): FoundEvent[] {
  const origin = homeOf(project.ports, project.layout)?.origin;
  const own = new Map(found.filter((one) => one.origin === origin).map((one) => [one.seq, one]));
  if (origin === undefined || (own.size === 0 && payloads.files.length === 0)) return [...found];
  const sessions = new Set<string | null>();
  const changed: FoundEvent[] = [];
  const first = Math.min(...own.keys());
  for (const { entry, event } of ownEvents(project)) {
    const known = own.get(entry.seq);
    if (known !== undefined) sessions.add(innerOf(event).session);
    if (!isTelling(innerOf(event), entry.seq >= first, payloads)) continue;
    const envelope = known === undefined ? decodeEnvelope(entry.payload) : known.replacement;
    if (envelope === undefined) continue;
    const inner = innerOf(envelope);
    if (!hasShape(inner)) continue;
    const data = WITHOUT[inner.type]!(inner.data as never);
    if (JSON.stringify(data) === JSON.stringify(inner.data)) continue;
    const replacement = withInner(envelope, { ...inner, data });
    const { type, at } = envelope;
    changed.push({
      ...(known ?? { origin, seq: entry.seq, type, at, isDigest: true }),
      replacement,
    });
  }
  for (const one of changed) {
    const { type, session } = innerOf(one.replacement!);
    if (type !== 'context.merged' || sessions.has(session)) own.set(one.seq, one);
  }
  const others = found.filter((one) => one.origin !== origin);
  return [...others, ...own.values()].sort((a, b) => a.seq - b.seq);
}

function isTelling(
  { type, data }: { type: string; data: unknown },
  isLater: boolean,
  payloads: Payloads,
): boolean {
  // Files were there before the journal heard of them.
  if (type === 'pack.snapshotted') return payloads.isTelling((data as PackSnapshotted).file);
  return type in WITHOUT && isLater;
}
