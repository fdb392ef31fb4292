import type { EventType } from '../../src/events/catalogue.ts';
import type { JournalEvent } from '../../src/events/types.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import type { Mark, SearchDocument } from '../../src/search/document.ts';
import { Documents, INDEXED_TYPES, JOINED_EVENTS } from '../../src/search/documents.ts';
import { type IndexFile, openIndex } from '../../src/search/index-read.ts';
import { IndexBuilder } from '../../src/search/index-write.ts';
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
