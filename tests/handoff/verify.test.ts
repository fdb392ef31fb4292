import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { verified as byName } from '../../src/handoff/of-project.ts';
import { verdictLines } from '../../src/handoff/orient.ts';
import { verifyHandoff } from '../../src/handoff/verify.ts';
import { FRAME_HEADER_BYTES } from '../../src/journal/format/format.ts';
import type { Frame } from '../../src/journal/format/frame.ts';
import type { Project } from '../../src/project/open.ts';
import { handoffs, handoffsOf } from '../../src/projections/folds/handoffs.ts';
import { ben10 } from '../cli/support.ts';
import { seeded } from '../seeded.ts';
import { openTestProject } from '../support.ts';
import { FILES, git, handedOff, prompted, RULES, shell, tell, todos, wrote } from './support.ts';

const verified = (project: Project) =>
  verifyHandoff(project, handoffsOf(project.states.at(handoffs, null).state)[0]!);

/** What does not hold: `changed src/a.ts: outside of the agent`. */
const told = (project: Project): string[] =>
  verified(project).checked.flatMap(({ claim, verdict, why }) =>
    verdict === 'holds' ? [] : [`${verdict} ${claim.subject}: ${why}`],
  );

describe('verifying a handoff', () => {
  let project: Project;
  let file: string;
  beforeEach(() => {
    ({ project, file } = handedOff());
  });

  it('finds nothing where nothing changed, in this process and in the next', () => {
    expect(told(project)).toEqual([]);
    expect(verified(project)).toMatchObject({ holds: true, edited: [], isGone: false });
    const again = verified(openTestProject(project.dir));
    expect(again.holds).toBe(true);
    expect(new Set(again.checked.map(({ claim }) => claim.kind))).toEqual(
      new Set([
        'checkpoint',
        'section',
        'rule',
        'todo',
        'next',
        'decision',
        'file',
        'command',
        'error',
        'prompt',
        'head',
        'words',
      ]),
    );
  });

  it('says who changed a file: a session, a commit, or somebody outside', () => {
    const { dir } = project;
    writeFileSync(path.join(dir, FILES[0]!), 'by hand\n');
    writeFileSync(path.join(dir, FILES[1]!), 'by a session\n');
    tell(
      project,
      ...wrote('later', path.join(dir, FILES[1]!), 'by a session\n').map((one) => ({
        ...one,
        session: 'other-session',
      })),
    );
    writeFileSync(path.join(dir, FILES[2]!), 'by a commit\n');
    git(dir, 'commit', '-qm', 'Change it', FILES[2]!);
    rmSync(path.join(dir, FILES[3]!));
    expect(told(project).sort()).toEqual([
      expect.stringMatching(/^changed HEAD: it is [0-9a-f]{12} now$/),
      'changed src/part-0.ts: outside of the agent',
      expect.stringMatching(/^changed src\/part-1\.ts: by session other-se at @\d+$/),
      expect.stringMatching(/^changed src\/part-2\.ts: by commit [0-9a-f]{12}$/),
      'gone src/part-3.ts: outside of the agent',
    ]);
  });

  it('accuses nobody of a change where a file could not be read', () => {
    const { dir } = project;
    truncateSync(path.join(dir, FILES[0]!), 100 * 1024 * 1024);
    expect(told(project)).toEqual(['changed src/part-0.ts: it could not be read']);
  });

  it('says what became of todos and commands since', () => {
    tell(
      project,
      ...todos('d2', ['Split the printer', 'completed']),
      ...shell('t3', 'npm run lint', 'no problems'),
      ...shell('t4', 'npm test', '1 failed, 7 passed', 1),
    );
    expect(told(project)).toEqual([
      expect.stringMatching(/^changed Split the printer: completed by session s at @\d+$/),
      expect.stringMatching(/^changed npm test: exit 1 by session s at @\d+$/),
      expect.stringMatching(/^changed npm run lint: exit 0 by session s at @\d+$/),
    ]);
  });

  it('names edited lines, and a claim that is made to say what its event does not', () => {
    const text = readFileSync(file, 'utf8');
    const at = text.split('\n').findIndex((line) => line.includes('`npm run lint` → exit 1'));
    writeFileSync(file, text.replace('`npm run lint` → exit 1', '`npm run lint` → exit 0'));
    const { edited, checked, holds } = verified(project);
    expect([edited, holds]).toEqual([[at + 1], false]);
    expect(checked.filter(({ verdict }) => verdict !== 'holds')).toEqual([
      expect.objectContaining({
        verdict: 'false',
        why: expect.stringMatching(/^@\d+ ended with exit 1; edited by hand$/),
      }),
    ]);
    rmSync(file);
    expect(verified(project)).toMatchObject({ isGone: true, edited: [], holds: false });
  });

  it('finds no claim false for the ends of lines, and takes what is no file for gone', () => {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `\ufeff${text.replaceAll('\n', '\r\n')}`);
    const found = verified(project);
    expect(found.holds).toBe(false);
    expect(verdictLines(found).slice(1)).toEqual([
      `  edited by hand: line 1–${text.split('\n').length - 1}`,
    ]);
    rmSync(file);
    mkdirSync(file);
    expect(verified(project)).toMatchObject({ holds: false, isGone: true });
    rmdirSync(file);
    symlinkSync('/etc/hostname', file);
    expect(verified(project)).toMatchObject({ holds: false, isGone: true });
  });

  it('says which claim was erased', { tags: 'long' }, () => {
    const { seq } = verified(project).checked.find(({ claim }) => claim.kind === 'rule')!.claim;
    project.close();
    expect(ben10(project.dir, ['erase', `@${seq}`, '--yes']).status).toBe(0);
    expect(told(openTestProject(project.dir))).toContainEqual(
      `erased [REDACTED:ERASED]: event @${seq} was erased`,
    );
  });

  it('sees that a journal is another one, or lost its end', () => {
    const record = handoffsOf(project.states.at(handoffs, null).state)[0]!;
    const other = openTestProject();
    tell(other, prompted('Hello.'));
    const found = verifyHandoff(other, record);
    const all = found.checked;
    expect(verdictLines(found)).toHaveLength(2);
    expect(all.every(({ verdict }) => verdict === 'foreign journal')).toBe(true);
    const cut = { ...record, handoff: { ...record.handoff, chain: '00'.repeat(32) } };
    expect(verifyHandoff(project, cut).checked[0]).toMatchObject({
      verdict: 'foreign journal',
      why: expect.stringMatching(/^the journal up to @\d+ is another one$/),
    });
  });
});

/** One change of the tree, the document or the journal's bytes, drawn by chance. */
describe('200 mutations', { tags: 'long' }, () => {
  it('are all named, and undone again nothing is', () => {
    const { project, file } = handedOff();
    const { dir } = project;
    const random = seeded(20_261_128);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
    const known = verified(project);
    const tree = [...FILES, 'CLAUDE.md'];
    const missed: string[] = [];
    for (let n = 0; n < 140; n += 1) {
      const name = n % 2 === 0 ? path.join(dir, pick(tree)) : file;
      const before = readFileSync(name);
      const at = name.endsWith('CLAUDE.md')
        ? RULES.indexOf('Each') + (n % 20)
        : Math.floor(random() * before.length);
      const how = pick(['flip', 'cut', 'insert', 'append', 'remove', 'move', 'crlf', 'line']);
      const changed = mutated(before, how, at);
      if (changed === undefined) how === 'move' ? renameSync(name, `${name}.old`) : rmSync(name);
      else writeFileSync(name, changed);
      const now = verified(project);
      const isNamed =
        name === file
          ? now.isGone || now.edited.length > 0
          : now.checked.some(
              ({ claim, verdict }) =>
                verdict !== 'holds' && path.join(dir, claim.subject).startsWith(name),
            );
      if (!isNamed && !(changed?.equals(before) === true || isBesides(name, how)))
        missed.push(`${n} ${how} ${path.basename(name)} @${at}`);
      if (how === 'move' && changed === undefined) rmSync(`${name}.old`);
      writeFileSync(name, before);
      if (n % 20 === 0) expect(verified(project).holds).toBe(true);
    }
    expect(missed).toEqual([]);
    expect(known.checked.length).toBeGreaterThan(15);
  }, 120_000);

  it('of the events that it names are all named, too', () => {
    const { project } = handedOff();
    const { dir, reader } = project;
    const known = verified(project);
    const seqs = new Set(known.checked.map(({ claim }) => claim.seq));
    const frames = [...reader.entries()].flatMap(({ entry }) =>
      entry !== undefined && seqs.has(entry.seq)
        ? [{ file: reader.segments()[0]!.path, seq: entry.seq, frame: entry as Frame }]
        : [],
    );
    const places = frames.map(({ file, seq, frame }) => ({
      file,
      seq,
      at: frame.offset + FRAME_HEADER_BYTES,
      bytes: frame.payload.length,
    }));
    project.close();
    const random = seeded(7);
    const missed: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      const { file, seq, at, bytes } = places[n % places.length]!;
      const before = readFileSync(file);
      const changed = Buffer.from(before);
      const where = at + Math.floor(random() * bytes);
      changed[where] = changed[where]! ^ 4;
      writeFileSync(file, changed);
      // Without its beginning the journal knows no such handoff; the document is of no journal then.
      const { checked } = byName(openTestProject(dir), dir);
      if (checked.some(({ claim, verdict }) => claim.seq === seq && verdict === 'holds'))
        missed.push(`${n} @${seq}`);
      writeFileSync(file, before);
    }
    expect(missed).toEqual([]);
    expect(verified(openTestProject(dir)).holds).toBe(true);
  }, 120_000);
});

/** Of a rules' file only one section is claimed. */
const isBesides = (name: string, how: string) =>
  name.endsWith('CLAUDE.md') && (how === 'append' || how === 'line');

function mutated(before: Buffer, how: string, at: number): Buffer | undefined {
  switch (how) {
    case 'flip':
      return Buffer.concat([
        before.subarray(0, at),
        Buffer.from([before[at]! ^ 1]),
        before.subarray(at + 1),
      ]);
    case 'cut':
      return before.subarray(0, at);
    case 'insert':
      return Buffer.concat([before.subarray(0, at), Buffer.from('x'), before.subarray(at)]);
    case 'append':
      return Buffer.concat([before, Buffer.from('\nmore\n')]);
    case 'crlf':
      return Buffer.from(before.toString().replaceAll('\n', '\r\n'));
    case 'line':
      return Buffer.from(`first\n${before.toString()}`);
    default:
      return undefined;
  }
}
