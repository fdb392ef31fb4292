import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertWhole } from '../../../src/journal/erase/segment.ts';
import { layoutOf } from '../../../src/journal/format/layout.ts';
import { ownSegments } from '../../../src/journal/read/origins.ts';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import { decoders, realPorts } from '../../support.ts';
import { repair } from '../journals.ts';
import { appendAll, eventsOf, newRoot, originFolder, readAll, verify } from '../support.ts';

const VECTORS = path.resolve(import.meta.dirname, '../../../journal-format/vectors/evolution');
const LATER = expect.objectContaining({ code: 'JOURNAL_FOREIGN' });
const SKIPPED = '0000000000000003.b10';
const codecs = { zstd: { compress: () => undefined }, decoders };

function journal(vector: string): string {
  const root = newRoot();
  mkdirSync(root);
  cpSync(path.join(VECTORS, vector), path.join(root, 'journal'), { recursive: true });
  return root;
}

/** The origin's files with what is in them. */
const filesOf = (root: string): [name: string, text: string][] =>
  readdirSync(originFolder(root)).map((name) => [
    name,
    readFileSync(path.join(originFolder(root), name), 'hex'),
  ]);

describe('what a later version wrote', () => {
  it('as the newest segment is passed by when read, and nothing is appended behind it', () => {
    const root = journal('later-passed-by-newest');
    const before = filesOf(root);
    expect(readAll(root)).toMatchObject({ seqs: [1, 2], damage: [] });
    expect(() => appendAll(root, eventsOf(1))).toThrow(LATER);
    expect(filesOf(root)).toEqual(before);
  });

  it('as an older segment is left as it is by appending, compacting and repairing', () => {
    const root = journal('later-passed-by');
    const skipped = readFileSync(path.join(originFolder(root), SKIPPED));
    appendAll(root, eventsOf(1));
    compactJournal(realPorts, root, codecs);
    repair(root);
    expect(readFileSync(path.join(originFolder(root), SKIPPED))).toEqual(skipped);
    expect(verify(root)).toMatchObject({ ok: true, passed: [SKIPPED] });
    expect(readAll(root).damage).toEqual([]);
  });

  it('refuses an erasure whose target may be in such a segment', () => {
    const root = journal('later-passed-by');
    const file = ownSegments(realPorts, layoutOf(root))[1]!;
    expect(() => assertWhole(realPorts, file, codecs)).toThrow(LATER);
  });

  it('in a sealed segment keeps writers from the whole journal', () => {
    const root = journal('later-footer-summed');
    const before = filesOf(root);
    expect(() => appendAll(root, eventsOf(1))).toThrow(LATER);
    expect(() => repair(root)).toThrow(LATER);
    expect(filesOf(root)).toEqual(before);
  });

  it('waits in the inbox while the rest is taken in', () => {
    const root = journal('later-inbox');
    appendAll(root, eventsOf(1));
    expect(
      readdirSync(path.join(root, 'journal/inbox')).filter((name) => name.endsWith('.evt')),
    ).toHaveLength(1);
    expect(verify(root)).toMatchObject({
      ok: true,
      waiting: 1,
      passed: [expect.stringMatching(/^inbox\//)],
    });
  });
});
