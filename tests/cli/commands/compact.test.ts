import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { save } from '../../../src/timetravel/saves.ts';
import { prompt } from '../../log/events.ts';
import { openTestProject, realPorts, scratch } from '../../support.ts';
import { testProject } from '../../timetravel/project.ts';
import { taken, todo } from '../../timetravel/snapshots/support.ts';
import { cleanEnv, emptyProject, here, inMemory, json, PROGRAM } from '../support.ts';

interface Compacted {
  dryRun: boolean;
  bytesBefore: number;
  bytesAfter: number | null;
  segments: {
    segment: string;
    bytesBefore: number;
    bytesAfter: number | null;
    action: string;
    why: string;
  }[];
}

/** Three closed segments and an open one. */
function largeProject(): string {
  const dir = emptyProject();
  const { writer } = openTestProject(dir);
  for (let segment = 0; segment < 4; segment += 1) {
    if (segment > 0) writer.rotate(0);
    writer.append(
      Array.from({ length: 50 }, (_, n) => prompt(`${n} ${'words and words '.repeat(30)}`)),
    );
  }
  return dir;
}

describe('ben10 compact', () => {
  it('makes the journal smaller, says what was done to each segment, and loses nothing', {
    tags: 'long',
  }, async () => {
    const dir = largeProject();
    const before = (await here(dir, ['log', '--json'])).stdout;
    const result = await here(dir, ['compact', '--json']);
    expect(result.status).toBe(0);
    const done = json<Compacted>(result);
    expect(done.bytesAfter).toBeLessThan(done.bytesBefore / 2);
    expect(done.segments.map(({ action }) => action)).toEqual([
      'sealed',
      'sealed',
      'sealed',
      'kept',
    ]);
    expect(done.segments.at(-1)!.why).toContain('being appended to');
    expect((await here(dir, ['log', '--json'])).stdout).toBe(before);
    expect((await here(dir, ['verify'])).status).toBe(0);
  });

  it('tells people how much was saved, and that a second time there is nothing to do', {
    tags: 'long',
  }, async () => {
    const dir = largeProject();
    expect((await here(dir, ['compact'])).stdout).toMatch(
      /^\d+ KB became [\d.]+ KB: \d+ % less\.\n/,
    );
    const again = await here(dir, ['compact']);
    expect(again.stdout).toMatch(/^Nothing could be compressed further\./);
    expect(again.status).toBe(0);
  });

  it('says what takes the space and what helps, where the limit is passed even so', {
    tags: 'long',
  }, async () => {
    const dir = largeProject();
    await here(dir, ['config', 'set', 'context.maxStorageMb', '1']);
    writeFileSync(path.join(dir, '.ben10/filler'), Buffer.alloc(1_100_000));
    const { stdout } = await here(dir, ['compact']);
    expect(stdout).toMatch(
      /context\.maxStorageMb \(1\): the rest 1\.\d MB, .*; you can delete snapshots/,
    );
    expect(stdout).not.toContain('run ben10 compact');
  });

  it('does nothing on a dry run', async () => {
    const dir = largeProject();
    const planned = json<Compacted>(await here(dir, ['compact', '--dry-run', '--json']));
    expect(planned).toMatchObject({ dryRun: true, bytesAfter: null });
    expect((await here(dir, ['compact', '--dry-run'])).stdout).toMatch(
      /^Plan; nothing was changed:/,
    );
    expect(
      openTestProject(dir)
        .reader.segments()
        .every(({ sealed }) => !sealed),
    ).toBe(true);
  });

  it('says on a dry run of the open segment what the real run then does', async () => {
    const dir = emptyProject();
    const { writer } = openTestProject(dir);
    writer.append(Array.from({ length: 200 }, (_, n) => prompt(`${n} ${'words '.repeat(80)}`)));
    const [planned] = json<Compacted>(await here(dir, ['compact', '--dry-run', '--json'])).segments;
    const [done] = json<Compacted>(await here(dir, ['compact', '--json'])).segments;
    expect(done).toMatchObject({ action: 'sealed' });
    expect(planned).toEqual({ ...done, bytesAfter: null });
  });

  it('has nothing to do right after init', async () => {
    const dir = scratch();
    await here(dir, ['init']);
    for (const args of [['compact'], ['compact', '--dry-run']]) {
      const { status, stdout, stderr } = await here(dir, args);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toBe('The journal is empty.\n');
    }
  });

  it('says on a dry run what would become of saves and snapshots, and leaves them as they are', {
    tags: 'long',
  }, async () => {
    const dir = emptyProject();
    const project = todo({ dir });
    save(project, { name: 'n' });
    const made = taken(project, 3);
    await inMemory(dir, ['config', 'set', 'context.compactionSnapshots.retentionCount', '2']);
    const files = () => readdirSync(path.join(dir, '.ben10/compaction-snapshots')).sort();
    const before = files();
    const { stored } = json<{ stored: object }>(
      await here(dir, ['compact', '--dry-run', '--json']),
    );
    expect(stored).toEqual({
      removed: [{ id: made[0]!.snapshot, why: 'count' }],
      bytes: made[0]!.bytes,
      archived: { files: 3, bytes: expect.any(Number) },
      statesIfLarge: { files: 0, bytes: 0 },
      removedIfLarge: [],
    });
    const { stdout } = await here(dir, ['compact', '--dry-run']);
    expect(stdout).toContain(`Would remove 1 snapshot, `);
    expect(stdout).toContain('Would compress 3 saves and snapshots, now ');
    expect(files()).toEqual(before);
    const done = json<{ stored: object }>(await here(dir, ['compact', '--json']));
    expect(done.stored).toMatchObject({
      removed: [{ id: made[0]!.snapshot, why: 'count' }],
      archived: {
        files: 3,
        bytesBefore: (stored as { archived: { bytes: number } }).archived.bytes,
      },
    });
    const again = json<{ stored: object }>(await here(dir, ['compact', '--dry-run', '--json']));
    expect(again.stored).toMatchObject({ removed: [], archived: { files: 0, bytes: 0 } });
  });
});

describe('ben10 compact with an age for events', () => {
  const DAY_MS = 86_400_000;
  const settings = { BEN10_RETENTION_EVENTS: '90d' };

  /** Three closed segments of a hundred days ago, and one of today. */
  function oldProject(): string {
    const dir = emptyProject();
    let days = 100;
    const clock = { ...realPorts.clock, now: () => realPorts.clock.now() - days * DAY_MS };
    const { writer } = testProject({ dir, ports: { clock } });
    for (let segment = 0; segment < 3; segment += 1) {
      const texts = Array.from(
        { length: 50 },
        (_, n) => `${segment} ${n} ${randomBytes(3000).toString('base64')}`,
      );
      writer.append(texts.map((text) => prompt(text, { at: clock.now() })));
      writer.rotate(0);
    }
    days = 0;
    writer.append([prompt('Of today.', { session: 's2', at: clock.now() })]);
    return dir;
  }

  it('drops nothing unless it is set, and with --dry-run says what it would drop', {
    tags: 'long',
  }, async () => {
    const dir = oldProject();
    expect(json(await here(dir, ['compact', '--dry-run', '--json']))).toMatchObject({
      dropped: null,
    });
    const { stdout } = await here(dir, ['compact', '--dry-run'], settings);
    expect(stdout).toContain('Would drop for their age (retention.events): 150 events up to @150');
    expect((await here(dir, ['show', '3'])).status).toBe(0);
  });

  it('drops what is older, and keeps what was known of it', { tags: 'long' }, async () => {
    const dir = oldProject();
    const before = (await here(dir, ['replay', '@150', '--session', 's1', '--json'])).stdout;
    const { stdout, status } = await here(dir, ['compact'], settings);
    expect(status).toBe(0);
    expect(stdout).toContain('Dropped for their age (retention.events): 150 events up to @150.');
    const after = (await here(dir, ['replay', '@150', '--session', 's1', '--json'])).stdout;
    expect(JSON.parse(after).state).toEqual(JSON.parse(before).state);
    expect((await here(dir, ['verify'])).status).toBe(0);
    const gone = await here(dir, ['show', '3']);
    expect([gone.status, gone.stderr]).toEqual([
      1,
      expect.stringContaining('retention removed it'),
    ]);
    expect(json(await here(dir, ['compact', '--json'], settings))).toMatchObject({ dropped: null });
  });

  it('is told by the one that did it, where several run at once; others say that they could not', {
    tags: 'long',
    timeout: 60_000,
  }, async () => {
    const dir = oldProject();
    const env = cleanEnv(scratch(), settings);
    const ended = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const child = spawn(process.execPath, [PROGRAM, 'compact'], { cwd: dir, env });
        const said: string[] = [];
        for (const out of [child.stdout, child.stderr])
          out.on('data', (data) => said.push(`${data}`));
        const [code] = await once(child, 'close');
        return { code: code as number, text: said.join('') };
      }),
    );
    const told = ended.filter(({ text }) =>
      /Dropped for their age .*150 events up to @150|150 old events up to @150 were dropped, but nothing was compacted/.test(
        text,
      ),
    );
    expect(told).toHaveLength(1);
    for (const { code, text } of ended) {
      expect([0, 1]).toContain(code);
      if (code === 1) expect(text).toContain('CONTEXT_LOCKED');
    }
    expect((await here(dir, ['verify'])).status).toBe(0);
  });

  it('makes the journal smaller than packing alone does', { tags: 'long' }, async () => {
    const compacted = async (env = {}) => {
      const dir = oldProject();
      await here(dir, ['compact'], env);
      return here(dir, ['status', '--json']);
    };
    const [packed, dropped] = [await compacted(), await compacted(settings)];
    expect(json<{ cost: { bytes: number } }>(dropped).cost.bytes).toBeLessThan(
      json<{ cost: { bytes: number } }>(packed).cost.bytes,
    );
  });
});
