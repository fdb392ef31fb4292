import { IdMap } from '../journal/read/id-map.ts';
import { typedText } from './claude/typed-text.ts';
import { isObject, type Json } from './json.ts';
import type { TranscriptFile, TranscriptLine } from './transcript-file.ts';

/** How far back to look for the parent of a prompt, before the records of this reading. */
const SEARCH_BYTES_MAX = 32 * 1024 * 1024;
const STEP_BYTES = 256 * 1024;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Finds rewinds. A transcript only grows, so a rewind leaves the abandoned branch in it: the next prompt names an
 * earlier parent, with other conversation in between.
 */
export class Branches {
  readonly #file: TranscriptFile;
  /** Where reading began. */
  readonly #from: number;
  /** Byte offset of the line's end, by record uuid. */
  readonly #ends = new IdMap();
  /** The same for names that are no uuids. */
  readonly #namedEnds = new Map<string, number>();
  /** Byte offset of the newest line of conversation. */
  #said = -1;

  constructor(file: TranscriptFile, from: number) {
    this.#file = file;
    this.#from = from;
  }

  /** Call for every record, in order, after asking about it. */
  add({ pos, end, record }: TranscriptLine): void {
    if (record === undefined || record.isSidechain === true) return;
    if (typeof record.uuid === 'string') this.#note(record.uuid, end - 1);
    if (isConversation(record)) this.#said = pos;
  }

  /**
   * @param parent uuid of the record that this one continues, null for none
   * @returns the last byte offset on the live branch, -1 for none; undefined if nothing was rewound
   */
  rewoundTo(parent: string | null): number | undefined {
    if (parent === null) return this.#said >= 0 || this.#saidBefore(0) ? -1 : undefined;
    const end = this.#endOf(parent);
    if (end !== undefined) return this.#said > end ? end : undefined;
    const earlier = this.#from > 0 ? this.#lineEndBefore(parent) : undefined;
    if (earlier === undefined) return undefined;
    return this.#said >= 0 || this.#saidBefore(earlier + 1) ? earlier : undefined;
  }

  #note(name: string, end: number): void {
    if (UUID.test(name)) this.#ends.set(bytesOf(name), end);
    else this.#namedEnds.set(name, end);
  }

  #endOf(name: string): number | undefined {
    return UUID.test(name) ? this.#ends.get(bytesOf(name)) : this.#namedEnds.get(name);
  }

  /** For a record of an earlier reading. */
  #lineEndBefore(uuid: string): number | undefined {
    const mark = `"uuid":"${uuid}"`;
    let after = Buffer.alloc(0);
    for (let to = this.#from; to > 0 && this.#from - to < SEARCH_BYTES_MAX; to -= STEP_BYTES) {
      const from = Math.max(0, to - STEP_BYTES);
      // The uuid may cross the border of two steps.
      const step = Buffer.concat([this.#file.read(from, to), after.subarray(0, mark.length)]);
      const at = step.lastIndexOf(mark);
      if (at !== -1) return this.#newlineFrom(from + at);
      after = step;
    }
    return undefined;
  }

  #newlineFrom(offset: number): number | undefined {
    for (let from = offset; from < this.#from; from += STEP_BYTES) {
      const at = this.#file.read(from, Math.min(from + STEP_BYTES, this.#from)).indexOf('\n');
      if (at !== -1) return from + at;
    }
    return undefined;
  }

  /** Whether there is conversation between an offset and the start of this reading. */
  #saidBefore(offset: number): boolean {
    const from = Math.max(offset, this.#from - SEARCH_BYTES_MAX);
    if (from >= this.#from) return false;
    for (const line of this.#file.lines(from, false)) {
      if (line.pos >= this.#from) return false;
      if (line.record?.isSidechain !== true && isConversation(line.record ?? {})) return true;
    }
    return false;
  }
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** Results of parallel calls share a parent, and the client's notes stand anywhere: both are no conversation. */
function isConversation(record: Json): boolean {
  if (record.type === 'assistant') return true;
  if (record.type !== 'user' || record.isMeta === true || record.isCompactSummary === true) {
    return false;
  }
  return isObject(record.message) && typedText(record.message.content) !== '';
}
