import { encodeEnvelope, typeTag } from '../format/envelope.ts';
import type { JournalPorts } from '../format/ports.ts';
import type { NewEvent } from './inbox.ts';
import type { Repair } from './recover.ts';

/** What the journal writes about itself. Version 1: the fields of `Repair`. */
export const REPAIRED_TYPE = 'journal.repaired';
/** That it is a copy, and of what. Version 1: the fields of `Copied`. */
export const COPIED_TYPE = 'journal.copied';

/** The journal was copied: from here on it and the original are separate. */
interface Copied {
  /** 32 hex digits, the origin that the copied segments name. */
  from: string;
  /** 32 hex digits, that of this copy. */
  origin: string;
}

/** What the journal has to tell of itself. */
export type OwnFact = { repair: Repair; copied?: never } | { copied: Copied; repair?: never };

/** An event that the journal writes about itself. */
export function ownEvent(ports: JournalPorts, type: string, data: unknown, version = 1): NewEvent {
  const id = Buffer.alloc(16);
  ports.random.fill(id);
  const about = { version, session: null, agent: null, client: null, source: 'journal' };
  const payload = encodeEnvelope({ type, ...about, at: ports.clock.now(), data });
  return { id, typeTag: typeTag(type, ports.xxh64), payload, durability: 'disk' };
}

export const factEvent = (ports: JournalPorts, { repair, copied }: OwnFact): NewEvent =>
  ownEvent(ports, repair === undefined ? COPIED_TYPE : REPAIRED_TYPE, { ...(repair ?? copied) });
