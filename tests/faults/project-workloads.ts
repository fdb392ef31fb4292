import { importTranscripts } from '../../src/capture/import.ts';
import { JournalWriter } from '../../src/journal/append/writer.ts';
import { decodeContainer } from '../../src/journal/format/container.ts';
import { layoutOf } from '../../src/journal/format/layout.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import type { JournalPorts } from '../../src/journal/format/ports.ts';
import { SupersedingReader } from '../../src/journal/read/superseding-reader.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import { Ben10Error } from '../../src/platform/errors.ts';
import type { Project } from '../../src/project/open.ts';
import type { Projection } from '../../src/projections/contract.ts';
import { context } from '../../src/projections/folds/context.ts';
import { States } from '../../src/projections/states.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { save } from '../../src/timetravel/saves.ts';
import { ROOT } from '../damage/corpus.ts';
import type { MemoryFs } from '../damage/memory-fs.ts';
import { decoders } from '../ports.ts';
import { projectOn } from '../project-on.ts';
import type { Work, Workload } from './work.ts';

const TRANSCRIPT = '/project/session.jsonl';
const SESSION = 'session';
const TEXTS = ['Always write ISO dates.', 'I will.'];

/** A project as the command line opens it, on a file system in memory; what is appended is noted once it is promised. */
function withProject<T>(work: Work, ports: JournalPorts, use: (project: Project) => T): T {
  const writer = new (class extends JournalWriter {
    override append(events: Parameters<JournalWriter['append']>[0]) {
      const appended = super.append(events);
      work.acknowledged.push(...events);
      return appended;
    }
  })(ports, ROOT, { lockBudgetMs: 0 });
  try {
    return use(projectOn(ports, ROOT, writer));
  } finally {
    writer.close();
  }
}

const record = (type: string, uuid: string, parentUuid: string | null, message: unknown): string =>
  `${JSON.stringify({
    type,
    uuid,
    parentUuid,
    sessionId: SESSION,
    timestamp: '2026-03-01T10:00:00.000Z',
    message,
  })}\n`;

function putTranscript(fs: MemoryFs): void {
  const text = [
    record('user', 'u1', null, { role: 'user', content: TEXTS[0] }),
    record('assistant', 'u2', 'u1', {
      id: 'm1',
      role: 'assistant',
      content: [{ type: 'text', text: TEXTS[1] }],
      stop_reason: 'end_turn',
    }),
  ].join('');
  const fd = fs.open(TRANSCRIPT, 'wx');
  fs.write(fd, Buffer.from(text), 0);
  fs.close(fd);
}

const importOf = (work: Work, ports: JournalPorts): number =>
  withProject(work, ports, (project) => {
    const told = importTranscripts({ ...project, paths: [TRANSCRIPT] });
    return told.length;
  });

/** Of everything that is closed, whatever the clock says. */
const drop = (work: Work, ports: JournalPorts): void =>
  withProject(work, ports, (project) => {
    try {
      dropOld(project, -1, { zstd: work.makers.zstd, decoders }, DROPPED);
    } catch (error) {
      // What the opening of a project hands on has a code of the system; these have ben10's.
      throw error instanceof Ben10Error ? error : new Error('no error of ours', { cause: error });
    }
  });

/** Few, so that each call can be made to fail. */
const DROPPED = { project: [], session: [context] as unknown as Projection[] };

/** Of the session, as whoever comes next sees it: with what is stored, and folded anew. */
const statesNow = (work: Work, ports: JournalPorts): string[] =>
  withProject(work, ports, ({ states, reader }) =>
    [states, new States(reader, ports.xxh64)].map((from) =>
      JSON.stringify(from.at(context, SESSION).state),
    ),
  );

const payloadsOf = (ports: JournalPorts): string[] =>
  [...new SupersedingReader(ports, ROOT, decoders).entries()].flatMap(({ entry }) =>
    entry === undefined ? [] : [entry.payload.toString('latin1')],
  );

export const PROJECT_WORKLOADS: readonly Workload[] = [
  {
    name: 'import',
    prepare: (_, fs) => putTranscript(fs),
    run: (work) => void importOf(work, work.ports),
    // What the fault kept from it comes with the next import, and no more with the one after that.
    *after(work, ports) {
      importOf({ ...work, acknowledged: [] }, ports);
      const there = payloadsOf(ports);
      for (const text of TEXTS)
        if (!there.some((one) => one.includes(text)))
          yield `the next import did not bring "${text}"`;
      importOf({ ...work, acknowledged: [] }, ports);
      const more = payloadsOf(ports).length - there.length;
      if (more !== 0) yield `the import after that brought ${more} more events`;
    },
  },
  {
    name: 'save',
    prepare: (work, fs) => {
      putTranscript(fs);
      importOf(work, work.ports);
    },
    run: (work) =>
      withProject(work, work.ports, (project) => {
        work.saved = save(project, { name: 'before lunch' });
      }),
    // What was promised can be read back.
    *after({ saved, makers }, { fs }) {
      if (saved === undefined) return;
      const stat = fs.statIfThere(`${ROOT}/${saved.file}`);
      const bytes = (fs as MemoryFs).bytesOf(`${ROOT}/${saved.file}`);
      if (stat?.size !== saved.bytes) yield 'the file of a save that was promised is not there';
      else if (decodeContainer(bytes, decoders, makers.xxh64) === undefined)
        yield 'the file of a save that was promised cannot be read';
    },
  },
  {
    name: 'drop',
    prepare: (work, fs) => {
      putTranscript(fs);
      importOf(work, work.ports);
      withProject(work, work.ports, ({ writer }) => writer.rotate(0));
      work.before = statesNow(work, work.ports)[0]!;
    },
    run: (work) => drop(work, work.ports),
    // It was not begun, or is finished by the next one; whoever looks meanwhile sees what was there before.
    *after(work, ports) {
      const then = { ...work, acknowledged: [] };
      const changed = () => statesNow(then, ports).some((state) => state !== work.before);
      if (changed()) yield 'the state is another one behind the fault';
      drop(then, ports);
      compactJournal(ports, ROOT, { zstd: work.makers.zstd, decoders });
      if (changed()) yield 'the state is another one behind the next compaction';
      const { dropping } = readManifest(ports, layoutOf(ROOT))!;
      if (dropping !== undefined) yield 'the next compaction leaves the drop undone';
      const left = payloadsOf(ports).filter((one) => one.includes('prompt.submitted'));
      if (left.length > 0) yield 'the next compaction did not drop what is old';
    },
  },
];
