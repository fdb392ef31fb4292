import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import type { Project } from '../../src/project/open.ts';
import { ATTEMPTS_MAX } from '../../src/timetravel/beside-erasure.ts';
import { keepCurrent } from '../../src/timetravel/keep-current.ts';
import { checkpoint, listSaves, save } from '../../src/timetravel/saves.ts';
import { listSnapshots } from '../../src/timetravel/snapshots/indexed.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { prompt } from '../log/events.ts';
import { openTestProject, scratch } from '../support.ts';
import { CANARY, canaries, codecs } from './support.ts';

const byText = { by: 'pattern', wanted: parsePattern(CANARY) } as const;

function leaky(): Project {
  const project = openTestProject(scratch());
  project.writer.append([prompt('first'), prompt(`the key is ${CANARY}`), prompt('last')]);
  return project;
}

/** The same project in another process, whose state is folded when, before it is written, `meanwhile` happens. */
function interrupted(project: Project, meanwhile: () => void): Project {
  const random = {
    ...project.ports.random,
    fill: (bytes: Uint8Array) => {
      meanwhile();
      project.ports.random.fill(bytes);
    },
  };
  const other = openTestProject(project.dir);
  return Object.create(other, { ports: { value: { ...other.ports, random } } }) as Project;
}

describe.each([
  ['save', (project: Project) => save(project, { name: 'now' })],
  ['checkpoint', (project: Project) => checkpoint(project)],
  ['current.ctx', (project: Project) => keepCurrent(project, 's1')],
  ['snapshot', (project: Project) => takeSnapshot(project, { session: 's1', trigger: 'manual' })],
])('a %s made while somebody erases', (what, make) => {
  it('holds nothing of what was erased', () => {
    const project = leaky();
    let erased = 0;
    const racing = interrupted(project, () => {
      erased += 1;
      if (erased === 1) erase(project, byText, codecs);
    });
    make(racing);
    expect(erased).toBeGreaterThan(0);
    expect(canaries(project)).toEqual([]);
    expect(existsSync(`${project.root}/current.ctx`)).toBe(what !== 'snapshot');
    if (what === 'snapshot')
      expect(listSnapshots(project).snapshots).toMatchObject([{ bytes: expect.any(Number) }]);
    if (what === 'save') expect(listSaves(project)).toMatchObject([{ name: 'now' }]);
  });

  it('is given up when erasures do not end, and leaves nothing', () => {
    const project = leaky();
    let erased = 0;
    const racing = interrupted(project, () => {
      erased += 1;
      project.writer.append([prompt(`${CANARY} again`)]);
      erase(project, byText, codecs);
    });
    expect(() => make(racing)).toThrow('events are being erased again and again');
    expect(erased).toBeGreaterThanOrEqual(ATTEMPTS_MAX);
    expect(canaries(project)).toEqual([]);
    expect(existsSync(`${project.root}/current.ctx`)).toBe(false);
    expect(listSaves(project)).toEqual([]);
    expect(listSnapshots(project).snapshots).toEqual([]);
  });
});
