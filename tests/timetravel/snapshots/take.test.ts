import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { Decoder } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { decodeContainer } from '../../../src/journal/format/container.ts';
import { readManifest, writeManifest } from '../../../src/journal/format/manifest.ts';
import type { Project } from '../../../src/project/open.ts';
import { readEvents } from '../../../src/projections/events.ts';
import { context } from '../../../src/projections/folds/context.ts';
import { replay } from '../../../src/timetravel/replay.ts';
import { snapshotIndex } from '../../../src/timetravel/snapshots/indexed.ts';
import { metricsOf, takeSnapshot } from '../../../src/timetravel/snapshots/take.ts';
import { realPorts, scratch } from '../../support.ts';
import { readOnlyFs, testProject } from '../project.ts';
import { SESSION, taken, todo } from './support.ts';

const plainOf = (project: Project, file: string): Buffer =>
  decodeContainer(
    readFileSync(path.join(project.root, file)),
    project.decoders,
    project.ports.xxh64,
  )!;

describe('takeSnapshot', () => {
  it('stores the whole state of now, and is an event that says what and why', () => {
    const project = todo();
    const made = takeSnapshot(project, { session: SESSION, trigger: 'manual' });
    const [event] = readEvents(project.reader, project.ports.xxh64, {
      types: ['snapshot.created'],
    });
    expect(event).toMatchObject({ session: SESSION, source: 'hook', seq: made.upto + 1 });
    expect(event!.data).toEqual(made);
    expect(made).toMatchObject({
      trigger: 'manual',
      snapshot: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    const plain = plainOf(project, made.file);
    const { state, ...about } = replay(project, { point: `@${made.upto}`, session: SESSION });
    const salt = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(new Decoder().decode(plain)).toEqual([
      { ...about, salt },
      JSON.parse(JSON.stringify(state)),
    ]);
    expect(made.before).toEqual(metricsOf(state as never));
    expect(made.before).toMatchObject({ tokens: 1000, messages: 16, toolExecutions: 11 });
    expect(made.contentHash).toBe(hash('sha256', plain, 'hex'));
    expect(made.plainBytes).toBe(plain.length);
    expect(made.bytes).toBe(statSync(path.join(project.root, made.file)).size);
    expect(made.bytes).toBeLessThan(made.plainBytes);
  });

  it('writes for its owner alone, under a name that is made here', () => {
    const project = todo();
    const [made] = taken(project);
    expect(made!.file).toMatch(/^compaction-snapshots\/\d{16}-[0-9a-f]{12}\.ctx$/);
    expect(statSync(path.join(project.root, made!.file)).mode & 0o777).toBe(0o600);
    expect(statSync(project.layout.snapshots).mode & 0o777).toBe(0o700);
  });

  it('folds nothing again that was folded for somebody else before', () => {
    const project = todo();
    const { state } = project.states.at(context, SESSION);
    const states: Project['states'] = Object.create(project.states, {
      at: {
        value(...args: Parameters<Project['states']['at']>) {
          const found = project.states.at(...args);
          if (args[0].name === 'context') expect(found.state).toBe(state);
          return found;
        },
      },
    });
    taken(Object.create(project, { states: { value: states } }) as Project);
  });

  it('says nothing of tokens where the client never did', () => {
    const { tokens, ...rest } = metricsOf(context.initial());
    expect(tokens).toBeUndefined();
    expect(rest).toEqual({ messages: 0, files: 0, toolExecutions: 0 });
    expect(metricsOf(context.initial())).not.toHaveProperty('tokens');
  });

  it('has nothing to store before anything was recorded, and writes nothing then', () => {
    const project = testProject();
    expect(() => taken(project)).toThrow(expect.objectContaining({ code: 'CONTEXT_NOT_FOUND' }));
    expect(readdirSync(project.dir)).toEqual([]);
  });

  it('writes nothing through a link that stands in for the folder', () => {
    const project = todo();
    const elsewhere = scratch();
    symlinkSync(elsewhere, project.layout.snapshots);
    expect(() => taken(project)).toThrow(expect.objectContaining({ code: 'JOURNAL_UNSAFE' }));
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('leaves nothing half done on a disk that cannot be written', () => {
    const project = todo();
    const full = testProject({ dir: project.dir, ports: { fs: readOnlyFs } });
    expect(() => taken(full)).toThrow(expect.objectContaining({ code: 'FS_PERMISSION_DENIED' }));
    expect(snapshotIndex(project).snapshots).toEqual({});
  });

  it('takes the file back when its event cannot be written', () => {
    const project = todo();
    const failing = Object.create(project, {
      recorder: {
        value: {
          event: () => ({}),
          append() {
            throw new Error('no');
          },
        },
      },
    }) as Project;
    expect(() => taken(failing)).toThrow('no');
    expect(readdirSync(project.layout.snapshots)).toEqual([]);
  });

  it('is taken again when events were erased meanwhile', () => {
    const project = todo();
    const { fs } = project.ports;
    let overtaken = 0;
    const noting: typeof fs = {
      ...fs,
      rename(from, to) {
        fs.rename(from, to);
        if (!to.includes('compaction-snapshots') || overtaken > 0) return;
        overtaken += 1;
        const manifest = readManifest(realPorts, project.layout)!;
        writeManifest(realPorts, project.layout, { ...manifest, erasureEpoch: 1 });
      },
    };
    const ports = { ...project.ports, fs: noting };
    const [made] = taken(Object.create(project, { ports: { value: ports } }) as Project);
    expect(overtaken).toBe(1);
    expect(readdirSync(project.layout.snapshots)).toEqual([path.basename(made!.file)]);
  });
});
