import { readFileSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeFs } from '../../src/platform/fs.ts';
import type { Project } from '../../src/project/open.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import { FACTS_VERSION } from '../../src/status/facts.ts';
import { type ContextStatus, status } from '../../src/status/status.ts';
import { Unchanged } from '../../src/status/unchanged.ts';
import { saw, tell } from '../tell.ts';
import { testProject } from '../timetravel/project.ts';

const SEGMENT_BYTES = 20_000;

/** Prompts of a kilobyte, by default of one session. */
function prompts(project: Project, count: number, session = 's'): void {
  for (let n = 0; n < count; n += 1) {
    const about = { session, at: 1_700_000_000_000 + n };
    tell(project, saw('prompt.submitted', { text: 'x'.repeat(1000) }, about));
  }
}

/** Of some segments. */
function journal(): Project {
  const project = testProject({ segmentBytes: SEGMENT_BYTES });
  prompts(project, 100);
  expect(project.reader.segments().length).toBeGreaterThan(4);
  return project;
}

/** What another process says, and which files it reads for it. */
function asked({ dir }: Project): { found: ContextStatus; read: string[] } {
  const read: string[] = [];
  const fs = {
    ...nodeFs,
    open: (...args: Parameters<typeof nodeFs.open>) => {
      if (args[1] === 'r') read.push(args[0]);
      return nodeFs.open(...args);
    },
  };
  return { found: status(testProject({ dir, ports: { fs } })), read };
}

/** What a process says that knows nothing of what others found out. */
function anew(project: Project): ContextStatus {
  rmSync(project.layout.checkpoints, { recursive: true, force: true });
  return asked(project).found;
}

/** But for stored states, which are gone where it is asked anew: what they take, and which there are. */
const content = ({
  storageSize: _,
  lastSaved: _saved,
  checkpoints: _stored,
  cost,
  ...found
}: ContextStatus) => ({
  ...found,
  injectedChars: cost.injectedChars,
});

const segmentsIn = (read: readonly string[]): string[] =>
  [...new Set(read.filter((file) => file.endsWith('.b10')))].map((file) => path.basename(file));

describe('status of a journal that nobody wrote to since', () => {
  test('is what it was, and reads no event and no state but its own', () => {
    const project = journal();
    const first = asked(project).found;
    const { found, read } = asked(project);
    expect(found).toEqual(first);
    const newest = project.reader.segments().at(-1)!.path;
    expect(segmentsIn(read)).toEqual([path.basename(newest)]);
    const states = read.filter((file) => file.startsWith(project.layout.checkpoints));
    expect(states.length).toBe(1);
    expect(states[0]).toContain('/status/');
  });

  test('does not count what it keeps itself as something that was saved', () => {
    const project = journal();
    const { lastSaved } = asked(project).found;
    prompts(project, 1);
    asked(project);
    rmSync(path.join(project.layout.checkpoints, 'overview'), { recursive: true });
    expect(asked(project).found.lastSaved).toBeLessThanOrEqual(lastSaved!);
  });
});

describe('status of a journal that was changed', () => {
  test('knows what was appended', () => {
    const project = journal();
    asked(project);
    prompts(project, 30, 'another');
    const { found } = asked(project);
    expect(found.journal.lastSeq).toBe(130);
    expect(found).toMatchObject({ sessionCount: 2, health: 'good' });
    expect(content(found)).toEqual(content(anew(project)));
  });

  test('need not look into the segments that were finished before, while they are what they were', () => {
    const project = journal();
    const wholeNow = () => {
      const { ports, reader, layout, lz4, decoders } = project;
      const store = new CheckpointStore(ports, layout, { lz4, decoders }, 0);
      const files = reader.segments();
      return new Unchanged(ports, store, files, FACTS_VERSION).knownWhole(files);
    };
    expect(wholeNow()).toBe(0);
    asked(project);
    const finished = project.reader.segments().length - 1;
    expect(wholeNow()).toBe(finished);
    prompts(project, 30);
    expect(project.reader.segments().length).toBeGreaterThan(finished + 1);
    expect(wholeNow()).toBe(finished);
    utimesSync(project.reader.segments()[0]!.path, 1, 1);
    expect(wholeNow()).toBe(0);
  });

  test.each([
    ['cut short', (file: string) => truncateSync(file, 5000)],
    ['removed', (file: string) => rmSync(file)],
    [
      'another one of the same size and time',
      (file: string) => {
        const { mtimeMs } = nodeFs.stat(file);
        const bytes = readFileSync(file);
        bytes.fill(0, 0, 200);
        writeFileSync(`${file}.new`, bytes);
        utimesSync(`${file}.new`, mtimeMs / 1000, mtimeMs / 1000);
        renameSync(`${file}.new`, file);
      },
    ],
  ])('warns when a segment in its middle is %s', (_, change) => {
    const project = journal();
    expect(asked(project).found.warnings).toEqual([]);
    change(project.reader.segments()[2]!.path);
    const { found } = asked(project);
    expect(found.warnings).toEqual([expect.stringMatching(/^events are missing/)]);
    // Nor is it forgotten when it is asked for once more, or when the journal goes on.
    expect(asked(project).found.warnings).toEqual(found.warnings);
    prompts(project, 1);
    expect(asked(project).found.warnings).toEqual(found.warnings);
  });

  test('says that events are lost that were synced, though every segment is what it was', () => {
    const project = journal();
    asked(project);
    const gone = project.reader.segments().at(-1)!.path;
    prompts(project, 30);
    const added = project.reader.segments().filter((file) => file.path > gone);
    expect(added.length).toBeGreaterThan(0);
    for (const { path: file } of added) rmSync(file);
    expect(asked(project).found.journal.lastSeq).toBeLessThan(130);
    expect(content(asked(project).found)).toEqual(content(anew(project)));
  });
});
