import { encodeEvent } from '../events/encode.ts';
import { fact, factId, freshId } from '../events/identity.ts';
import type { EventData, EventType, FactEnriched, Source, Text } from '../events/types.ts';
import { hasBlob, putBlob } from '../journal/append/blobs.ts';
import type { NewEvent } from '../journal/append/inbox.ts';
import type { Appended, JournalWriter } from '../journal/append/writer.ts';
import { type Layout, layoutOf } from '../journal/format/layout.ts';
import { readManifest } from '../journal/format/manifest.ts';
import type { JournalPorts } from '../journal/format/ports.ts';
import { type ExcludedBy, withoutExcluded } from './excluded.ts';
import type { Observation } from './observation.ts';
import { type PutBlob, preparePayload } from './payload.ts';
import type { RedactionOptions } from './redaction/index.ts';
import { safeId } from './safe-id.ts';

interface RecorderOptions {
  ports: JournalPorts;
  /** The journal's folder. */
  root: string;
  writer: Pick<JournalWriter, 'append' | 'drain'> & {
    /** Erased events by id (hex): no text of theirs may become a blob. */
    erased?(): ReadonlyMap<string, unknown>;
  };
  redaction: RedactionOptions;
  /** Excludes the content of files; none by default. */
  excluded?: ExcludedBy | undefined;
  /** The recorded client. */
  client: string;
  /** Stores large texts; as blobs by default. */
  putBlob?: PutBlob;
}

/** An observation, and the id of its fact. */
export interface Identified {
  seen: Observation;
  id: Buffer;
}

/** Turns observations into redacted events, and appends them. Everything that is stored goes through here. */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #layout: Layout;
  readonly #putBlob: PutBlob;

  constructor(options: RecorderOptions) {
    this.#options = options;
    const layout = layoutOf(options.root);
    this.#layout = layout;
    const { ports, writer } = options;
    let blobKey: string | undefined;
    this.#putBlob =
      options.putBlob ??
      ((bytes) => {
        blobKey ??= readManifest(ports, layout)?.blobKey;
        if (blobKey === undefined && writer.drain()) blobKey = readManifest(ports, layout)?.blobKey;
        // A blob's name must not tell its content: without the journal's key only the head is kept.
        return blobKey === undefined ? '' : putBlob(ports, layout, blobKey, bytes);
      });
  }

  get redaction(): RedactionOptions {
    return this.#options.redaction;
  }

  /** The event of an observation, with its fact's id or a fresh one. An outcome brings its call along. */
  event(seen: Observation, source: Source): NewEvent {
    const event = this.events([{ seen, id: this.#idOf(seen) }], source)[0]!;
    const { call } = seen;
    if (call === undefined) return event;
    return {
      ...event,
      prerequisite: { id: this.#idOf(call), make: () => this.event(call, source) },
    };
  }

  /**
   * An event of ben10's own; of no session if none is known.
   * @param name of the fact within the session, if it may be appended but once
   */
  ownEvent<T extends EventType>(
    type: T,
    session: string | null,
    data: EventData[T],
    source: Source,
    name?: string,
  ): NewEvent {
    const { clock, random } = this.#options.ports;
    const at = clock.now();
    const id =
      name === undefined ? freshId(at, (bytes) => random.fill(bytes)) : factId(session ?? '', name);
    return this.#withBlobs((putBlob) => {
      const kept = preparePayload(data, this.#options.redaction, putBlob);
      return this.#encode(id, type, { session, agent: null, at }, source, kept);
    });
  }

  /** Events of observations with known ids. */
  events(observations: readonly Identified[], source: Source): NewEvent[] {
    const { redaction, excluded, writer } = this.#options;
    const erased = writer.erased?.();
    return observations.map(({ id, seen }) => {
      const isErased = erased?.has(id.toString('hex')) === true;
      const whole = seen.trace === undefined ? seen.data : { ...seen.data, trace: seen.trace };
      const raw = isErased ? {} : withoutExcluded(whole, seen.file, excluded);
      return this.#withBlobs((putBlob) => {
        const data = preparePayload(raw as EventData[EventType], redaction, putBlob);
        return this.#encode(id, seen.type, seen, source, data);
      });
    });
  }

  /**
   * The event by which a second source adds to a fact. Its id comes from that source's own name for the fact, so
   * that each source adds once.
   * @param of the fact's id, hex
   * @param more fields that this source knows better
   */
  enrichment(
    seen: Observation,
    of: string,
    more: Record<string, unknown>,
    source: Source,
  ): NewEvent {
    const { redaction, excluded, writer } = this.#options;
    const own = factId(seen.session, seen.fact ?? of).toString('hex');
    const id = factId(seen.session, fact.enriched(own));
    const isErased = writer.erased?.().has(of) === true;
    return this.#withBlobs((putBlob) => {
      const data: FactEnriched = { of, type: seen.type };
      if (seen.trace !== undefined) data.trace = seen.trace;
      if (Object.keys(more).length > 0 && !isErased)
        data.more = preparePayload(more, redaction, putBlob);
      const whole = withoutExcluded(data, seen.file, excluded);
      const kept = preparePayload(whole, redaction, putBlob);
      return this.#encode(id, 'fact.enriched', seen, source, kept);
    });
  }

  /** A text as it is stored, to compare it with stored ones. */
  kept(text: Text): Text {
    return preparePayload({ text }, this.#options.redaction, this.#putBlob).text;
  }

  append(events: readonly NewEvent[]): Appended {
    return this.#options.writer.append(events);
  }

  #idOf({ session, fact: own }: Observation): Buffer {
    if (own !== null) return factId(safeId(session, this.#options.redaction), own);
    const { clock, random } = this.#options.ports;
    return freshId(clock.now(), (bytes) => random.fill(bytes));
  }

  /** @param data prepared */
  #encode(
    id: Buffer,
    type: EventType,
    { session, agent, at }: Pick<Observation, 'agent' | 'at'> & { session: string | null },
    source: Source,
    data: EventData[EventType],
  ): NewEvent {
    const { ports, client, redaction } = this.#options;
    const safe = (name: string | null) => (name === null ? null : safeId(name, redaction));
    const envelope = { id, type, session: safe(session), agent: safe(agent), at, client, source };
    return encodeEvent({ ...envelope, data }, ports.xxh64);
  }

  /** Makes an event that can store its blobs again: an erasure may remove them before it is appended. */
  #withBlobs(make: (putBlob: PutBlob) => NewEvent): NewEvent {
    const blobs = new Map<string, Buffer>();
    const event = make((bytes) => {
      const name = this.#putBlob(bytes);
      if (name !== '') blobs.set(name, bytes);
      return name;
    });
    if (blobs.size === 0) return event;
    const putAgain = () => {
      for (const [name, bytes] of blobs)
        if (!hasBlob(this.#options.ports, this.#layout, name)) this.#putBlob(bytes);
    };
    return { ...event, putAgain };
  }
}
