import { decodeEnvelope, type Envelope } from '../journal/format/envelope.ts';
import { homeOf } from '../journal/read/origins.ts';
import type { Project } from '../project/open.ts';
import { BASED_TYPE, basedIn, innerOf, withInner, withState } from './based.ts';
import { changed } from './finder.ts';
import type { FoundEvent } from './found.ts';
import type { Blobs } from './redact-event.ts';
import { changedKeys } from './retracted-keys.ts';
import { ownEvents } from './told.ts';

/** A key of a preference, or the start of one: as it is given to ben10, and as ben10 says that it knows none of it. */
const NAMED = /(?<=\b(?:retract|key)["'“\s\\,:=]{1,8})[0-9a-f]{4,12}(?![0-9a-f])/gi;
/** Of a key, at least. */
const START_CHARS = 4;
/** In a state, as the key of a retraction or a rare word of a command line, too. */
const IN_STATE = new RegExp(`${NAMED.source}|(?<![0-9a-z])[0-9a-f]{8,12}(?![0-9a-z])`, 'gi');
/** What has none of these words, and is no state, names no key. */
const WORDS = ['retract', 'preference'];
const TAKEN = 'preference.retracted';

/**
 * The found events, and those that name a preference which found events state, as a recorded `ben10 preferences retract KEY`
 * does: the key is a digest of the sentence, and becomes that of what is left of it, or zeros. What took it back alone has it by now.
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
    if (![BASED_TYPE, ...WORDS].some((word) => payload.includes(word))) continue;
    const envelope = own.has(seq) ? own.get(seq)!.replacement : decodeEnvelope(payload);
    if (envelope !== undefined && innerOf(envelope).type !== TAKEN) naming.push({ seq, envelope });
  }
  if (naming.length === 0) return [...found];
  const anew = anewBy(changedKeys(project, origin, own, blobs.read));
  const known = new Map(found.map((one) => [`${one.origin} ${one.seq}`, one]));
  for (const { seq, envelope } of naming) {
    const replacement = withKeys(envelope, anew, blobs);
    if (replacement === envelope) continue;
    const place = `${origin} ${seq}`;
    const { type, at } = envelope;
    const one = known.get(place) ?? { origin, seq, type, at, isDigest: true as const };
    known.set(place, { ...one, replacement });
  }
  return [...known.values()].sort((a, b) => a.seq - b.seq);
}

/** What stands for a key, or the start of one, from now on; the same where it is none of these. */
function anewBy(left: ReadonlyMap<string, string>): (start: string) => string {
  const byStart = new Map<string, [string, string][]>();
  for (const one of left) {
    const start = one[0].slice(0, START_CHARS);
    byStart.set(start, [...(byStart.get(start) ?? []), one]);
  }
  return (start) => {
    const wanted = start.toLowerCase();
    const known = byStart.get(wanted.slice(0, START_CHARS)) ?? [];
    const [, by] = known.find(([key]) => key.startsWith(wanted)) ?? ['', start];
    return by.slice(0, start.length).padEnd(start.length, '0');
  };
}

/** The very same envelope where it names none of them. */
function withKeys(envelope: Envelope, anew: (start: string) => string, blobs: Blobs): Envelope {
  const inner = innerOf(envelope);
  const based = basedIn(inner);
  const without = <T>(value: T, named: RegExp) =>
    changed(
      value,
      (text) => text.replace(named, anew),
      () => false,
    ) as T;
  const data =
    based === undefined
      ? without(inner.data, NAMED)
      : withState(based, blobs, (state) => without(state, IN_STATE));
  return Object.is(data, inner.data) ? envelope : withInner(envelope, { ...inner, data });
}
