import type { IndexFile } from './index-read.ts';
import { IndexWriter, type Row } from './index-write.ts';
import { BLOCK } from './layout.ts';
import { type Postings, posting } from './postings.ts';

interface Source {
  from: Iterator<{ term: string; postings: Postings }>;
  now: { term: string; postings: Postings } | undefined;
  /** The row of the merged file that its first one is. */
  base: number;
}

/** One file of neighbours, in their order, without analysing again. */
export function mergeIndexes(files: readonly IndexFile[]): Buffer {
  const rows: Row[] = [];
  const sources = files.map((file): Source => {
    const from = file.terms();
    const base = rows.length;
    for (let row = 0; row < file.rows; row += 1)
      rows.push({
        seq: file.seqOf(row),
        session: file.sessionOf(row),
        at: file.atOf(row),
        back: file.seqOf(row) - file.factOf(row),
        flags: file.flagsOf(row),
      });
    return { from, now: from.next().value, base };
  });
  const [first, last] = [files[0]!.range, files.at(-1)!.range];
  const marks = files.flatMap((file) => file.marks());
  const writer = new IndexWriter(rows, marks, first.firstSeq);
  for (;;) {
    let term: string | undefined;
    for (const { now } of sources)
      if (now !== undefined && (term === undefined || now.term < term)) term = now.term;
    if (term === undefined) break;
    writer.term(term, merged(term, sources));
  }
  return writer.finish({ ...last, firstSeq: first.firstSeq, chainBefore: first.chainBefore });
}

const rows = new Uint32Array(BLOCK);
const impacts = new Uint8Array(BLOCK);

function merged(term: string, sources: readonly Source[]): number[] {
  const all: number[] = [];
  for (const source of sources) {
    if (source.now?.term !== term) continue;
    const { postings } = source.now;
    for (let block = 0; block < postings.blocks; block += 1) {
      const count = postings.read(block, rows, impacts);
      for (let i = 0; i < count; i += 1) all.push(posting(source.base + rows[i]!, impacts[i]!));
    }
    source.now = source.from.next().value;
  }
  return all;
}
