import { CATALOGUE, isKnownType } from '../events/catalogue.ts';
import { hasShape } from '../events/shape.ts';
import type { FactEnriched, JournalEvent, Trace } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { headOf } from '../projections/bounds.ts';
import { readEvents } from '../projections/events.ts';
import { REWINDING } from '../projections/folds/rewind.ts';
import type { Mark, SearchDocument } from './document.ts';
import { type Call, callIn, documentOf, saidIn, timeOf } from './texts.ts';

/** Events in which something can be found, or which say where others belong. */
export const INDEXED_TYPES: readonly string[] = [
  ...REWINDING,
  'turn.ended',
  'subagent.stopped',
  'tool.called',
  'tool.succeeded',
  'tool.failed',
  'work.saved',
  'fact.enriched',
];
/**
 * What an event refers to is looked for among so many before it: a fixed number, so that a document does not depend on where a
 * reading begins.
 */
export const JOINED_EVENTS = 2000;

/** What later events may refer to. */
interface Recent {
  seq: number;
  at: number;
  type: string;
  /** Its seq, or that of what it joins. */
  fact: number;
  call: Call | undefined;
}

export interface Found {
  document?: SearchDocument | undefined;
  mark?: Mark | undefined;
}

/** Turns events, in the order of their arrival, into documents and marks. */
export class Documents {
  readonly #recent = new Map<string, Recent>();

  /** Each event once, rising. */
  read(event: JournalEvent): Found {
    if (!hasShape(event)) return {};
    const fact = event.type === 'fact.enriched' ? this.#whole(event) : event;
    const call = fact && this.#callOf(fact);
    const isNews = fact !== undefined && !this.#isSaid(event);
    const document = isNews ? documentOf(fact, call) : undefined;
    const mark = this.#markOf(event);
    const joins = this.#keep(event, call);
    if (document !== undefined && joins !== event.seq) document.joins = joins;
    return { document, mark };
  }

  /** Takes in an event that comes before those to read. */
  know(event: JournalEvent): void {
    if (hasShape(event)) this.#keep(event, this.#callOf(event));
  }

  /** @returns the seq of the fact that it is, or belongs to */
  #keep(event: JournalEvent, call: Call | undefined): number {
    const { seq, id, type } = event;
    const fact = this.#factOf(event);
    const seen: Recent = { seq, type, at: event.at ?? 0, fact, call };
    const keys = [factKey(id), type === 'tool.called' ? callKey(event) : undefined, saidKey(event)];
    for (const key of keys) {
      if (key === undefined) continue;
      this.#recent.delete(key);
      this.#recent.set(key, seen);
    }
    for (const [key, { seq: at }] of this.#recent) {
      if (at >= seq - JOINED_EVENTS) break;
      this.#recent.delete(key);
    }
    return fact;
  }

  #factOf(event: JournalEvent): number {
    const { seq, type, data } = event;
    const isOutcome = type === 'tool.succeeded' || type === 'tool.failed';
    const joined = type === 'fact.enriched' ? factKey((data as FactEnriched).of) : undefined;
    const key = isOutcome ? callKey(event) : joined;
    const found = key === undefined ? undefined : this.#find(key, event);
    if (found === undefined) return seq;
    return found.fact >= seq - JOINED_EVENTS ? found.fact : found.seq;
  }

  #find(key: string, { seq }: JournalEvent): Recent | undefined {
    const found = this.#recent.get(key);
    return found !== undefined && found.seq >= seq - JOINED_EVENTS ? found : undefined;
  }

  #callOf(event: JournalEvent): Call | undefined {
    if (event.type === 'tool.called') return callIn(event);
    return /^tool\./.test(event.type) ? this.#find(callKey(event), event)?.call : undefined;
  }

  /** A transcript's message, and what a hook says of the same at its end: the first one counts. */
  #isSaid(event: JournalEvent): boolean {
    const key = saidKey(event);
    const seen = key === undefined ? undefined : this.#recent.get(key);
    if (seen === undefined || seen.seq < event.seq - JOINED_EVENTS) return false;
    return event.type !== 'message.recorded' || seen.type !== 'message.recorded';
  }

  /** What a second source adds to a fact, as if it had said that alone. */
  #whole(event: JournalEvent): JournalEvent | undefined {
    const { of, type, more } = event.data as FactEnriched;
    if (more === undefined || !isKnownType(type)) return undefined;
    const toolUseId = this.#find(factKey(of), event)?.call?.toolUseId ?? '';
    const { seq, id, session, agent, client, source, at } = event;
    const { version } = CATALOGUE[type];
    const data = { toolUseId, trigger: '', ...more };
    const fact = { seq, id, type, version, session, agent, client, source, at, data };
    return hasShape(fact) ? fact : undefined;
  }

  #markOf(event: JournalEvent): Mark | undefined {
    const { seq, session, agent, type } = event;
    const { trace, kind } = event.data as { trace?: Trace; kind?: string };
    const { of, type: enriched, more = {} } = event.data as FactEnriched;
    const isMore = type === 'fact.enriched';
    const own = (isMore ? more : event.data) as Record<string, unknown>;
    const isPlaced = agent === null && PLACED.has(isMore ? enriched : type) && kind !== 'thinking';
    const place = isPlaced && trace !== undefined && isOffset(trace.pos) ? trace : undefined;
    const branch = wordsIn(own.branch);
    if (place === undefined && branch === undefined) return undefined;
    // A hook may tell of a prompt before the transcript has it.
    const known = isMore ? (this.#find(factKey(of), event)?.at ?? 0) : 0;
    const at = timeOf(event.at ?? trace?.time);
    return {
      seq,
      session,
      at: Math.min(known || at, at || known),
      ...(place !== undefined && placeIn(place)),
      ...(branch !== undefined && { branch }),
    };
  }
}

interface Read {
  event: JournalEvent;
  document: SearchDocument;
  /** The id of the fact that it is, or joins. */
  id: string;
}

/**
 * An event and its document again.
 * @param from the fact that it joins, if that is known
 * @returns undefined if it has none, or cannot be read any more
 */
export function documentAt(
  { reader, ports }: Project,
  seq: number,
  from = Math.max(1, seq - JOINED_EVENTS),
): Read | undefined {
  const documents = new Documents();
  const ids = new Map<number, string>();
  for (const event of readEvents(reader, ports.xxh64, { from, to: seq, types: INDEXED_TYPES })) {
    ids.set(event.seq, event.id);
    if (event.seq < seq) documents.know(event);
    else {
      const { document } = documents.read(event);
      return document && { event, document, id: ids.get(document.joins ?? seq)! };
    }
  }
  return undefined;
}

/** Mostly an outcome stands just behind its call. */
const OUTCOME_EVENTS = 64;

/** What came of a call, if that stands near it. */
export function outcomeAfter({ reader, ports }: Project, seq: number): SearchDocument | undefined {
  const documents = new Documents();
  let call: string | undefined;
  const types = ['tool.called', 'tool.succeeded', 'tool.failed'];
  for (const event of readEvents(reader, ports.xxh64, {
    from: seq,
    to: seq + OUTCOME_EVENTS,
    types,
  })) {
    if (event.seq === seq) {
      documents.know(event);
      call = callKey(event);
    } else if (event.type !== 'tool.called' && callKey(event) === call)
      return documents.read(event).document;
  }
  return undefined;
}

const PLACED: ReadonlySet<string> = new Set(REWINDING);
const WORDS_CHARS = 300;
/** By so much of its beginning a message is known. */
const SAID_CHARS = 200;

const wordsIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? headOf(value, WORDS_CHARS) : undefined;

const placeIn = ({ pos, rewoundTo }: Trace): Pick<Mark, 'pos' | 'rewoundTo'> => ({
  pos,
  ...(rewoundTo !== undefined && isOffset(rewoundTo, -1) && { rewoundTo }),
});

const isOffset = (value: number, least = 0): boolean =>
  Number.isSafeInteger(value) && value >= least;

const factKey = (id: string): string => `fact ${id}`;

const callKey = ({ session, data }: JournalEvent): string =>
  `call ${session} ${(data as { toolUseId: string }).toolUseId}`;

function saidKey(event: JournalEvent): string | undefined {
  const said = saidIn(event);
  return said === undefined || said === ''
    ? undefined
    : `said ${event.session} ${said.trim().slice(0, SAID_CHARS)}`;
}
