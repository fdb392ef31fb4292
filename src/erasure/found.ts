import type { ChosenEvent } from '../journal/erase/erase.ts';

/** An event that has to go, as a plan tells of it: never anything of its content. */
export interface FoundEvent extends ChosenEvent {
  /** The type's name; null where the event's own words cannot be read. */
  type: string | null;
  /** The source's own time, milliseconds since the epoch. */
  at: number | null;
  /** Only a digest of something that is erased goes from it. */
  isDigest?: true;
  /** A state, from which only goes what was said in an erased event's words. */
  isWording?: true;
}

/** What was found in a journal. */
export interface Found {
  events: FoundEvent[];
  /** How many events were looked at. */
  searched: number;
  /** Names of blobs that hold it though no event names them. */
  blobs: string[];
  /** Names of segments that are damaged: what cannot be read in them was not searched. */
  unsearched: string[];
  /** Transcripts of the client's that tell the found events' sessions. */
  transcripts: string[];
}
