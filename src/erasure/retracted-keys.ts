import { decodeEnvelope, type Envelope } from '../journal/format/envelope.ts';
import type { Project } from '../project/open.ts';
import { preferenceKey, preferenceKeysIn, refusalIn } from '../projections/folds/preferences.ts';
import { textOf } from '../projections/tools-text.ts';
import { answersIn, refusalOf } from '../projections/user-answers.ts';
import { innerOf } from './based.ts';
import { contentOf, textsOfState } from './content.ts';
import type { FoundEvent } from './found.ts';
import { ownEvents, retold, type Told } from './told.ts';

type Read = (name: string) => string | undefined;

/**
 * What took back preferences that found events state. Their keys are digests of sentences: each becomes that of what is left of the
 * sentence, so that it stays taken back, or goes where nothing is. One that an event states which stays is no secret.
 * @param own the found events of this journal, by seq
 * @param told the retractions, as they are going to stand there
 */
export function retractionsWithout(
  project: Project,
  origin: string,
  own: ReadonlyMap<number, FoundEvent>,
  told: readonly Told[],
  read: Read,
): FoundEvent[] {
  if (told.length === 0) return [];
  const left = changedKeys(project, origin, own, read);
  const asked = new Set(told.map(keyOf));
  for (const key of left.keys()) if (!asked.has(key)) left.delete(key);
  if (left.size === 0) return [];
  for (const { seq, event, payload } of ownEvents(project, origin)) {
    if (own.has(seq) || event.type !== 'prompt.submitted') continue;
    for (const key of keysOf(decodeEnvelope(payload), read)) left.delete(key);
  }
  return told.flatMap(
    (one) => retold(origin, one, { key: left.get(keyOf(one)) ?? keyOf(one) }) ?? [],
  );
}

/**
 * The keys of all that found events state and what stands for them does not, each with that of what is left of the sentence, or
 * nothing where nothing is.
 */
export function changedKeys(
  project: Project,
  origin: string,
  own: ReadonlyMap<number, FoundEvent>,
  read: Read,
): Map<string, string> {
  const left = new Map<string, string>();
  for (const { seq, payload } of ownEvents(project, origin)) {
    const found = own.get(seq);
    if (found === undefined) continue;
    const before = keysOf(decodeEnvelope(payload), read);
    const after = found.replacement === undefined ? [] : keysOf(found.replacement, read);
    const isSameWay = before.length === after.length;
    for (const [at, key] of before.entries())
      if (left.get(key) !== key) left.set(key, isSameWay ? after[at]! : '');
  }
  for (const [key, by] of left) if (key === by) left.delete(key);
  return left;
}

const keyOf = ({ inner }: Told): string => (inner.data as { key: string }).key;

/** The keys of all that an event could state, in its order. */
function keysOf(envelope: Envelope, read: Read): string[] {
  const { type, data } = innerOf(envelope);
  const { state, response, error } = (data ?? {}) as Record<string, unknown>;
  const blob = (state as { $blob?: unknown } | undefined)?.$blob;
  const refused = refusalOf('', textOf(error) ?? '')?.words ?? '';
  const texts = [
    ...contentOf({ type, data }),
    ...(typeof blob === 'string' ? textsOfState(read(blob)) : []),
    ...answersIn(response).map(({ answer }) => answer),
    refused,
  ];
  const keys = texts.flatMap((text) => [...preferenceKeysIn(text)]);
  return [...keys, preferenceKey('correction', refusalIn(refused))];
}
