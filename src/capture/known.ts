import { fact, factId } from '../events/identity.ts';
import { decodeHead } from '../journal/envelope.ts';
import { FRAME_KIND, ID_BYTES } from '../journal/format.ts';
import type { JournalReader } from '../journal/reader.ts';
import type { CursorsState } from '../projections/folds/cursors.ts';
import type { Observation } from './observation.ts';

/** What is known of a fact: nothing, only what a hook told, or all that a transcript can add. */
export type Standing = { is: 'new' } | { is: 'untraced'; of: string } | { is: 'traced' };

/** Tells which facts the journal has, while a transcript is compared with it. */
export interface KnownFacts {
  standing(seen: Observation): Standing;
  /** From now on the fact counts as traced. */
  settle(seen: Observation): void;
}

const idOf = (seen: Observation): string => factId(seen.session, seen.fact ?? '').toString('hex');

/**
 * The usual case: the cursor is good, so records behind it can only be known from hooks that no transcript has
 * confirmed yet, and those are few.
 */
export class KnownFromHooks implements KnownFacts {
  readonly #untraced: Map<string, string>;
  readonly #unnamed: { id: string; type: string }[];
  readonly #traced = new Set<string>();

  constructor(state: CursorsState) {
    this.#untraced = new Map(Object.entries(state.untraced));
    this.#unnamed = [...state.unnamed];
  }

  standing(seen: Observation): Standing {
    const id = idOf(seen);
    if (this.#traced.has(id)) return { is: 'traced' };
    if (this.#untraced.has(id)) return { is: 'untraced', of: id };
    // The client gave the hook no name for it: the oldest such fact of the kind is the one.
    const nameless = this.#unnamed.findIndex((one) => one.type === seen.type);
    if (nameless === -1) return { is: 'new' };
    return { is: 'untraced', of: this.#unnamed.splice(nameless, 1)[0]!.id };
  }

  settle(seen: Observation): void {
    this.#traced.add(idOf(seen));
  }
}

/** The careful case, for imports and replaced transcripts: every id in the journal is looked at. */
export class KnownFromJournal implements KnownFacts {
  readonly #hooks: KnownFromHooks;
  /** Ids whose event a transcript told, and ids of enrichments. */
  readonly #traced = new Set<string>();
  readonly #untraced = new Set<string>();

  constructor(reader: JournalReader, state: CursorsState) {
    this.#hooks = new KnownFromHooks(state);
    for (const { entry } of reader.entries()) {
      if (entry === undefined) continue;
      const id = entry.id.toString('hex', 0, ID_BYTES);
      // What was erased must not come back from a transcript that still holds it.
      if (entry.kind === FRAME_KIND.husk || isFromTranscript(entry.payload)) this.#traced.add(id);
      else this.#untraced.add(id);
    }
  }

  standing(seen: Observation): Standing {
    const id = idOf(seen);
    const enriched = factId(seen.session, fact.enriched(id)).toString('hex');
    if (this.#traced.has(id) || this.#traced.has(enriched)) return { is: 'traced' };
    if (this.#untraced.has(id)) return { is: 'untraced', of: id };
    return this.#hooks.standing(seen);
  }

  settle(seen: Observation): void {
    this.#traced.add(idOf(seen));
    this.#hooks.settle(seen);
  }
}

function isFromTranscript(payload: Buffer): boolean {
  try {
    const { source } = decodeHead(payload);
    return source === 'transcript' || source === 'import';
  } catch {
    return false;
  }
}
