import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../src/project/open.ts';
import { indexOf } from '../../src/search/keep-up.ts';
import { AT } from '../../src/search/layout.ts';
import { placesIn } from '../../src/search/places.ts';
import { ben10 } from '../cli/support.ts';
import { dyingAt } from '../dying-fs.ts';
import { realPorts, scratch, twinOf } from '../support.ts';
import { lived } from '../timetravel/lived.ts';
import { readOnlyFs, testProject } from '../timetravel/project.ts';
import {
  contentBySelf,
  contentOf,
  finish,
  folderOf,
  grown,
  indexNames,
  keptUp,
  newestSeq,
  REAL,
} from './support.ts';

/** A project with the index of its events on disk. */
function indexed(events: number): Project {
  const project = testProject();
  grown(project, events);
  keptUp(project);
  return project;
}

const again = (project: Project, ports = project.ports): Project =>
  testProject({ dir: project.dir, ports });

/** The files on disk cover the journal from its first event on, without gap or overlap. */
function expectChain(project: Project): void {
  const places = placesIn(indexNames(project)).sort((a, b) => a.firstSeq - b.firstSeq);
  expect(places.map(({ name }) => name)).toEqual(indexNames(project));
  let next = 1;
  for (const { firstSeq, lastSeq } of places) {
    expect(firstSeq).toBe(next);
    next = lastSeq + 1;
  }
}

describe('the index that is kept up', () => {
  it('has what a reading of the whole journal finds, however it grew and whoever read it', {
    tags: 'long',
  }, () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.integer({ min: 1, max: 700 }), fc.constantFrom('same', 'new', 'none')),
          {
            minLength: 1,
            maxLength: 8,
          },
        ),
        (growth) => {
          const project = testProject({ segmentBytes: 64 * 1024 });
          const lasting = indexOf(project);
          for (const [events, who] of growth) {
            grown(project, events);
            if (who === 'same') finish(lasting);
            if (who === 'new') keptUp(project);
          }
          finish(lasting);
          const whole = contentBySelf(project);
          expect(contentOf(lasting)).toEqual(whole);
          expect(contentOf(keptUp(project))).toEqual(whole);
          expect(lasting.upto).toBe(newestSeq(project));
          expectChain(project);
          project.close();
        },
      ),
      { numRuns: 15 },
    );
  });

  it.each(REAL)(
    '%s: while the session goes on it has after each hook what a whole reading has',
    (name) => {
      const project = testProject();
      const index = indexOf(project);
      lived(project, name, () => {
        finish(index);
        expect(contentOf(index)).toEqual(contentBySelf(project));
      });
    },
  );

  it('is one for a reader, and is read from its files by the next process', () => {
    const project = indexed(600);
    expect(indexOf(project)).toBe(indexOf(project));
    const before = indexNames(project).map(
      (name) => statSync(path.join(folderOf(project), name)).ino,
    );
    const index = keptUp(again(project));
    expect(contentOf(index)).toEqual(contentBySelf(project));
    const after = indexNames(project).map(
      (name) => statSync(path.join(folderOf(project), name)).ino,
    );
    expect(after).toEqual(before);
    expect(index.unwritten).toBeUndefined();
  });

  it('keeps few events in memory alone, and makes few files of many', () => {
    const project = testProject();
    const index = indexOf(project);
    grown(project, 200);
    finish(index);
    expect(indexNames(project)).toEqual([]);
    for (let round = 0; round < 20; round += 1) {
      grown(project, 300);
      finish(index);
    }
    expect(indexNames(project).length).toBeLessThan(8);
    expectChain(project);
    expect(contentOf(index)).toEqual(contentBySelf(project));
  });

  it('is for its owner alone', () => {
    const project = indexed(300);
    const folder = folderOf(project);
    for (const dir of [folder, path.dirname(folder)])
      expect(statSync(dir).mode & 0o777).toBe(0o700);
    for (const name of indexNames(project))
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('goes on where another reading of the same process stopped half way', () => {
    const project = testProject();
    grown(project, 900);
    const index = indexOf(project);
    const [one, two] = [index.steps(), index.steps()];
    for (let n = 0; n < 3; n += 1) one.next();
    for (let n = 0; n < 5; n += 1) two.next();
    grown(project, 900);
    for (const _ of two);
    for (const _ of one);
    for (const _ of index.steps());
    expect(contentOf(index)).toEqual(contentBySelf(project));
  });

  it('of a copied journal is made anew under its own name, and that of the original goes from the copy', () => {
    const project = indexed(600);
    const dir = scratch();
    cpSync(project.dir, dir, { recursive: true });
    const copy = testProject({ dir });
    expect(contentOf(keptUp(copy))).toEqual(contentBySelf(project));
    grown(copy, 300);
    const index = keptUp(copy);
    expect(contentOf(index)).toEqual(contentBySelf(copy));
    expect(copy.reader.origin()).not.toBe(project.reader.origin());
    expect(index.unwritten).toBeUndefined();
    expectChain(copy);
    expect(readdirSync(path.join(copy.root, 'search', project.reader.origin()!))).toEqual([]);
    expect(indexNames(project)).not.toEqual([]);
  });

  it('does not know what waits in the inbox', () => {
    const project = indexed(300);
    const spooling = testProject({ dir: project.dir, ports: { lock: undefined } });
    grown(spooling, 5);
    expect(keptUp(project).upto).toBe(300);
  });
});

describe('index files that do not fit', () => {
  const spoil: Record<string, (bytes: Buffer) => Buffer> = {
    'cut short': (bytes) => bytes.subarray(0, bytes.length >> 1),
    empty: () => Buffer.alloc(0),
    'with a flipped bit': (bytes) => {
      bytes[bytes.length >> 1]! ^= 4;
      return bytes;
    },
    'of another version': (bytes) => {
      bytes[4]! ^= 1;
      bytes.writeBigUInt64LE(realPorts.xxh64(bytes.subarray(0, -8), 0n), bytes.length - 8);
      return bytes;
    },
    'of another erasure epoch': (bytes) => {
      bytes.writeDoubleLE(7, AT.epoch);
      bytes.writeBigUInt64LE(realPorts.xxh64(bytes.subarray(0, -8), 0n), bytes.length - 8);
      return bytes;
    },
    'of another history': (bytes) => {
      bytes[AT.chainBefore + 4]! ^= 1;
      bytes.writeBigUInt64LE(realPorts.xxh64(bytes.subarray(0, -8), 0n), bytes.length - 8);
      return bytes;
    },
    'of noise': (bytes) => Buffer.alloc(bytes.length, 0x5a),
  };

  it.each(Object.keys(spoil))('%s: are left out from there on, and made again', (how) => {
    for (const which of [0, 1, 2]) {
      const project = testProject();
      for (let round = 0; round < 3; round += 1) {
        grown(project, 300);
        keptUp(project);
      }
      expect(indexNames(project)).toHaveLength(3);
      const file = path.join(folderOf(project), indexNames(project)[which]!);
      const right = readFileSync(file);
      writeFileSync(file, spoil[how]!(Buffer.from(right)));
      // Without anything new it has the same name.
      keptUp(again(project));
      if (which === 2) expect(readFileSync(file)).toEqual(right);
      grown(project, 50);
      const index = keptUp(again(project));
      expect(contentOf(index)).toEqual(contentBySelf(project));
      expect(index.unwritten).toBeUndefined();
      expectChain(project);
    }
  });

  it('of another journal: give no hit of it', () => {
    const [own, other] = [indexed(400), indexed(500)];
    const folder = folderOf(own);
    for (const name of indexNames(other))
      writeFileSync(path.join(folder, name), readFileSync(path.join(folderOf(other), name)));
    expect(contentOf(keptUp(again(own)))).toEqual(contentBySelf(own));
    grown(own, 300);
    keptUp(again(own));
    expectChain(own);
  });

  it('of a journal that was put back to an earlier state: are left out', () => {
    const project = testProject();
    grown(project, 300);
    const kept = path.join(scratch(), '.ben10');
    twinOf(project.root, kept);
    grown(project, 600);
    keptUp(project);
    const back = testProject({ dir: path.dirname(kept) });
    mkdirSync(folderOf(back), { recursive: true });
    for (const name of indexNames(project))
      writeFileSync(
        path.join(folderOf(back), name),
        readFileSync(path.join(folderOf(project), name)),
      );
    grown(back, 1000);
    expect(contentOf(keptUp(back))).toEqual(contentBySelf(back));
  });

  it('and leftovers of crashed writers and strange names are removed, but none that may be being written', () => {
    const project = indexed(300);
    const put = (name: string) => writeFileSync(path.join(folderOf(project), name), 'x');
    const [old, young] = ['a.000000000000.tmp', 'b.000000000000.tmp'];
    for (const name of [old, young, '0000000000000001-0000000000000009.b10x', 'strange']) put(name);
    utimesSync(path.join(folderOf(project), old), 1, 1);
    grown(project, 300);
    keptUp(project);
    expect(indexNames(project)).toContain(young);
    expect(indexNames(project).filter((name) => name !== young)).toEqual(
      placesIn(indexNames(project)).map(({ name }) => name),
    );
    expect(indexNames(project)).not.toContain('0000000000000001-0000000000000009.b10x');
  });
});

describe('a process that dies', () => {
  it('at any point of its writing leaves nothing that is wrong, or in the way', () => {
    const { fs, calls } = dyingAt(0, false);
    const dying = (project: Project, mortal: typeof fs) => {
      grown(project, 300);
      const index = keptUp(again(project, { ...realPorts, fs: mortal }));
      expect(index.unwritten).toBeUndefined();
    };
    dying(indexed(2100), fs);
    expect(calls()).toBeGreaterThan(2);
    for (let n = 1; n <= calls(); n += 1) {
      const project = indexed(2100);
      expect(() => dying(project, dyingAt(n, true).fs)).toThrow();
      for (const name of indexNames(project)) utimesSync(path.join(folderOf(project), name), 1, 1);
      expect(contentOf(keptUp(again(project)))).toEqual(contentBySelf(project));
      expectChain(project);
    }
  });
});

describe('a disk that takes no index', () => {
  it('read-only: all is found, and it says why nothing is kept', () => {
    const project = indexed(300);
    grown(project, 900);
    const reading = again(project, { ...realPorts, fs: readOnlyFs });
    const index = keptUp(reading);
    expect(contentOf(index)).toEqual(contentBySelf(project));
    expect(index.unwritten).toMatch(/^the search index cannot be written: .*read-only/);
  });

  it('full: all is found, nothing half stays, and it is written when there is room', () => {
    let isFull = true;
    const write: typeof realPorts.fs.write = (fd, bytes, at) =>
      isFull
        ? realPorts.fs.write(fd, bytes.subarray(0, 10), at)
        : realPorts.fs.write(fd, bytes, at);
    const project = testProject();
    grown(project, 900);
    const full = again(project, { ...realPorts, fs: { ...realPorts.fs, write } });
    const index = keptUp(full);
    expect(contentOf(index)).toEqual(contentBySelf(project));
    expect(index.unwritten).toMatch(/^the search index cannot be written: .*no space left/);
    expect(indexNames(project)).toEqual([]);
    isFull = false;
    finish(index);
    expect(index.unwritten).toBeUndefined();
    expectChain(project);
    expect(indexNames(project)).not.toEqual([]);
  });

  it.each(['the folder', 'its parent'])(
    'a link in the place of %s: nothing is written behind it',
    (which) => {
      const project = testProject();
      grown(project, 600);
      const target = scratch();
      const folder = folderOf(project);
      if (which === 'the folder') mkdirSync(path.dirname(folder), { mode: 0o700 });
      symlinkSync(target, which === 'the folder' ? folder : path.dirname(folder));
      const index = keptUp(project);
      expect(contentOf(index)).toEqual(contentBySelf(project));
      expect(index.unwritten).toContain('is a symbolic link');
      expect(indexNames(project)).toEqual([]);
    },
  );

  it('a folder that everybody can write to: nothing in it is believed', () => {
    const project = indexed(600);
    chmodSync(folderOf(project), 0o777);
    const index = keptUp(again(project));
    expect(contentOf(index)).toEqual(contentBySelf(project));
    expect(index.unwritten).toContain('can be written to by every user');
  });
});

describe('a damaged journal', () => {
  /** Three segments; the one in the middle is changed. */
  function damaged(change: (file: string) => void): Project {
    const project = testProject();
    for (let n = 0; n < 3; n += 1) {
      grown(project, 400);
      project.writer.rotate(0);
    }
    project.close();
    change(project.reader.segments()[1]!.path);
    return again(project);
  }
  const flip = (file: string, at: number) => {
    const bytes = readFileSync(file);
    bytes[at]! ^= 1;
    writeFileSync(file, bytes);
  };

  it('is indexed as far as it can be read, and events that come later, too', () => {
    const project = damaged((file) => flip(file, 20_000));
    const index = keptUp(project);
    const rows = contentOf(index).rows.length;
    expect(rows).toBeGreaterThan(1000);
    expect(rows).toBeLessThan(1200);
    grown(project, 300);
    finish(index);
    expect(contentOf(index)).toEqual(contentBySelf(project));
    expect(contentOf(keptUp(again(project)))).toEqual(contentBySelf(project));
    expect(index.unwritten).toBeUndefined();
  });

  it('has all in its index once `ben10 repair` made it whole', () => {
    const project = damaged((file) => flip(file, 20_000));
    keptUp(project);
    const repaired = ben10(project.dir, ['repair', '--yes']);
    expect(repaired.status, repaired.stdout + repaired.stderr).toBe(0);
    const index = keptUp(again(project));
    expect(contentOf(index)).toEqual(contentBySelf(project));
    expect(contentOf(index).rows.length).toBe(1200);
  });

  it('is indexed in memory alone while a part of it cannot be read, and in files when it can', () => {
    const project = damaged(() => undefined);
    const { path: file } = project.reader.segments()[1]!;
    const bytes = readFileSync(file);
    writeFileSync(file, '');
    const index = keptUp(again(project));
    expect(contentOf(index).rows.length).toBe(800);
    expect(index.unwritten).toContain('a part of the journal cannot be read');
    grown(project, 300);
    finish(index);
    expect(contentOf(index).rows.length).toBe(1100);
    writeFileSync(file, bytes);
    const after = keptUp(again(project));
    expect(contentOf(after)).toEqual(contentBySelf(project));
    expect(contentOf(after).rows.length).toBe(1500);
    expect(after.unwritten).toBeUndefined();
  });
});
