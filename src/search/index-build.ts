import { analyze } from './analyze.ts';
import {
  BASES,
  FIELDS,
  type IndexRange,
  KINDS,
  type Mark,
  type SearchDocument,
} from './document.ts';
import { IndexWriter, type Row } from './index-write.ts';
import { IMPACTS } from './layout.ts';
import { posting } from './postings.ts';
import { B, FIELD_LENGTH, FIELD_WEIGHT, K1, NAME_WEIGHT } from './weights.ts';

const flagsOf = ({ kind, basis }: SearchDocument): number =>
  KINDS.indexOf(kind) | (BASES.indexOf(basis) << 4);

interface Entry {
  postings: number[];
  row: number;
  weight: number;
}

/** Makes an index file of documents and marks that come in the order of their seqs. */
export class IndexBuilder {
  readonly #rows: Row[] = [];
  readonly #marks: Mark[] = [];
  readonly #entries = new Map<string, Entry>();
  #found: Entry[] = [];
  #isName: boolean[] = [];

  add(document: SearchDocument): void {
    const row = this.#rows.length;
    const { seq, session } = document;
    const at = Number.isSafeInteger(document.at) ? Math.max(0, document.at) : 0;
    const back = seq - (document.joins ?? seq);
    this.#rows.push({ seq, session, at, back, flags: flagsOf(document) });
    const touched: Entry[] = [];
    for (const field of FIELDS) {
      const text = document.texts[field];
      if (text === undefined || text === '') continue;
      this.#analyze(text);
      const found = this.#found;
      const unit = FIELD_WEIGHT[field] / (1 - B + (B * found.length) / FIELD_LENGTH[field]);
      for (let i = 0; i < found.length; i += 1) {
        const entry = found[i]!;
        if (entry.row !== row) {
          entry.row = row;
          entry.weight = 0;
          touched.push(entry);
        }
        entry.weight += this.#isName[i]! ? unit * NAME_WEIGHT : unit;
      }
    }
    for (const { postings, weight } of touched)
      postings.push(posting(row, Math.max(1, Math.round((IMPACTS * weight) / (K1 + weight)))));
  }

  mark(mark: Mark): void {
    this.#marks.push(mark);
  }

  finish(range: IndexRange): Buffer {
    const file = new IndexWriter(this.#rows, this.#marks, range.firstSeq);
    for (const term of [...this.#entries.keys()].sort())
      file.term(term, this.#entries.get(term)!.postings);
    return file.finish(range);
  }

  #analyze(text: string): void {
    this.#found = [];
    this.#isName = [];
    analyze(text, (term, isName) => {
      let entry = this.#entries.get(term);
      if (entry === undefined) {
        entry = { postings: [], row: -1, weight: 0 };
        this.#entries.set(term, entry);
      }
      this.#found.push(entry);
      this.#isName.push(isName);
    });
  }
}
