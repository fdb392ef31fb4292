import { xxh64 } from '../../src/platform/xxh64.ts';
import { EPOCH_MS } from './bytes.ts';
import { JOURNAL_ID, ORIGIN_A, type Segment } from './compose.ts';
import type { ExpectedDamage, ExpectedEvent, JournalVector, MadeVector } from './model.ts';

export interface Expectation {
  /** Default: every event of every segment. */
  events?: ExpectedEvent[];
  waiting?: JournalVector['waiting'];
  damage?: ExpectedDamage[];
  /** Further files, by their path in the journal's folder. */
  files?: Record<string, Buffer>;
  /** False leaves the manifest out. */
  manifest?: boolean;
  /** True when a reader must refuse the journal. */
  later?: true;
}

/** A journal of the given segments. */
export function journal(
  path: string,
  why: string,
  segments: readonly Segment[],
  expectation: Expectation = {},
): MadeVector {
  const files = new Map<string, Buffer>();
  if (expectation.manifest !== false) files.set('manifest', manifestFile());
  for (const one of segments) files.set(`${one.origin}/${one.name}`, one.bytes);
  for (const [name, bytes] of Object.entries(expectation.files ?? {})) files.set(name, bytes);
  const vector: JournalVector = {
    path,
    kind: 'journal',
    why,
    events: expectation.events ?? eventsOf(segments),
    waiting: expectation.waiting ?? [],
    damage: expectation.damage ?? [],
    ...(expectation.later === true ? { later: true } : {}),
  };
  return { vector, files };
}

/** The events of an origin's segments, without those of the seqs named. */
export const eventsOf = (
  segments: readonly Segment[],
  except: readonly number[] = [],
): ExpectedEvent[] =>
  segments.flatMap((one) => one.events).filter((event) => !except.includes(event.seq));

export function damage(
  kind: string,
  made: { name: string },
  offset: number,
  firstSeq: number | null,
  lastSeq: number | null,
): ExpectedDamage {
  return { kind, segment: made.name, offset, firstSeq, lastSeq };
}

/** Of a journal that has segments. */
export const LOST_MANIFEST = damage('manifest', { name: 'manifest' }, 0, null, null);

/** The manifests', 64 hex digits. */
export const BLOB_KEY = '5a'.repeat(32);

export function manifestFile(fields: object = {}): Buffer {
  const line = JSON.stringify({
    format: 1,
    journalId: JOURNAL_ID,
    origin: ORIGIN_A,
    createdAt: EPOCH_MS,
    generation: 0,
    erasureEpoch: 0,
    blobKey: BLOB_KEY,
    ...fields,
  });
  const sum = xxh64(Buffer.from(line), 0n).toString(16).padStart(16, '0');
  return Buffer.from(`${line}\n${sum}\n`);
}
