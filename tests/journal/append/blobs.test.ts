import { mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { blobPath, getBlob, listBlobs, putBlob } from '../../../src/journal/append/blobs.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { decoders, realPorts, scratch } from '../../support.ts';
import { edit, newRoot, portsWith, withFailing } from '../support.ts';

const KEY = 'ab'.repeat(32);

function blobs() {
  const layout = layoutOf(newRoot());
  return {
    layout,
    put: (text: string, key = KEY) => putBlob(realPorts, layout, key, Buffer.from(text)),
    get: (name: string, key?: string) =>
      getBlob(realPorts, layout, name, decoders, key)?.toString(),
  };
}

describe('a blob', () => {
  it('is found by the name that it was given', () => {
    const { put, get, layout } = blobs();
    const name = put('a large text');
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect([get(name), get(name, KEY)]).toEqual(['a large text', 'a large text']);
    expect(listBlobs(realPorts, layout)).toEqual([name]);
    expect(statSync(blobPath(layout, name)).mode & 0o777).toBe(0o600);
  });

  it('is stored once, however often it is put', () => {
    const { put, layout } = blobs();
    const [one, two] = [put('the same'), put('the same')];
    expect(one).toBe(two);
    expect(listBlobs(realPorts, layout)).toHaveLength(1);
    expect(readdirSync(path.dirname(blobPath(layout, one)))).toEqual([one]);
  });

  it('has a name that says nothing without the key', () => {
    const { put } = blobs();
    expect(put('text')).not.toBe(put('text', 'cd'.repeat(32)));
  });

  it('is on disk before its name is given away', () => {
    const layout = layoutOf(newRoot());
    const name = putBlob(realPorts, layoutOf(newRoot()), KEY, Buffer.from('x'));
    const calls: string[] = [];
    const ports = portsWith({
      datasync: (fd) => {
        calls.push('datasync');
        realPorts.fs.datasync(fd);
      },
      rename: (from, to) => {
        calls.push('rename');
        realPorts.fs.rename(from, to);
      },
      syncDir: (dir) => {
        if (dir === path.dirname(blobPath(layout, name))) calls.push('syncDir');
        realPorts.fs.syncDir(dir);
      },
    });
    putBlob(ports, layout, KEY, Buffer.from('x'));
    expect(calls).toEqual(['datasync', 'rename', 'syncDir']);
    // Also where somebody else has just put it there.
    putBlob(ports, layout, KEY, Buffer.from('x'));
    expect(calls).toEqual(['datasync', 'rename', 'syncDir', 'syncDir']);
  });

  it('is nothing when it is missing, damaged or swapped for another', () => {
    const { put, get, layout } = blobs();
    const [one, two] = [put('one'), put('two')];
    expect(get('0'.repeat(64))).toBeUndefined();
    renameSync(blobPath(layout, two), blobPath(layout, one));
    expect(get(one)).toBe('two'); // without the key nobody can tell
    expect(get(one, KEY)).toBeUndefined();
    edit(blobPath(layout, one), (bytes) => bytes.subarray(1));
    expect([get(one), get(one, KEY)]).toEqual([undefined, undefined]);
  });

  it('cannot be asked for by a name that is none', () => {
    const { get } = blobs();
    for (const name of ['', '../../secret', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}/x`])
      expect(get(name)).toBeUndefined();
  });

  it('is nothing when a folder or a link stands in its place', () => {
    const { get, layout } = blobs();
    const victim = path.join(scratch(), 'victim');
    writeFileSync(victim, 'secret');
    const [folder, link] = ['aa'.repeat(32), 'bb'.repeat(32)];
    mkdirSync(blobPath(layout, folder), { recursive: true });
    mkdirSync(path.dirname(blobPath(layout, link)), { recursive: true });
    symlinkSync(victim, blobPath(layout, link));
    expect([get(folder), get(link)]).toEqual([undefined, undefined]);
  });

  it('is an error, not a loss, when it cannot be read for another reason', () => {
    const { put, layout } = blobs();
    const name = put('text');
    const denied = withFailing('open', 'EACCES');
    expect(() => getBlob(denied, layout, name, decoders)).toThrow(/EACCES/);
  });

  it('is not written through a link', () => {
    const { put, layout } = blobs();
    const victim = scratch();
    mkdirSync(layout.root, { recursive: true });
    symlinkSync(victim, layout.blobs);
    expect(() => put('text')).toThrow(expect.objectContaining({ code: 'JOURNAL_UNSAFE' }));
    expect(readdirSync(victim)).toEqual([]);
  });
});

describe('a listing of blobs', () => {
  it('is sorted, and passes by whatever is not a blob', () => {
    const { put, layout } = blobs();
    const names = ['a', 'b', 'c', 'd'].map((text) => put(text));
    mkdirSync(path.join(layout.blobs, 'zz'), { recursive: true });
    writeFileSync(path.join(layout.blobs, 'zz', 'f'.repeat(64)), '');
    writeFileSync(path.join(path.dirname(blobPath(layout, names[0]!)), 'x.tmp'), '');
    expect(listBlobs(realPorts, layout)).toEqual([...names].sort());
  });

  it('is empty without a folder', () => {
    expect(listBlobs(realPorts, layoutOf(newRoot()))).toEqual([]);
  });
});
