import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import type { Project } from '../../src/project/open.ts';
import { STORED } from '../../src/project/stored.ts';
import { indexOf, SearchIndex } from '../../src/search/keep-up.ts';
import { SEARCH_PLACE } from '../../src/search/places.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { ben10 } from '../cli/support.ts';
import { decoders, openTestProject, realPorts } from '../support.ts';
import {
  contentBySelf,
  contentOf,
  finish,
  folderOf,
  grown,
  indexNames,
  keptUp,
  newestSeq,
  told,
} from './support.ts';

const SECRET = 'zqkanarienvogel';

/** A project that was told a secret, the program's own opening of it. */
function leaky(): Project {
  const project = openTestProject();
  grown(project, 300);
  told(project, ['prompt.submitted', { text: `the key is ${SECRET}, keep it` }]);
  grown(project, 300);
  return project;
}

const hasSecret = (index: SearchIndex): boolean =>
  index.files().some((file) => file.postings(SECRET) !== undefined);

function eraseSecret({ dir }: Project): void {
  const done = ben10(dir, ['erase', '--pattern', SECRET, '--yes', '--json']);
  expect(done.status, done.stdout + done.stderr).toBe(0);
}

/** By an independent reading: its end stands alone where its beginning is shared with another word. */
const isOnDisk = ({ root }: Project): boolean =>
  readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true }).some(
    (entry) =>
      entry.isFile() &&
      readFileSync(path.join(entry.parentPath, entry.name)).includes(SECRET.slice(4)),
  );

describe('an erased secret', () => {
  it('is in no index file, half written ones included, nor in what a running process knows', () => {
    const project = leaky();
    const index = indexOf(project);
    finish(index);
    expect(hasSecret(index)).toBe(true);
    expect(indexNames(project)).not.toEqual([]);
    writeFileSync(path.join(folderOf(project), 'x.000000000000.tmp'), `half of ${SECRET}`);
    expect(isOnDisk(project)).toBe(true);
    eraseSecret(project);
    expect(isOnDisk(project)).toBe(false);
    expect(indexNames(project)).toEqual([]);
    const after = indexOf(project);
    expect(after).not.toBe(index);
    finish(after);
    expect(hasSecret(after)).toBe(false);
    expect(contentOf(after)).toEqual(contentBySelf(project));
    expect(indexNames(project)).not.toEqual([]);
    expect(isOnDisk(project)).toBe(false);
  });

  it('is in no file that the program indexed, before and after', () => {
    const project = leaky();
    expect(ben10(project.dir, ['compact']).status).toBe(0);
    expect(hasSecret(keptUp(project))).toBe(true);
    eraseSecret(project);
    expect(ben10(project.dir, ['compact']).status).toBe(0);
    expect(indexNames(project)).not.toEqual([]);
    expect(isOnDisk(project)).toBe(false);
    const { dir } = project;
    expect(contentOf(keptUp(openTestProject(dir)))).toEqual(contentBySelf(openTestProject(dir)));
  });

  it.each([
    ['before it writes', 'open'],
    ['after it looked and before the file has its name', 'rename'],
  ] as const)('does not come back by a process that read it and is overtaken %s', (_, call) => {
    const project = leaky();
    let isErased = false;
    const fs = {
      ...realPorts.fs,
      [call]: (...given: [string, string]) => {
        if (!isErased && given[0].includes('.b10x.')) {
          isErased = true;
          eraseSecret(project);
          if (call === 'rename') mkdirSync(folderOf(project), { recursive: true });
          if (call === 'rename') writeFileSync(given[0], readFileBefore);
        }
        return (realPorts.fs[call] as (...all: unknown[]) => unknown)(...given);
      },
    };
    const readFileBefore = Buffer.from(`a file with ${SECRET}`);
    const ports = { ...project.ports, fs };
    const slow = Object.create(project, { ports: { value: ports } }) as Project;
    const index = new SearchIndex(slow, project.reader, 0);
    finish(index);
    expect(isErased).toBe(true);
    expect(hasSecret(index)).toBe(true);
    expect(isOnDisk(project)).toBe(false);
    expect(hasSecret(keptUp(project))).toBe(false);
  });
});

describe('events that retention dropped', () => {
  it('are not found any more, and later ones are', async () => {
    const project = openTestProject();
    grown(project, 400);
    keptUp(project);
    project.writer.rotate(0);
    grown(project, 300, 'later');
    const codecs = { zstd: await loadZstd(), decoders };
    expect(dropOld(project, 0, codecs)!.events).toBe(400);
    const index = indexOf(project);
    finish(index);
    expect(contentOf(index)).toEqual(contentBySelf(project));
    const { rows } = contentOf(index);
    expect(rows.length).toBe(300);
    expect(Math.min(...rows.map(([seq]) => Number(seq)))).toBe(401);
    expect(index.upto).toBe(newestSeq(project));
  });
});

it('the place that an erasure removes is the place that the index is kept in', () => {
  expect(STORED).toContainEqual({ place: SEARCH_PLACE, kind: 'rebuildable', name: 'search' });
});
