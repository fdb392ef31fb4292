import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { segmentSummaryOf } from '../../src/journal/read/segment-summary.ts';
import { nodeFs } from '../../src/platform/fs.ts';
import type { Project } from '../../src/project/open.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import { cutOff } from '../../src/projections/cut-off.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { damagedEvents, READ_BYTES_MAX } from '../../src/status/damaged.ts';
import { type Overview, overviewOf } from '../../src/status/overview.ts';
import { Journal, T0, type Telling } from '../projections/support/telling.ts';
import { seeded } from '../seeded.ts';
import { statesOf, testProject } from '../timetravel/project.ts';

const storeOf = ({ ports, layout, lz4, decoders }: Project) =>
  new CheckpointStore(ports, layout, { lz4, decoders }, 0);

/** As another process sees it. */
const opened = (journal: Journal, fs = nodeFs): Project =>
  testProject({ dir: path.dirname(journal.root), ports: { fs } });

/** As a fold of everything has it. */
function folded(project: Project): Overview {
  const { state } = statesOf(project, false).at(sessions, null);
  const all = Object.values(state.sessions);
  const newest = all.reduce((best, one) => (best.lastAt > one.lastAt ? best : one), all[0]!);
  return { count: state.count, newest, cutOff: cutOff(all, newest?.session ?? '').at(-1) };
}

const KINDS = [
  { type: 'session.started', data: { source: 'startup', cwd: '/w', transcriptPath: '/t' } },
  { type: 'session.ended', data: { reason: 'exit' } },
  { type: 'prompt.submitted', data: { text: 'go on' } },
  { type: 'tool.called', data: { toolUseId: 't', name: 'Bash', input: { command: 'ls' } } },
  { type: 'transcript.read', data: { path: '/t', from: 0, to: 1, partial: true } },
  { type: 'turn.ended', data: {} },
] as unknown as Telling[];

let time = 0;
/** Of one session, or of one of four. */
function some(random: () => number, count: number, session?: string): Telling[] {
  return Array.from({ length: count }, () => {
    const who = { session: session ?? `s${Math.floor(random() * 4)}` };
    time += Math.floor(random() * 3);
    // An import brings the past.
    const at = T0 + (random() < 0.1 ? Math.floor(random() * time) : time);
    return { ...KINDS[Math.floor(random() * KINDS.length)]!, who: { ...who, at } };
  });
}

const files = (journal: Journal, name: string): string[] => {
  const dir = path.join(journal.layout.checkpoints, name, 'project');
  return readdirSync(dir).map((one) => path.join(dir, one));
};

describe('the overview of the sessions', () => {
  test('is what a fold of everything says, whoever goes on and however often it is asked for', {
    tags: 'long',
  }, () => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = seeded(seed);
      const journal = new Journal();
      let told = 0;
      for (let round = 0; round < 25; round += 1) {
        const newest = random() < 0.6 && told > 0 ? folded(opened(journal)).newest : undefined;
        journal.tell(...some(random, 1 + Math.floor(random() * 30), newest?.session));
        if (random() < 0.1) journal.tell(...some(random, 250, newest?.session));
        told += 1;
        if (random() < 0.3) continue;
        const project = opened(journal);
        expect(overviewOf(project, storeOf(project)), `seed ${seed}`).toEqual(folded(project));
      }
      journal.close();
    }
  });

  test('of a journal without sessions has none', () => {
    const journal = new Journal();
    journal.tell({ type: 'turn.ended', data: {}, who: { session: null } });
    const project = opened(journal);
    expect(overviewOf(project, storeOf(project))).toEqual({
      count: 0,
      newest: undefined,
      cutOff: undefined,
    });
  });

  test('is read without the states of all sessions, also when the newest one went on', () => {
    const journal = new Journal();
    journal.tell(...some(seeded(3), 150), ...some(seeded(4), 10, 'last'));
    overviewOf(opened(journal), storeOf(opened(journal)));
    const newest = folded(opened(journal)).newest!.session;
    journal.tell(...some(seeded(5), 20, newest));
    const read: string[] = [];
    const fs = {
      ...nodeFs,
      open: (...args: Parameters<typeof nodeFs.open>) => {
        read.push(args[0]);
        return nodeFs.open(...args);
      },
    };
    const project = opened(journal, fs);
    expect(overviewOf(project, storeOf(project))).toEqual(folded(opened(journal)));
    expect(read.some((file) => file.includes('/overview/'))).toBe(true);
    expect(read.filter((file) => /\/(sessions|session-bounds)\//.test(file))).toEqual([]);
  });

  test('is made again when it is damaged, lost, or of another history', () => {
    const journal = new Journal();
    journal.tell(...some(seeded(7), 300));
    const ask = () => overviewOf(opened(journal), storeOf(opened(journal)));
    const wanted = folded(opened(journal));
    expect(ask()).toEqual(wanted);
    for (const file of files(journal, 'overview')) writeFileSync(file, 'x');
    expect(ask()).toEqual(wanted);
    const kept = files(journal, 'overview').map((file) => [file, nodeFs.stat(file).ino] as const);
    expect(ask()).toEqual(wanted);
    // The one that was made in its place is used.
    for (const [file, ino] of kept) expect(nodeFs.stat(file).ino).toBe(ino);
    rmSync(journal.layout.checkpoints, { recursive: true });
    expect(ask()).toEqual(wanted);

    const another = new Journal();
    another.tell(...some(seeded(8), 300));
    const [foreign] = files(journal, 'overview');
    overviewOf(opened(another), storeOf(opened(another)));
    const [own] = files(another, 'overview');
    expect(path.basename(own!)).toBe(path.basename(foreign!));
    writeFileSync(own!, readFileSync(foreign!));
    expect(overviewOf(opened(another), storeOf(opened(another)))).toEqual(folded(opened(another)));
  });
});

describe('a newest segment that was found whole', () => {
  const damage = (journal: Journal, fs = nodeFs) => {
    const project = opened(journal, fs);
    const segmentSummary = segmentSummaryOf(project.ports, project.reader);
    return damagedEvents(project, segmentSummary, READ_BYTES_MAX + 1, storeOf(project));
  };

  /** How much of the segments is read meanwhile, bytes. */
  function bytesRead(use: (fs: typeof nodeFs) => void): number {
    const segments = new Set<number>();
    let bytes = 0;
    use({
      ...nodeFs,
      open: (...args) => {
        const fd = nodeFs.open(...args);
        if (args[0].endsWith('.b10')) segments.add(fd);
        else segments.delete(fd);
        return fd;
      },
      read: (fd, into, position) => {
        if (segments.has(fd)) bytes += into.length;
        return nodeFs.read(fd, into, position);
      },
    });
    return bytes;
  }

  const long = (): Journal => {
    const journal = new Journal();
    const text = 'x'.repeat(1000);
    const one = { type: 'prompt.submitted', data: { text } } as Telling;
    journal.tell(...Array.from({ length: 1500 }, () => one));
    return journal;
  };

  test('is not read again, but for what was appended since', () => {
    const journal = long();
    const first = bytesRead((fs) => expect(damage(journal, fs)).toEqual([]));
    expect(first).toBeGreaterThan(1_500_000);
    expect(bytesRead((fs) => expect(damage(journal, fs)).toEqual([]))).toBeLessThan(first / 3);
    journal.tell(...some(seeded(1), 5));
    expect(bytesRead((fs) => expect(damage(journal, fs)).toEqual([]))).toBeLessThan(first / 3);
  });

  test('is read again as soon as anything else changed it', () => {
    const journal = long();
    expect(damage(journal)).toEqual([]);
    const { path: file } = opened(journal).reader.segments()[0]!;
    const bytes = readFileSync(file);
    bytes[700_000] = bytes[700_000]! ^ 1;
    writeFileSync(file, bytes);
    const lost = [{ firstSeq: expect.any(Number), lastSeq: expect.any(Number) }];
    expect(damage(journal)).toMatchObject(lost);
    // It is damaged still: nothing was remembered.
    expect(damage(journal)).toMatchObject(lost);
    bytes[700_000] = bytes[700_000]! ^ 1;
    writeFileSync(file, bytes);
    expect(damage(journal)).toEqual([]);
  });

  test('tells of damage in what was appended since', () => {
    const journal = long();
    expect(damage(journal)).toEqual([]);
    const { path: file } = opened(journal).reader.segments()[0]!;
    const before = readFileSync(file).length;
    journal.tell(...some(seeded(1), 5));
    const bytes = readFileSync(file);
    bytes[before + 150] = bytes[before + 150]! ^ 1;
    const fd = nodeFs.open(file, 'r+');
    nodeFs.write(fd, bytes.subarray(before, before + 400), before);
    nodeFs.close(fd);
    expect(damage(journal)).toMatchObject([{ firstSeq: 1501, lastSeq: 1501 }]);
  });
});
