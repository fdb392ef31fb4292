import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { save } from '../../../src/timetravel/saves.ts';
import { openTestProject } from '../../support.ts';
import { emptyProject, here, json, recordedProject } from '../support.ts';

describe('ben10 save', () => {
  it('saves under a name, and says how it comes back', async () => {
    const dir = recordedProject();
    const said = await here(dir, ['save', 'before the refactoring']);
    expect(said.stdout).toContain('Saved "before the refactoring": everything up to @52');
    expect(said.stdout).toContain("ben10 restore '@save:before the refactoring'");
    const given = await here(dir, ['restore', '@save:before the refactoring']);
    expect(given.stdout).toContain('Rules that the user stated');
  });

  it('keeps both saves of one name, and the newest is the one that the name means', async () => {
    const dir = recordedProject();
    const first = json<{ seq: number }>(await here(dir, ['save', 'same', '--json']));
    await here(dir, ['clear', '--yes']);
    const second = json<{ seq: number }>(await here(dir, ['save', 'same', '--json']));
    const list = json<{ name: string; seq: number }[]>(await here(dir, ['save', 'list', '--json']));
    expect(list.map(({ name, seq }) => [name, seq])).toEqual([
      ['same', second.seq],
      ['same', first.seq],
    ]);
    const replayed = json<{ point: { seq: number } }>(
      await here(dir, ['replay', '@save:same', '--json']),
    );
    expect(replayed.point.seq).toBe(second.seq);
  });

  it('lists nothing where nothing was saved, and refuses where nothing was recorded', async () => {
    expect((await here(recordedProject(), ['save', 'list'])).stdout).toContain(
      'There is no save yet',
    );
    const refused = await here(emptyProject(), ['save', 'x']);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('CONTEXT_NOT_FOUND');
  });

  it('lists name, time, point, size and what is held, newest first', async () => {
    const dir = recordedProject();
    const { bytes } = json<{ bytes: number }>(await here(dir, ['save', 'first', '--json']));
    await here(dir, ['save', 'second']);
    const lines = (await here(dir, ['save', 'list'])).stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/name +when +up to +size +holds/);
    expect(lines[1]).toMatch(
      /^ +second +\d{4}-\d\d-\d\d [\d:]{8} +@53 +[\d.]+ KB +\d+ messages, \d+ files$/,
    );
    const [, first] = json<object[]>(await here(dir, ['save', 'list', '--json']));
    expect(first).toEqual({
      name: 'first',
      seq: 52,
      at: expect.any(Number),
      bytes,
      holds: {
        tokens: expect.any(Number),
        messages: expect.any(Number),
        files: 2,
        toolExecutions: expect.any(Number),
      },
      pinned: false,
    });
  });

  it('deletes all saves of a name, and its point says then that it was, and when', async () => {
    const dir = recordedProject();
    const files = () => readdirSync(path.join(dir, '.ben10/checkpoints/saves')).length;
    for (const name of ['gone', 'stays', 'gone']) await here(dir, ['save', name]);
    expect(files()).toBe(3);
    const { seqs } = json<{ seqs: number[] }>(
      await here(dir, ['save', 'delete', 'gone', '--json']),
    );
    expect(seqs).toEqual([52, 54]);
    expect(files()).toBe(1);
    const listed = json<{ name: string }[]>(await here(dir, ['save', 'list', '--json']));
    expect(listed.map(({ name }) => name)).toEqual(['stays']);
    expect((await here(dir, ['log', '--type', 'save.'])).stdout).toMatch(/save\.deleted +gone/);
    for (const args of [
      ['restore', '@save:gone'],
      ['save', 'delete', 'gone'],
    ]) {
      const { status, stderr } = await here(dir, args);
      expect(status).toBe(1);
      expect(stderr).toMatch(/it was deleted on \d{4}-\d\d-\d\d [\d:]{8}, with @56 \[POINT_NOT/);
      expect(stderr).toContain('What it held is at @54');
    }
    expect((await here(dir, ['verify'])).status).toBe(0);
    await here(dir, ['save', 'gone']);
    expect((await here(dir, ['restore', '@save:gone'])).status).toBe(0);
  });

  it('reaches a save that is named as an action', async () => {
    const dir = recordedProject();
    const project = openTestProject(dir);
    save(project, { name: 'list' });
    project.close();
    expect((await here(dir, ['save', 'list'])).stdout).toMatch(/^ +list /m);
    expect((await here(dir, ['restore', '@save:list'])).status).toBe(0);
    expect((await here(dir, ['save', 'delete', 'list'])).stdout).toContain(
      'Deleted 1 save named "list"',
    );
    const refused = await here(dir, ['save', 'delete']);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('save takes NAME, "list" or "delete NAME"');
  });

  it('refuses a name that is no line of text', async () => {
    const refused = await here(recordedProject(), ['save', 'two\nlines']);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('is not a valid name for a save');
  });
});

describe('ben10 restore', () => {
  it('gives everything in pages', async () => {
    const dir = recordedProject();
    const args = ['restore', '--full', '--budget', '600'];
    const first = await here(dir, args);
    expect(first.stderr).toMatch(/page 1 of \d+; next: --page 2/);
    const { pages } = json<{ pages: number }>(await here(dir, [...args, '--json']));
    const last = await here(dir, [...args, '--page', String(pages)]);
    expect(last.status).toBe(0);
    const beyond = await here(dir, [...args, '--page', String(pages + 1)]);
    expect(beyond.status).toBe(2);
  });

  it('gives only the parts that are asked for', async () => {
    const dir = recordedProject();
    const { stdout } = await here(dir, ['restore', '--only', 'files,decisions']);
    expect(stdout).toContain('Files changed:');
    expect(stdout).not.toContain('Commands:');
    expect(stdout).not.toContain('Conversation:');
    const wrong = await here(dir, ['restore', '--only', 'everything']);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('conversation, files, tools, tasks, preferences, decisions');
  });
});

describe('ben10 clear', () => {
  it('does nothing without --yes, and says what it would leave behind', async () => {
    const dir = recordedProject();
    const said = await here(dir, ['clear']);
    expect(said.stdout).toMatch(/would leave behind \d+ messages, \d+ files and \d+ tool calls/);
    const { messageCount } = json<{ messageCount: number }>(await here(dir, ['status', '--json']));
    expect(messageCount).toBeGreaterThan(0);
  });

  it('empties the context, and restoring the point that it names undoes it', async () => {
    const dir = recordedProject();
    const before = json<{ state: unknown }>(await here(dir, ['replay', '--json'])).state;
    const cleared = json<{ seq: number }>(await here(dir, ['clear', '--yes', '--json']));
    const empty = json<{ messageCount: number }>(await here(dir, ['status', '--json']));
    expect(empty.messageCount).toBe(0);
    await here(dir, ['restore', `@${cleared.seq}`]);
    expect(json<{ state: unknown }>(await here(dir, ['replay', '--json'])).state).toEqual(before);
  });
});

describe('ben10 checkpoint', () => {
  it('marks this moment', async () => {
    const dir = recordedProject();
    expect((await here(dir, ['checkpoint'])).stdout).toContain('Marked as @checkpoint:-1');
    expect((await here(dir, ['replay', '@checkpoint:-1'])).status).toBe(0);
  });
});

it('the program itself saves, restores and clears', async () => {
  const dir = recordedProject();
  expect((await here(dir, ['save', 'mine'])).status).toBe(0);
  expect((await here(dir, ['clear', '--yes'])).status).toBe(0);
  expect((await here(dir, ['restore', '--only', 'preferences'])).stdout).not.toContain('Rules');
  expect((await here(dir, ['restore', '@save:mine', '--only', 'preferences'])).stdout).toContain(
    'Rules',
  );
});
