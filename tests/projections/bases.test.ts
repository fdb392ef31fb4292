import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JournalBased } from '../../src/events/types.ts';
import { blobPath, listBlobs } from '../../src/journal/append/blobs.ts';
import type { Project } from '../../src/project/open.ts';
import { context } from '../../src/projections/folds/context.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { anEvent, prompt } from '../log/events.ts';
import { testProject } from '../timetravel/project.ts';
import { codecs, reopened } from '../timetravel/retention/old.ts';

const messagesOf = (project: Project) =>
  reopened(project)
    .states.at(context, 's1')
    .state.conversation.messages.map(({ content }) => content.slice(0, 12));

/** So many prompts that were dropped, and one of since. */
function dropped(count: number): Project {
  const project = testProject();
  for (let n = 0; n < count; n += 1) project.writer.append([prompt(`old ${n} ${'z'.repeat(900)}`)]);
  project.writer.rotate(0);
  dropOld(project, 0, codecs);
  project.writer.append([prompt('of since')]);
  return project;
}

const frontier = { seq: 3, folded: [], place: null, reached: [], recent: [] };
const base = (more: Partial<JournalBased>) =>
  anEvent('journal.based', {
    projection: 'context',
    version: context.version,
    upto: 3,
    state: JSON.stringify(context.initial()),
    frontier,
    ...more,
  });

/** A journal whose only drop stands on this state. */
function standingOn(more: Partial<JournalBased>): Project {
  const project = testProject();
  for (let n = 0; n < 3; n += 1) project.writer.append([prompt(`old ${n}`)]);
  const [seq] = project.writer.append([base(more)]).seqs;
  const request = { by: 'age' as const, targets: [], upto: 3, kept: [], bases: [seq!, seq!] };
  project.writer.append([anEvent('erasure.requested', request, { session: null })]);
  project.writer.append([prompt('of since')]);
  return project;
}

describe('a state that stands for dropped events', () => {
  test('is folded on', () => {
    expect(messagesOf(dropped(2))).toEqual([
      expect.stringContaining('old 0'),
      expect.stringContaining('old 1'),
      'of since',
    ]);
  });

  test('counts as empty when its blob is gone: what came since is known all the same', () => {
    const project = dropped(200);
    const blobs = listBlobs(project.ports, project.layout);
    expect(blobs.length).toBe(1);
    for (const name of blobs) rmSync(blobPath(project.layout, name));
    expect(messagesOf(project)).toEqual(['of since']);
  });

  test.each([
    ['no JSON', '{"a'],
    ['JSON of no state at all', 'null'],
    ['JSON of a text', '"all is well"'],
  ])('counts as empty when it is %s', (_, state) => {
    expect(messagesOf(standingOn({ state }))).toEqual(['of since']);
  });

  test('of an older version counts as empty, and is reported as lost', () => {
    const project = standingOn({ version: 5 });
    expect(messagesOf(project)).toEqual(['of since']);
    expect(reopened(project).states.lost(context, 's1')).toEqual({ upto: 3, lost: 1, of: 1 });
  });

  test('of a newer version is refused', () => {
    const project = standingOn({ version: context.version + 1 });
    expect(() => messagesOf(project)).toThrow(/this ben10 reads up to version/);
  });

  test('stands for nothing without a request', () => {
    const project = testProject();
    project.writer.append([prompt('old'), base({}), prompt('of since')]);
    expect(messagesOf(project)).toEqual(['old', 'of since']);
    expect(reopened(project).states.dropped()).toBeUndefined();
  });

  test('is found without an index, too', () => {
    const project = dropped(2);
    const { states } = reopened(project, false);
    expect(states.dropped()?.upto).toBe(2);
    expect(states.at(context, 's1').state.conversation.messageCount).toBe(3);
  });
});
