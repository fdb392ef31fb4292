import { decodeEnvelope, type Envelope } from '../journal/envelope.ts';
import { homeOf } from '../journal/origins.ts';
import type { Project } from '../project/open.ts';
import { basedIn, innerOf, withInner, withState } from './based.ts';
import { changed } from './finder.ts';
import type { FoundEvent } from './found.ts';
import type { Blobs } from './redact-event.ts';
import { goneKeys } from './retracted-keys.ts';
import { ownEvents } from './told.ts';

/** A key of a preference, or the start of one: as it is given to ben10, and as ben10 says that it knows none of it. */
const NAMED = /(?<=\b(?:retract|key)["'“\s\\,:=]{1,8})[0-9a-f]{4,12}(?![0-9a-f])/gi;
/** What has none of these words names no key. */
const WORDS = ['retract', 'preference'];
const TAKEN = 'preference.retracted';

/**
 * The found events, and those that name a preference which found events state, as a recorded `ben10 preferences retract KEY`
 * does: the key is a digest of the sentence, and becomes as many zeros. What took it back keeps the key that it has by now.
 * @param found with what stands for each
 */
export function withNamedKeys(
  project: Project,
  found: readonly FoundEvent[],
  blobs: Blobs,
): FoundEvent[] {
  const origin = homeOf(project.ports, project.layout)?.origin;
  const own = new Map(found.filter((one) => one.origin === origin).map((one) => [one.seq, one]));
  if (origin === undefined || own.size === 0) return [...found];
  const naming: { seq: number; envelope: Envelope }[] = [];
  for (const { seq, payload } of ownEvents(project, origin)) {
    if (!WORDS.some((word) => payload.includes(word))) continue;
    const envelope = own.has(seq) ? own.get(seq)!.replacement : decodeEnvelope(payload);
    if (envelope !== undefined && innerOf(envelope).type !== TAKEN) naming.push({ seq, envelope });
  }
  if (naming.length === 0) return [...found];
  const gone = [...goneKeys(project, origin, own, blobs.read)];
  const take = (text: string) =>
    text.replace(NAMED, (start) =>
      gone.some((key) => key.startsWith(start.toLowerCase())) ? '0'.repeat(start.length) : start,
    );
  const known = new Map(found.map((one) => [`${one.origin} ${one.seq}`, one]));
  for (const { seq, envelope } of naming) {
    const replacement = withoutKeys(envelope, take, blobs);
    if (replacement === envelope) continue;
    const place = `${origin} ${seq}`;
    const { type, at } = envelope;
    const one = known.get(place) ?? { origin, seq, type, at, isDigest: true as const };
    known.set(place, { ...one, replacement });
  }
  return [...known.values()].sort((a, b) => a.seq - b.seq);
}

/** The very same envelope where it names none of them. */
function withoutKeys(envelope: Envelope, take: (text: string) => string, blobs: Blobs): Envelope {
  const inner = innerOf(envelope);
  const based = basedIn(inner);
  const without = (value: unknown) => changed(value, take, () => false);
  const data =
    based === undefined
      ? without(inner.data)
      : withState(based, blobs, (state) => without(state) as typeof state);
  return Object.is(data, inner.data) ? envelope : withInner(envelope, { ...inner, data });
}
