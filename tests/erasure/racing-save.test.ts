/** @module-tag long */
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { LockFile } from '../../src/journal/append/locking.ts';
import type { Project } from '../../src/project/open.ts';
import { ATTEMPTS_MAX } from '../../src/timetravel/beside-erasure.ts';
import { keepCurrent } from '../../src/timetravel/current.ts';
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

/** The same in a process that is killed when it gives a file its name: `at` before that, or right behind it. */
function dying(project: Project, at: 'before' | 'behind'): Project {
  const { fs } = project.ports;
  let isDead = false;
  const died = () => {
    isDead = true;
    throw new Error('killed');
  };
  const mortal = new Proxy(fs, {
    get(target, name) {
      const call = Reflect.get(target, name) as (...given: unknown[]) => unknown;
      return (...given: unknown[]) => {
        if (isDead) throw new Error('killed');
        if (name !== 'rename') return call.apply(target, given);
        if (at === 'behind') call.apply(target, given);
        return died();
      };
    },
  });
  return Object.create(project, { ports: { value: { ...project.ports, fs: mortal } } }) as Project;
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

  it('holds nothing of it either when its writer is killed before it could look again', () => {
    const project = leaky();
    let erased = 0;
    const racing = interrupted(project, () => {
      erased += 1;
      if (erased === 1) erase(project, byText, codecs);
    });
    expect(() => make(dying(racing, 'behind'))).toThrow('killed');
    expect(erased).toBeGreaterThan(0);
    expect(canaries(project)).toEqual([]);
  });

  it.each(['before', 'behind'] as const)(
    'is gone with the next erasure when its writer is killed %s its name',
    (at) => {
      const project = leaky();
      expect(() => make(dying(project, at))).toThrow('killed');
      expect(canaries(project).some((one) => /ctx/.test(one))).toBe(true);
      erase(project, byText, codecs);
      expect(canaries(project)).toEqual([]);
    },
  );

  it('is written while nobody can erase', () => {
    const project = leaky();
    const { ports, layout } = project;
    const other = new LockFile(ports, layout.lock);
    const isHeld: boolean[] = [];
    const open: typeof ports.fs.open = (file, flags) => {
      if (file.includes('.ctx')) isHeld.push(other.hold(0, () => true) === undefined);
      return ports.fs.open(file, flags);
    };
    const watched = { ...ports, fs: Object.create(ports.fs, { open: { value: open } }) };
    make(Object.create(project, { ports: { value: watched } }) as Project);
    other.close();
    expect(isHeld.length).toBeGreaterThan(0);
    expect(isHeld).not.toContain(false);
  });

  it('is not written while somebody holds the lock of appends, and is where there are no locks', () => {
    const project = leaky();
    const { ports, layout } = project;
    const other = new LockFile(ports, layout.lock);
    other.hold(0, () => {
      expect(() => make(project)).toThrow('another process holds the journal');
    });
    other.close();
    expect(existsSync(`${project.root}/current.ctx`)).toBe(false);
    const { lock: _, ...lockless } = ports;
    make(Object.create(project, { ports: { value: lockless } }) as Project);
    const tryLock = () => {
      throw Object.assign(new Error('no locks here'), { code: 'ENOLCK' });
    };
    const refusing = { ...ports, lock: { ...ports.lock!, tryLock } };
    make(Object.create(project, { ports: { value: refusing } }) as Project);
  });

  it('is given up when erasures do not end, and leaves nothing', () => {
    const project = leaky();
    let erased = 0;
    const racing = interrupted(project, () => {
      erased += 1;
      project.writer.append([prompt(`${CANARY} again`)]);
      erase(project, byText, codecs);
    });
    expect(() => make(racing)).toThrow('events keep being erased');
    expect(erased).toBeGreaterThanOrEqual(ATTEMPTS_MAX);
    expect(canaries(project)).toEqual([]);
    expect(existsSync(`${project.root}/current.ctx`)).toBe(false);
    expect(listSaves(project)).toEqual([]);
    expect(listSnapshots(project).snapshots).toEqual([]);
  });
});

describe('a stored state that gets its name while the states of before are removed', () => {
  it('is removed all the same: its writer may be killed with the name', () => {
    const project = leaky();
    const { ports, layout } = project;
    const folder = `${layout.checkpoints}/tally/project`;
    const named = `${folder}/${'1'.padStart(16, '0')}.ckpt`;
    const temp = `${named}.${'a'.repeat(12)}.tmp`;
    mkdirSync(folder, { recursive: true });
    // Nothing that a search can find.
    writeFileSync(temp, 'half a state');
    let isNamed = false;
    const unlink: typeof ports.fs.unlink = (file) => {
      if (file === temp && !isNamed) {
        renameSync(temp, named);
        isNamed = true;
      }
      ports.fs.unlink(file);
    };
    const watched = { ...ports, fs: Object.create(ports.fs, { unlink: { value: unlink } }) };
    erase(Object.create(project, { ports: { value: watched } }) as Project, byText, codecs);
    expect(isNamed).toBe(true);
    expect(existsSync(named)).toBe(false);
  });
});
