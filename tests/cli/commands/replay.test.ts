import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PROJECTIONS, replay } from '../../../src/timetravel/replay.ts';
import { openTestProject } from '../../support.ts';
import { loseEvent, loseHeader } from '../damaged.ts';
import { emptyProject, inMemory, json, lines, recordedProject, SESSION_ID } from '../support.ts';

interface Replay {
  point: { seq: number; at: number };
  projection: string;
  version: number;
  session: string | null;
  state: Record<string, never>;
}

describe('ben10 replay', () => {
  it('prints the point, the projection and its state as JSON', async () => {
    const dir = recordedProject();
    for (const projection of Object.keys(PROJECTIONS)) {
      const result = await inMemory(dir, ['replay', '@33', '--projection', projection, '--json']);
      expect(json<Replay>(result)).toMatchObject({
        point: { seq: 33, at: expect.any(Number) },
        projection,
        version: PROJECTIONS[projection]!.version,
      });
      const { state } = replay(openTestProject(dir), { point: '@33', projection });
      expect(Object.keys(state as object).length).toBeGreaterThan(0);
      // Of files it says more: how relevant each is.
      expect(json<Replay>(result).state).toMatchObject(JSON.parse(JSON.stringify(state)));
    }
  });

  it('tells a person what the agent knew, did and had open just before its compaction', async () => {
    const { code, stdout } = await inMemory(recordedProject(), ['replay', '@compaction:-1']);
    expect(code).toBe(0);
    expect(stdout).toContain(`session ${SESSION_ID} at @33`);
    expect(stdout).toContain('Keep dates as ISO strings and never use a library for them.');
    expect(stdout).toContain('node --test');
    expect(stdout).toContain('Overdue filter');
    expect(stdout).not.toContain('Now the overdue filter please');
  });

  it('says of each file how relevant it is, what it is about, and who changed it', async () => {
    const dir = recordedProject();
    const args = ['replay', '--projection', 'files'];
    const { state } = json<{ state: { files: Record<string, object> } }>(
      await inMemory(dir, [...args, '--json']),
    );
    const found = Object.values(state.files);
    expect(found.at(-1)).toMatchObject({
      relevance: expect.any(Number),
      accessCount: expect.any(Number),
      known: { hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      lastTool: expect.stringMatching(/^(?:Read|Edit|Write)$/),
    });
    const { stdout } = await inMemory(dir, args);
    expect(stdout).toMatch(/todo\.js .*used \d+ times, relevance 0\.\d+; \S+/);
    expect(stdout).toMatch(/\nChanges of files, newest last\n {2}@\d+ +Edit +\S+/);
    const { stdout: given } = await inMemory(dir, ['restore', '--only', 'files']);
    expect(given).toMatch(/todo\.js .*relevance 0\.\d+/);
    expect(given).toContain('Changes of files, newest last:');
  });

  it('says by a digest which folder the state is of', async () => {
    const { state } = json<{ state: { directory: string; directoryHash: string } }>(
      await inMemory(recordedProject(), ['replay', '--json']),
    );
    expect(state.directory).toMatch(/^\//);
    expect(state.directoryHash).toBe(createHash('sha256').update(state.directory).digest('hex'));
  });

  it('is of now without a point, and of the session that is asked for', async () => {
    const dir = recordedProject();
    const now = json<Replay>(await inMemory(dir, ['replay', '--json']));
    expect(now.point.seq).toBe(52);
    const asked = json<Replay>(await inMemory(dir, ['replay', '--session', 'd31', '--json']));
    expect(asked).toEqual({ ...now, session: SESSION_ID });
    expect(await inMemory(dir, ['replay', '--session', 'none'])).toMatchObject({ code: 1 });
  });

  it('lists the events up to the point instead', async () => {
    const dir = recordedProject();
    const events = await inMemory(dir, ['replay', '@compaction:-1', '--events', '--json']);
    const seqs = lines<{ seq: number; data: unknown }>(events).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 33 }, (_, i) => i + 1));
    const people = await inMemory(dir, ['replay', '@compaction:-1', '--events']);
    expect(people.stdout.trimEnd().split('\n')).toHaveLength(33);
  });

  it('says what there is when a point does not exist, with exit code 1', async () => {
    const { code, stderr } = await inMemory(recordedProject(), ['replay', '@999']);
    expect(code).toBe(1);
    expect(stderr).toContain('[POINT_NOT_FOUND]');
    expect(stderr).toContain('52');
    expect(await inMemory(recordedProject(), ['replay', '@compaction:-2'])).toMatchObject({
      code: 1,
    });
  });

  it('has something to say of an empty journal', async () => {
    expect(await inMemory(emptyProject(), ['replay'])).toMatchObject({ code: 0 });
  });

  it('says that events could not be read, in words and under a key of its own', async () => {
    const sound = recordedProject();
    expect(json(await inMemory(sound, ['replay', '--json']))).toMatchObject({ unreadable: null });
    const dir = recordedProject();
    loseHeader(dir);
    expect(await inMemory(dir, ['replay'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'some events could not be read, in 0000000000000001.b10: run ben10 verify\n',
    });
    const one = recordedProject();
    loseEvent(one);
    expect((await inMemory(one, ['replay', '@20'])).stderr).toContain('1 event could not be read');
    const unreadable = { events: 1, segments: ['0000000000000001.b10'] };
    expect(json(await inMemory(one, ['replay', '--json']))).toMatchObject({ unreadable });
    const events = lines(await inMemory(one, ['replay', '--events', '--json']));
    expect(events.at(-1)).toEqual({ unreadable });
    expect(await inMemory(one, ['replay', '@999'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1 event could not be read'),
    });
  });
});
