import type { MessageRecorded } from '../events/types.ts';
import type { Observation } from './observation.ts';
import type { Identified } from './recorder.ts';
import { findSecrets, marker, type RedactionOptions } from './redaction/index.ts';

/** How much of two texts is looked at beside the cut: a 16,384-bit RSA key has 13,000 characters. */
const SEEN_CHARS = 16 * 1024;

interface Said {
  seen: Observation<'message.recorded'>;
  text: string;
}

/**
 * A client writes what the model says in several records when its stream breaks off, and a secret may be cut between two of them:
 * neither half looks like one. Takes both halves out.
 */
export class CutSecrets {
  readonly #redaction: RedactionOptions;
  /** Of the batch before, which is stored: only the second half can still be taken out. */
  #before: Said | undefined;

  constructor(redaction: RedactionOptions) {
    this.#redaction = redaction;
  }

  /** @param told in the order of the transcript */
  without(told: readonly Identified[]): Identified[] {
    const kept = [...told];
    let last = { index: -1, said: this.#before };
    for (const [index, { seen, id }] of told.entries()) {
      const said = saidBy(seen);
      if (said === undefined) continue;
      const cut = last.said && this.#cut(last.said, said);
      if (cut !== undefined) {
        if (last.index >= 0)
          kept[last.index] = { ...kept[last.index]!, seen: withText(last.said!, cut.end) };
        kept[index] = { id, seen: withText(said, cut.beginning) };
      }
      last = { index, said: cut === undefined ? said : { ...said, text: cut.beginning } };
    }
    this.#before = last.said;
    return kept;
  }

  /** Both texts without the secret that goes over from one to the other; undefined when none does. */
  #cut(first: Said, second: Said): { end: string; beginning: string } | undefined {
    if (!goesOn(first, second)) return undefined;
    const before = first.text.slice(-SEEN_CHARS);
    const cut = before.length;
    const joined = before + second.text.slice(0, SEEN_CHARS);
    const shared = findSecrets(joined, this.#redaction).find(
      ({ start, end, id }) => start <= cut && end > cut && id !== 'PRIVATE',
    );
    if (shared === undefined) return undefined;
    const { start, end, id } = shared;
    const isInFirst = start < cut;
    return {
      end: isInFirst
        ? first.text.slice(0, first.text.length - (cut - start)) + marker(id)
        : first.text,
      beginning: marker(id) + second.text.slice(end - cut),
    };
  }
}

function saidBy(seen: Observation): Said | undefined {
  if (seen.type !== 'message.recorded') return undefined;
  const { role, text } = seen.data as MessageRecorded;
  return role === 'assistant' && typeof text === 'string'
    ? { seen: seen as Observation<'message.recorded'>, text }
    : undefined;
}

/** Whether the second may be the rest of the first: of the same agent and kind, and cut inside of a word. */
const goesOn = (first: Said, second: Said): boolean =>
  first.seen.session === second.seen.session &&
  first.seen.agent === second.seen.agent &&
  first.seen.data.kind === second.seen.data.kind &&
  /\S$/.test(first.text.slice(-1)) &&
  /^\S/.test(second.text);

const withText = ({ seen }: Said, text: string): Observation => ({
  ...seen,
  data: { ...seen.data, text },
});
