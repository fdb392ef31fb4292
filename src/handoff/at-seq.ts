import type { JournalEvent } from '../events/types.ts';
import { chainAt } from '../journal/read/chain-at.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';

export const eventAt = ({ reader, ports }: Project, seq: number): JournalEvent | undefined =>
  readEvents(reader, ports.xxh64, { from: seq, to: seq }).next().value ?? undefined;

/** The journal's chain behind an event, hex; undefined if that cannot be read. */
export const chainOf = (
  { ports, layout, decoders, reader }: Project,
  seq: number,
): string | undefined => chainAt(ports, layout, seq, decoders, reader.files)?.toString('hex');
