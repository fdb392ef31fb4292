import { readdirSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spool } from '../../src/journal/append/inbox.ts';
import { takeInbox } from '../../src/project/inbox.ts';
import type { Project } from '../../src/project/open.ts';
import { prompt } from '../log/events.ts';
import { holdLock } from '../mcp/support.ts';
import { openTestProject, realPorts, scratch } from '../support.ts';
import { readOnlyFs, testProject } from '../timetravel/project.ts';

/** A project with one event in its journal and two in its inbox. */
function withWaiting(): Project {
  const project = openTestProject();
  project.writer.append([prompt('first')]);
  spool(realPorts, project.layout, [prompt('second')]);
  spool(realPorts, project.layout, [prompt('third')]);
  return project;
}

const seqsOf = ({ reader }: Project) => [...reader.entries()].map(({ entry }) => entry?.seq);

describe('what waits in the inbox', () => {
  it('is taken in before somebody reads', () => {
    const project = withWaiting();
    expect(takeInbox(project)).toBe(0);
    expect(seqsOf(project)).toEqual([1, 2, 3]);
    expect(takeInbox(project)).toBe(0);
  });

  it('is none where there is no journal, and none is made', () => {
    const project = openTestProject();
    expect(takeInbox(project)).toBe(0);
    expect(readdirSync(project.dir)).toEqual([]);
  });

  it('stays and is counted while another process holds the lock', { tags: 'long' }, async () => {
    const { dir } = withWaiting();
    const lock = await holdLock(dir);
    const project = openTestProject(dir);
    expect(takeInbox(project)).toBe(2);
    expect(seqsOf(project)).toEqual([1]);
    await lock.release();
    expect(takeInbox(project)).toBe(0);
    expect(seqsOf(project)).toEqual([1, 2, 3]);
  });

  it.each([
    ['can only be read', { fs: readOnlyFs }],
    ['is full', { fs: { ...realPorts.fs, write: () => refuse('ENOSPC') } }],
    ['fails', { fs: { ...realPorts.fs, datasync: () => refuse('EIO') } }],
    ['has no lock', { lock: undefined }],
  ])('stays and is counted where the disk %s', (_what, ports) => {
    const { dir } = withWaiting();
    const project = testProject({ dir, ports });
    expect(takeInbox(project)).toBe(2);
    expect(seqsOf(project)[0]).toBe(1);
    expect(takeInbox(openTestProject(dir))).toBe(0);
    expect(seqsOf(project).slice(-2)).toHaveLength(2);
  });

  it('is neither taken nor counted behind a link', () => {
    const project = withWaiting();
    const elsewhere = path.join(scratch(), 'journal');
    renameSync(project.layout.journal, elsewhere);
    symlinkSync(elsewhere, project.layout.journal);
    expect(takeInbox(openTestProject(project.dir))).toBe(0);
    expect(readdirSync(path.join(elsewhere, 'inbox'))).toHaveLength(2);
  });
});

function refuse(code: string): never {
  throw Object.assign(new Error(code), { code });
}
