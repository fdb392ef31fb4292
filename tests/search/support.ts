import { existsSync, readdirSync } from 'node:fs';
import type { EventType } from '../../src/events/catalogue.ts';
import type { JournalEvent } from '../../src/events/types.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import { journalRange } from '../../src/journal/read/range.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import type { Mark, SearchDocument } from '../../src/search/document.ts';
import { Documents, INDEXED_TYPES, JOINED_EVENTS } from '../../src/search/documents.ts';
import { IndexBuilder } from '../../src/search/index-build.ts';
import { type IndexFile, openIndex } from '../../src/search/index-read.ts';
import { SearchIndex } from '../../src/search/keep-up.ts';
import { rank } from '../../src/search/rank.ts';
import { newEvent, realPorts } from '../support.ts';

export const REAL = [
  'working-session',
  'sub-agents',
  'two-compactions',
  'killed-client',
  'two-sessions',
  'slash-commands',
  'rewound-and-forked',
];

export interface Read {
  documents: SearchDocument[];
  marks: Mark[];
}

/** What a reading from `from` to `to` finds, as keep-up reads. */
export function read(project: Project, from = 1, to?: number): Read {
  const documents = new Documents();
  const found: Read = { documents: [], marks: [] };
  for (const event of eventsOf(project, Math.max(1, from - JOINED_EVENTS), to)) {
    if (event.seq < from) documents.know(event);
    else {
      const { document, mark } = documents.read(event);
      if (document !== undefined) found.documents.push(document);
      if (mark !== undefined) found.marks.push(mark);
    }
  }
  return found;
}

export const eventsOf = (project: Project, from = 1, to?: number): JournalEvent[] => [
  ...readEvents(project.reader, project.ports.xxh64, { from, to, types: INDEXED_TYPES }),
];

/** Appends events of those types and data. */
export function told(
  project: Project,
  ...events: [type: EventType, data: object, more?: object][]
): number[] {
  return project.writer.append(
    events.map(([type, data, more]) => newEvent({ type, data, ...more })),
  ).seqs;
}

let calls = 0;

/** A shell command and its output. */
export function ran(project: Project, command: string, stdout: string, gap = 0): number {
  calls += 1;
  const toolUseId = `call-${calls}`;
  const between = Array.from({ length: gap }, () => newEvent());
  const call = newEvent({
    type: 'tool.called',
    data: { toolUseId, name: 'Bash', input: { command } },
  });
  const outcome = newEvent({ type: 'tool.succeeded', data: { toolUseId, response: { stdout } } });
  return project.writer.append([call, ...between, outcome]).seqs.at(-1)!;
}

/** An index file of marks, without documents. */
export function fileOf(marks: readonly Mark[]): IndexFile {
  const builder = new IndexBuilder();
  for (const mark of marks) builder.mark(mark);
  const [firstSeq, lastSeq] = [marks[0]?.seq ?? 1, marks.at(-1)?.seq ?? 1];
  const chain = Buffer.alloc(32);
  const range = { firstSeq, lastSeq, chainBefore: chain, chainAt: chain, erasureEpoch: 0 };
  return openIndex(builder.finish(range), realPorts.xxh64)!;
}

/** Appends so many prompts; each has a word of its own, `word17x` by its seq. */
export function grown(project: Project, events: number, session = 's'): void {
  const first = newestSeq(project) + 1;
  const prompts = Array.from({ length: events }, (_, index) =>
    newEvent({
      type: 'prompt.submitted',
      session: `${session}${(first + index) % 3}`,
      data: { text: `Please look at word${first + index}x and at the rest` },
    }),
  );
  project.writer.append(prompts);
}

export function newestSeq(project: Project): number {
  const { last } = journalRange(project.ports, project.reader);
  return last;
}

/** An index of its own, as a new process has it, brought up to date. */
export function keptUp(project: Project, isThorough = false): SearchIndex {
  const epoch = readManifest(project.ports, project.layout)?.erasureEpoch ?? 0;
  const index = new SearchIndex(project, project.reader, epoch);
  finish(index, isThorough);
  return index;
}

export function finish(index: SearchIndex, isThorough = false): void {
  for (const _ of index.steps(isThorough));
}

/** All documents in it, and which of them have some words. */
export function contentOf(index: SearchIndex) {
  const files = index.files();
  const rows = files.flatMap((file) =>
    Array.from({ length: file.rows }, (_, row) => [
      file.seqOf(row),
      file.sessionOf(row),
      file.atOf(row),
      file.kindOf(row),
    ]),
  );
  const last = rows.at(-1)?.[0];
  const words = [`word${last}x`, 'word7x', 'look'];
  const found = words.map((word) => {
    const { hits, of } = rank(files, { should: [word], must: [], not: [], limit: 10 });
    return [word, of, hits.map(({ seq, score }) => [seq, score])];
  });
  return { rows, found, marks: files.flatMap((file) => file.marks()) };
}

/** The same by a reading of the journal that knows no files. */
export function contentBySelf(project: Project) {
  const { documents, marks } = read(project);
  const builder = new IndexBuilder();
  for (const document of documents) builder.add(document);
  for (const mark of marks) builder.mark(mark);
  const chain = Buffer.alloc(32);
  const lastSeq = Math.max(documents.at(-1)?.seq ?? 1, marks.at(-1)?.seq ?? 1);
  const range = { firstSeq: 1, lastSeq, chainBefore: chain, chainAt: chain, erasureEpoch: 0 };
  const file = openIndex(builder.finish(range), realPorts.xxh64)!;
  return contentOf({ files: () => [file] } as SearchIndex);
}

export const folderOf = ({ root, reader }: Project): string => `${root}/search/${reader.origin()}`;

/** Names of the index files, also of those that are being written. */
export const indexNames = (project: Project): string[] => {
  const folder = folderOf(project);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
