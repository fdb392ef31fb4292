import { describe, expect, it } from 'vitest';
import { compactJournal } from '../../../src/journal/seal/compact.ts';
import {
  decoders,
  journalInMemory,
  makers,
  plan,
  quarantined,
  ROOT,
  repair,
  seqsOf,
  verify,
} from '../repair/repairs.ts';

const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Two sealed segments and one that is appended to, or three raw ones. */
function journal(isSealed: boolean) {
  const made = journalInMemory();
  if (isSealed) compactJournal(made.ports, ROOT, { zstd: makers.zstd, decoders });
  return made;
}

const inFolder = (file: string, name: string): string =>
  `${file.slice(0, file.lastIndexOf('/'))}/${name}`;

describe('a segment that was renamed', () => {
  it.each([
    ['to its name as it was before it was sealed', true, 1, '0000000000000004.b10'],
    ['to the name of a sealed one', false, 1, '0000000000000004.b10z'],
    ['to other digits', false, 1, '0000000000000005.b10'],
    ['to fewer digits', false, 1, '4.b10'],
    ['to fewer digits, and is sealed', true, 0, '1.b10z'],
    ['to another case', false, 0, '0000000000000001.B10'],
    ['to another case, and was appended to', false, 2, '0000000000000007.B10'],
    ['to the digits of no seq', false, 1, '0000000000000000.b10'],
    ['by a program that keeps two', false, 1, "0000000000000004 (Ann's conflicted copy).b10"],
    ['by one that syncs', true, 1, '0000000000000004.sync-conflict-20261120-101112-ABC.b10z'],
    ['to that of a backup', false, 2, '0000000000000007.b10.bak'],
    ['to that of an editor’s backup', false, 0, '0000000000000001.b10~'],
  ])('%s, is recognised by its header and gets its own back', (_, isSealed, index, name) => {
    const { fs, ports, segments } = journal(isSealed);
    const before = segments();
    const file = before[index]!;
    const bytes = fs.bytesOf(file);
    fs.rename(file, inFolder(file, name));
    expect(verify(ports).ok).toBe(false);
    expect(plan(ports)).toMatchObject([{ segment: name, action: 'rename', firstSeq: null }]);
    const { items, lost, after } = repair(ports);
    expect(items.map(({ action }) => action)).toEqual(['rename']);
    expect({ lost, ok: after.ok }).toEqual({ lost: [], ok: true });
    expect(seqsOf(ports).slice(0, 9)).toEqual(ALL);
    expect(fs.bytesOf(file).subarray(0, bytes.length)).toEqual(bytes);
    expect(quarantined(fs).map(([, kept]) => kept)).toEqual([bytes]);
  });

  it('stays where it is if what was written since has its seqs', () => {
    const { fs, ports, segments, append } = journalInMemory();
    const file = segments().at(-1)!;
    const hint = inFolder(file, 'synced');
    fs.rename(file, inFolder(file, '7.b10'));
    fs.unlink(hint);
    append(2);
    fs.unlink(segments()[0]!);
    const { after } = repair(ports);
    expect(after.damage).toEqual([]);
    expect(seqsOf(ports).slice(0, 5)).toEqual([4, 5, 6, 7, 8]);
    expect([...fs.image().files.keys()]).toContain(inFolder(file, '7.b10'));
  });

  it('is not one of another journal, nor what only looks like one', () => {
    const { fs, ports, segments } = journalInMemory();
    const [first] = segments();
    const other = journalInMemory();
    const foreign = Buffer.from(other.fs.bytesOf(other.segments()[0]!)).fill(0, 16, 48);
    for (const [name, bytes] of [
      ['1.b10', foreign],
      ['01.b10', Buffer.from('no segment')],
    ] as const) {
      const fd = fs.open(inFolder(first!, name), 'wx');
      fs.write(fd, bytes, 0);
      fs.close(fd);
    }
    fs.unlink(first!);
    expect(plan(ports)).toMatchObject([{ kind: 'missing', firstSeq: 1, lastSeq: 3 }]);
  });
});

describe('files at the end that are no segments, under numbers that the last one has passed', () => {
  it.each([[['8.b10z']], [['8.b10', '9.b10']], [['8.b10z', '9.b10']], [['7.b10z']]])(
    'take no event behind them the seq of one that is there: %j',
    (names) => {
      const { fs, ports, segments, append } = journalInMemory();
      const [first] = segments();
      const before = [...ALL, ...append(6)];
      fs.unlink(inFolder(first!, 'synced'));
      for (const name of names) {
        const fd = fs.open(inFolder(first!, name.padStart(name.length + 15, '0')), 'wx');
        fs.write(fd, Buffer.alloc(4, 1), 0);
        fs.close(fd);
      }
      const behind = append(2);
      expect(Math.min(...behind)).toBeGreaterThan(15);
      expect(seqsOf(ports)).toEqual(expect.arrayContaining(behind));
      expect(repair(ports)).toMatchObject({ lost: [], after: { ok: true } });
      expect(seqsOf(ports)).toEqual(expect.arrayContaining([...before, ...behind]));
    },
  );
});
