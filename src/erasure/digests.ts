import { hasShape } from '../events/shape.ts';
import type { ContextMerged, SnapshotAnnotated, SnapshotCreated } from '../events/types.ts';
import { decodeEnvelope, type Envelope } from '../journal/format/envelope.ts';
import { homeOf } from '../journal/read/origins.ts';
import type { Project } from '../project/open.ts';
import { innerOf, withInner } from './based.ts';
import type { FoundEvent } from './plan.ts';
import { ownEvents } from './search.ts';

/** Events with an unsalted digest of a whole state or file, without it. */
const WITHOUT: Readonly<Record<string, (data: never) => object>> = {
  'snapshot.created': (data: SnapshotCreated) => ({
    ...data,
    contentHash: '',
    plainBytes: 0,
    bytes: 0,
  }),
  'snapshot.annotated': ({ contentHash: _, ...data }: SnapshotAnnotated) => data,
  'context.merged': (data: ContextMerged) => ({
    ...data,
    files: data.files.map(({ hash: _, bytes: __, ...file }) => file),
  }),
};

/**
 * The found events, and those behind the first of them that hold no word of what is erased but a digest of all of a state or a file
 * that may: who guesses right could confirm it. Of merges, those of a found event's session.
 * @param found of the same journal
 * @returns by seq
 */
export function withDigests(project: Project, found: readonly FoundEvent[]): FoundEvent[] {
  const origin = homeOf(project.ports, project.layout)?.origin;
  const own = new Map(found.filter((one) => one.origin === origin).map((one) => [one.seq, one]));
  if (origin === undefined || own.size === 0) return [...found];
  const first = Math.min(...own.keys());
  const sessions = new Set<string | null>();
  const more: FoundEvent[] = [];
  const merges: FoundEvent[] = [];
  for (const { entry, event } of ownEvents(project)) {
    const known = own.get(entry.seq);
    if (known !== undefined) sessions.add(innerOf(event).session);
    const without = WITHOUT[innerOf(event).type];
    if (without === undefined || entry.seq < first) continue;
    const envelope = known === undefined ? decodeEnvelope(entry.payload) : known.replacement;
    const replacement = envelope && changedBy(envelope, without);
    if (replacement === undefined) continue;
    const { type, at } = replacement;
    const one = known ?? { origin, seq: entry.seq, type, at, isDigest: true as const };
    (innerOf(event).type === 'context.merged' ? merges : more).push({ ...one, replacement });
  }
  const changed = new Map(found.map((one) => [`${one.origin} ${one.seq}`, one]));
  const isOfSession = ({ replacement }: FoundEvent) => sessions.has(innerOf(replacement!).session);
  for (const one of [...more, ...merges.filter(isOfSession)])
    changed.set(`${one.origin} ${one.seq}`, one);
  return [...changed.values()].sort((a, b) => a.seq - b.seq);
}

/** Undefined where it has none. */
function changedBy(envelope: Envelope, without: (data: never) => object): Envelope | undefined {
  const inner = innerOf(envelope);
  if (!hasShape(inner)) return undefined;
  const data = without(inner.data as never);
  return JSON.stringify(data) === JSON.stringify(inner.data)
    ? undefined
    : withInner(envelope, { ...inner, data });
}
