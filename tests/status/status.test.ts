import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { statusLines } from '../../src/cli/ui/status.ts';
import { spool } from '../../src/journal/append/inbox.ts';
import { SEGMENT_HEADER_BYTES } from '../../src/journal/format/format.ts';
import { journalRange } from '../../src/journal/read/range.ts';
import { segmentSummaryOf } from '../../src/journal/read/segment-summary.ts';
import { repairJournal } from '../../src/journal/repair/repair.ts';
import { compileSettings } from '../../src/platform/compile-settings.ts';
import { type FileSystem, nodeFs } from '../../src/platform/fs.ts';
import { STATUS } from '../../src/project/features.ts';
import { openProject, type Project } from '../../src/project/open.ts';
import { CheckpointStore } from '../../src/projections/checkpoints.ts';
import { context } from '../../src/projections/folds/context.ts';
import { damagedEvents, READ_BYTES_MAX } from '../../src/status/damaged.ts';
import { status } from '../../src/status/status.ts';
import { WAITING_MS_MAX } from '../../src/status/warnings.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { newEvent, realPorts } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { lived } from '../timetravel/lived.ts';
import { imported, readOnlyFs, testProject, transcript } from '../timetravel/project.ts';

const PLAIN = { green: String, yellow: String, red: String, bold: String };
const SESSION_ID = 'd3165355-f445-4093-ae34-d89d2f2d29db';
const todo = () =>
  imported(testProject(), transcript('claude-2.1.329-real-todo-app/transcript.jsonl'));

const storeOf = ({ ports, layout, lz4, decoders }: Project) =>
  new CheckpointStore(ports, layout, { lz4, decoders }, 0);

/** Bytes of all files under a folder, counted another way. */
function bytesIn(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((one) =>
    one.isFile(),
  );
  return files.reduce((sum, file) => sum + statSync(path.join(file.parentPath, file.name)).size, 0);
}

describe('status', () => {
  test('counts what was recorded', () => {
    const project = lived(testProject(), 'working-session');
    const found = status(project);
    expect(found).toMatchObject({
      exists: true,
      directory: project.dir,
      sessionCount: 2,
      health: 'good',
      warnings: [],
    });
    const { first, last } = journalRange(project.ports, project.reader);
    expect(found.journal).toMatchObject({
      events: last - first + 1,
      lastSeq: last,
      segments: 1,
      inbox: 0,
    });
    expect(found.journal.bytes).toBe(bytesIn(project.layout.journal));
  });

  test('messages, tokens and files are of the session that was active last', () => {
    const found = status(todo());
    expect(found).toMatchObject({
      messageCount: 16,
      tokenCount: 1000,
      trackedFiles: 2,
      sessionCount: 1,
    });
  });

  test('warns of snapshots that take more than their own limit, and not below it', () => {
    const project = todo();
    const { bytes } = takeSnapshot(project, { session: SESSION_ID, trigger: 'manual' });
    const withLimit = (megabytes: number): Project =>
      Object.create(project, { snapshotsMaxMb: { value: megabytes } }) as Project;
    expect(status(withLimit(bytes / 1e6), STATUS).warnings).toEqual([]);
    expect(status(withLimit((bytes - 1) / 1e6), STATUS).warnings).toEqual([
      expect.stringMatching(
        /^the compaction snapshots take [\d.]+ KB, more than context\.compactionSnapshots\.maxStorageMb .*ben10 snapshot list/,
      ),
    ]);
  });

  test('where the client reports no tokens they are estimated from the messages', () => {
    const project = testProject();
    tell(project, saw('prompt.submitted', { text: 'x'.repeat(310) }));
    expect(status(project).tokenCount).toBe(100);
  });

  test('lists the stored states of that session, the newest first, with their messages', () => {
    const project = testProject();
    lived(project, 'working-session', () => {
      for (const { session } of sessionsAt(project)) project.states.checkpoint(context, session);
    });
    const { checkpoints, lastSaved } = status(project);
    expect(checkpoints.length).toBeGreaterThan(0);
    expect(checkpoints.length).toBeLessThanOrEqual(5);
    expect(Number.isInteger(lastSaved)).toBe(true);
    for (const one of checkpoints) {
      expect(Number.isInteger(one.timestamp)).toBe(true);
      expect(one.id).toMatch(/^@\d+$/);
      expect(lastSaved).toBeGreaterThanOrEqual(one.timestamp);
    }
    expect(checkpoints[0]!.messageCount).toBeGreaterThan(0);
    const seqs = checkpoints.map((one) => Number(one.id.slice(1)));
    expect(seqs).toEqual([...seqs].sort((a, b) => b - a));
  });

  test('reads each stored state once, however often it is asked, and a new one as well', () => {
    const project = testProject();
    lived(project, 'working-session', () => {
      for (const { session } of sessionsAt(project)) project.states.checkpoint(context, session);
    });
    let opened = 0;
    const open: FileSystem['open'] = (file, flags, mode) => {
      if (/checkpoints\/context\/.*\.ckpt$/.test(file)) opened += 1;
      return nodeFs.open(file, flags, mode);
    };
    const ports = { ...project.ports, fs: { ...project.ports.fs, open } };
    const counting = Object.create(project, { ports: { value: ports } }) as Project;
    const { checkpoints } = status(counting);
    expect(opened).toBe(checkpoints.length);
    expect(status(counting).checkpoints).toEqual(checkpoints);
    expect(opened).toBe(checkpoints.length);
    const { states } = project;
    const { session } = sessionsAt(project)[0]!;
    tell(project, saw('turn.ended', {}, { session, at: Date.now() }));
    states.checkpoint(context, session);
    const before = opened;
    expect(status(counting).checkpoints[0]).not.toEqual(checkpoints[0]);
    expect(opened).toBe(before + 1);
  });

  test('its own cost is its files and what its hooks put into the context', () => {
    const project = todo();
    for (const chars of [310, 3100]) {
      const data = { event: 'SessionStart', source: 'compact', chars, items: [] };
      tell(project, saw('recall.injected', data));
    }
    const { cost, storageSize } = status(project);
    expect(cost).toEqual({
      bytes: storageSize,
      injectedChars: 3410,
      injectedTokens: 1100,
      hookCalls: 0,
      hookMs: null,
      hookP95Ms: null,
      slowHooks: 0,
      slowest: null,
    });
  });

  test('a project without a journal does not exist, and stays as it is', () => {
    const project = testProject();
    expect(status(project)).toMatchObject({
      exists: false,
      health: 'warning',
      storageSize: 0,
      lastSaved: null,
      checkpoints: [],
      journal: { events: 0, segments: 0, bytes: 0, lastSeq: 0, inbox: 0 },
    });
    expect(status(project).warnings[0]).toContain('ben10 init');
    expect(readdirSync(project.dir)).toEqual([]);
  });

  test('on a disk that cannot be written it says the same', () => {
    const project = lived(testProject(), 'two-compactions');
    rmSync(project.layout.checkpoints, { recursive: true, force: true });
    const readOnly = testProject({ dir: project.dir, ports: { fs: readOnlyFs } });
    const found = status(readOnly);
    expect(readdirSync(project.root)).not.toContain('checkpoints');
    expect(found).toMatchObject({ exists: true, health: 'good' });
    const { messageCount, tokenCount, trackedFiles, sessionCount } = status(project);
    expect(found).toMatchObject({ messageCount, tokenCount, trackedFiles, sessionCount });
  });
});

const nameOf = (first: number, last: number): string =>
  first === last ? `@${first}` : `@${first} to @${last}`;

describe('warnings', () => {
  test('say when more is kept than was wanted, and never before', () => {
    const project = todo();
    const size = status(project).storageSize;
    writeFileSync(path.join(project.root, 'filler'), Buffer.alloc(2_000_000 - size));
    const limited = (maxStorageMb: number) =>
      status(Object.create(project, { maxStorageMb: { value: maxStorageMb } }));
    expect(limited(2).warnings).toEqual([]);
    writeFileSync(path.join(project.root, 'more'), 'x');
    const found = limited(2);
    expect(found.health).toBe('warning');
    // In the words in which its size stands above.
    expect(found.warnings[0]).toContain('uses 2.0 MB, more than context.maxStorageMb (2)');
    expect(statusLines(found, PLAIN).join('\n')).toContain('2.0 MB\n  hooks');
    // What takes the space, and what helps where a compaction does not.
    expect(found.warnings[0]).toMatch(/: the rest [\d.]+ MB, journal [\d.]+ KB.*retention\.events/);
    expect(limited(3).warnings).toEqual([]);
  });

  test('say so of every folder that the journal was kept in before, until it is gone from there', () => {
    const project = todo();
    const { dir } = project;
    const move = (place: string) => {
      const env = { BEN10_CONTEXT_STORAGE_LOCATION: '' };
      writeFileSync(`${dir}/.ben10/config.yaml`, `context:\n  storageLocation: ${place}\n`);
      compileSettings({ projectDir: dir, env, home: `${dir}/home` });
      const moved = openProject(dir, { lockBudgetMs: 0, lock: realPorts.lock!, env });
      moved.writer.append([newEvent()]);
      moved.close();
      return status(moved).warnings;
    };
    const isIn = (place: string) =>
      expect.stringContaining(`an earlier journal in ${dir}/${place} `);
    expect(move('one/two')).toEqual([isIn('.ben10')]);
    expect(move('three')).toEqual([isIn('.ben10'), isIn('one/two')]);
    expect(move('.ben10')).toEqual([isIn('one/two'), isIn('three')]);
    rmSync(`${dir}/one/two/journal`, { recursive: true });
    expect(move('.ben10')).toEqual([isIn('three')]);
  });

  test('events that wait in the inbox longer than a minute', () => {
    const project = todo();
    spool(project.ports, project.layout, [newEvent(), newEvent()]);
    expect(status(project)).toMatchObject({ health: 'good', journal: { inbox: 1 } });
    const now = Date.now();
    const at = (ms: number) => {
      const clock = { ...realPorts.clock, now: () => now + ms };
      return status(testProject({ dir: project.dir, ports: { clock } }));
    };
    expect(at(WAITING_MS_MAX - 1000).warnings).toEqual([]);
    const late = at(WAITING_MS_MAX + 1000);
    expect(late.health).toBe('warning');
    expect(late.warnings[0]).toMatch(/^1 append.* inbox/);
  });

  test('a system without a kernel lock', () => {
    const project = todo();
    const found = status(testProject({ dir: project.dir, ports: { lock: undefined } }));
    expect(found.warnings[0]).toContain('no file lock');
  });

  test('pieces that were set aside', () => {
    const project = todo();
    mkdirSync(project.layout.quarantine);
    writeFileSync(path.join(project.layout.quarantine, 'piece'), 'x');
    expect(status(project).warnings[0]).toMatch(/^1 file in .*ben10 doctor/);
  });

  test('events that are not there, which are not counted', () => {
    const project = testProject({ segmentBytes: 4096 });
    lived(project, 'working-session');
    const whole = status(project);
    const segments = project.reader.segments();
    expect(segments.length).toBeGreaterThan(4);
    expect(whole).toMatchObject({ health: 'good' });
    const [first, second] = [segments[1]!.firstSeq, segments[2]!.firstSeq];
    rmSync(segments[1]!.path);
    expect(status(project)).toMatchObject({
      health: 'warning',
      warnings: [
        `events are missing or cannot be read: ${nameOf(first, second - 1)}: run ben10 verify`,
      ],
      journal: { events: whole.journal.events - (second - first), lastSeq: whole.journal.lastSeq },
    });
  });

  test('events that are damaged between the ends of a segment, in any of them', () => {
    const project = testProject({ segmentBytes: 4096 });
    lived(project, 'working-session');
    const segments = project.reader.segments();
    for (const { path: file, firstSeq } of [segments[1]!, segments.at(-1)!]) {
      const bytes = readFileSync(file);
      const at = SEGMENT_HEADER_BYTES + 100;
      writeFileSync(file, bytes.with(at, bytes[at]! ^ 1));
      const found = status(testProject({ dir: project.dir }));
      expect(found, file).toMatchObject({
        health: 'warning',
        warnings: [`events are missing or cannot be read: @${firstSeq}: run ben10 verify`],
      });
      writeFileSync(file, bytes);
      expect(status(testProject({ dir: project.dir })).health).toBe('good');
    }
  });

  test('damage in the newest segment also of a journal that is too long to be read as a whole', () => {
    const project = lived(testProject(), 'working-session');
    const segmentSummary = segmentSummaryOf(project.ports, project.reader);
    const [file] = project.reader.segments();
    const bytes = readFileSync(file!.path);
    const at = SEGMENT_HEADER_BYTES + 100;
    writeFileSync(file!.path, bytes.with(at, bytes[at]! ^ 1));
    const found = (size: number) =>
      damagedEvents(testProject({ dir: project.dir }), segmentSummary, size, storeOf(project));
    const lost = [{ firstSeq: 1, lastSeq: 1, segment: path.basename(file!.path) }];
    expect(found(READ_BYTES_MAX)).toEqual(lost);
    expect(found(READ_BYTES_MAX + 1)).toEqual(lost);
  });

  test('a journal of which nothing can be read is not one where nothing was recorded', () => {
    const project = todo();
    const [file] = project.reader.segments();
    writeFileSync(file!.path, '');
    const found = status(testProject({ dir: project.dir }));
    expect(found).toMatchObject({ exists: true, health: 'warning', journal: { events: 0 } });
    expect(found.warnings[0]).toMatch(/cannot be read: @1 to @52|from @1 on/);
  });

  test('a lost manifest', () => {
    const project = todo();
    rmSync(project.layout.manifest);
    expect(status(project)).toMatchObject({ exists: true, health: 'warning', messageCount: 16 });
  });
});

describe('errors', () => {
  test('a .ben10 that is a link is not looked into', () => {
    const project = testProject();
    symlinkSync(todo().root, project.root);
    const found = status(project);
    expect(found).toMatchObject({ exists: false, health: 'error', journal: { events: 0 } });
    expect(found.warnings[0]).toContain('symbolic link');
  });

  test('a journal of a later ben10 is said to be one', () => {
    const project = todo();
    const line = JSON.stringify({ format: 99 });
    const sum = realPorts.xxh64(Buffer.from(line), 0n).toString(16).padStart(16, '0');
    writeFileSync(project.layout.manifest, `${line}\n${sum}\n`);
    const found = status(project);
    expect(found.health).toBe('error');
    expect(found.warnings[0]).toContain('a later ben10');
  });

  test('what a repair recorded as lost is no warning any more', () => {
    const project = testProject();
    for (let n = 0; n < 3; n += 1) {
      project.writer.append([newEvent({ data: `n${n}` })]);
      project.writer.rotate(0);
    }
    rmSync(project.reader.segments()[1]!.path);
    expect(status(project).warnings).toEqual([expect.stringContaining('@2')]);
    repairJournal(project.ports, project.root, project.decoders);
    expect(status(project)).toMatchObject({ health: 'good', warnings: [] });
  });

  test('a folder that cannot be read is said', () => {
    const project = todo();
    const readdir = () => {
      throw Object.assign(new Error('permission denied: journal'), { code: 'EACCES' });
    };
    const fs = { ...realPorts.fs, readdir };
    const found = status(testProject({ dir: project.dir, ports: { fs } }));
    expect(found).toMatchObject({ exists: false, health: 'error' });
    expect(found.warnings[0]).toContain('permission denied');
  });
});
