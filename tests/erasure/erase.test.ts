import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { planLines } from '../../src/cli/ui/erasure.ts';
import { erase, planErasure } from '../../src/erasure/erase.ts';
import { findLeft } from '../../src/erasure/left.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { textFinder } from '../../src/erasure/text-finder.ts';
import { commitOf } from '../../src/journal/format/frame.ts';
import { readManifest } from '../../src/journal/format/manifest.ts';
import { allSegments } from '../../src/journal/read/all-entries.ts';
import { JournalReader } from '../../src/journal/read/reader.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Project } from '../../src/project/open.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { recentSessions } from '../../src/projections/folds/sessions.ts';
import { anEvent, NOON, prompt } from '../log/events.ts';
import { decoders, openTestProject, scratch } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { CANARY, canaries, codecs, leakyProject, TEXTS } from './support.ts';

const byText = { by: 'pattern', wanted: parsePattern(CANARY) } as const;
const bySeqs = (...seqs: number[]) => ({ by: 'event', seqs }) as const;
const READING = { path: '/t/1', from: 0, to: 9, tail: '', records: 1, malformed: 0, unknown: {} };
const verify = ({ ports, root }: Project) => verifyJournal(ports, root, decoders);
const READER = path.resolve(import.meta.dirname, '../../journal-format/reader.mjs');

/** All events as they are read, seq by seq. */
const eventsOf = ({ reader, ports }: Project) =>
  [...readEvents(reader, ports.xxh64, {})].map(({ seq, id, type, data }) => ({
    seq,
    id,
    type,
    data,
  }));
const tombstonesOf = ({ ports, root }: Project) =>
  [...new JournalReader(ports, root, decoders).entries()]
    .filter(({ entry }) => entry?.kind === 2)
    .map(({ entry }) => entry!);
const OWN = /^(?:erasure\.|event\.superseded)/;
const told = (project: Project) => eventsOf(project).filter(({ type }) => !OWN.test(type));

describe('an erasure by a text', () => {
  it('leaves nothing of it in any file, packed or unpacked, in any form', {
    tags: 'long',
  }, () => {
    const project = leakyProject();
    const before = canaries(project);
    for (const place of [
      '.b10z',
      '.b10:',
      'inbox/',
      'quarantine/',
      'blobs/',
      'checkpoints/',
      'compaction-snapshots/',
      '.tmp',
    ])
      expect(
        before.some((one) => one.includes(place)),
        place,
      ).toBe(true);
    const done = erase(project, byText, codecs);
    expect(canaries(project)).toEqual([]);
    expect(done.left).toEqual([]);
    expect(done.waiting).toEqual([]);
    expect(verify(project)).toMatchObject({ ok: true, waiting: 0 });
    expect(planErasure(project, byText).events).toEqual([]);
  });

  it('is read by the independent reader, tombstones as tombstones', () => {
    const project = leakyProject();
    const { events } = erase(project, byText, codecs);
    const read = spawnSync(process.execPath, [READER, '--verify', project.layout.journal], {
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    expect(read.status, read.stderr).toBe(0);
    const told = read.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(told.length).toBeGreaterThan(events);
    const erased = told.filter(({ type }) => type === null);
    expect(erased.map(({ seq }) => seq)).toEqual(tombstonesOf(project).map(({ seq }) => seq));
    expect(tombstonesOf(project)).toHaveLength(events);
  });

  it.each(Object.keys(TEXTS))(
    'takes it out of a text that has it as %s, and keeps the rest',
    (form) => {
      const project = openTestProject();
      project.writer.append([prompt('before'), prompt(`A ${TEXTS[form]} Z`), prompt('behind')]);
      const before = eventsOf(project);
      erase(project, byText, codecs);
      const after = told(project);
      expect(after.map(({ seq, id, type }) => ({ seq, id, type }))).toEqual(
        before.map(({ seq, id, type }) => ({ seq, id, type })),
      );
      const texts = after.map(({ data }) => (data as { text: string }).text);
      expect(texts[0]).toBe('before');
      expect(texts[2]).toBe('behind');
      expect(texts[1]).toMatch(/^A .*\[REDACTED:ERASED\].* Z$/s);
    },
  );

  it('says of an event that would be too large with its markers that all of it goes', {
    tags: 'long',
  }, () => {
    const project = openTestProject();
    project.writer.append([prompt('zq7w '.repeat(200_000)), prompt('the pin is zq7w')]);
    const byPin = { by: 'pattern', wanted: parsePattern('zq7w') } as const;
    const plan = planErasure(project, byPin);
    expect(plan.events.map(({ replacement }) => replacement === undefined)).toEqual([true, false]);
    expect(planLines(plan).filter((line) => line.includes('prompt.submitted'))).toEqual([
      expect.stringContaining('all of it'),
      expect.stringContaining('the secret in it'),
    ]);
    erase(project, byPin, codecs);
    expect(told(project).map(({ data }) => (data as { text: string }).text)).toEqual([
      'the pin is [REDACTED:ERASED]',
    ]);
  });

  it('leaves every state what it was but for the text', () => {
    const project = leakyProject();
    project.writer.drain();
    const before = structuredClone(project.states.at(context, 's1').state);
    const sessions = structuredClone(project.states.at(recentSessions, null).state);
    erase(project, byText, codecs);
    const finder = textFinder([CANARY]);
    // But also for how long the texts are, and the name of the one that is kept beside the journal.
    const plain = (value: unknown) =>
      JSON.parse(
        JSON.stringify(finder.dataWithoutIt(value)).replace(
          /"(\$blob|bytes|tokenCount)":("\w*"|\d+)/g,
          '"$1":0',
        ),
      );
    expect(plain(project.states.at(context, 's1').state)).toEqual(plain(before));
    expect(plain(project.states.at(recentSessions, null).state)).toEqual(plain(sessions));
  });

  it('touches no other event', () => {
    const project = leakyProject();
    project.writer.drain();
    const clean = (list: ReturnType<typeof eventsOf>) =>
      list.filter(({ data }) => JSON.stringify(data).includes('ordinary'));
    const before = clean(eventsOf(project));
    expect(before).toHaveLength(5);
    erase(project, byText, codecs);
    expect(clean(told(project))).toEqual(before);
  });

  it('leaves tombstones that confirm no guess: with the true payload nothing that is stored can be computed', () => {
    const project = leakyProject();
    project.writer.drain();
    const { ports, layout } = project;
    const before = [...allSegments(ports, layout, decoders)].flatMap(({ entries }) => entries);
    const payloads = new Map(before.map(({ seq, payload }) => [seq, Buffer.from(payload)]));
    const salts = new Map(before.map(({ seq, salt }) => [seq, Buffer.from(salt)]));
    erase(project, byText, codecs);
    const tombstones = tombstonesOf(project);
    expect(tombstones.length).toBeGreaterThan(10);
    const bytes = readdirSync(project.root, { recursive: true, encoding: 'utf8' });
    expect(bytes.length).toBeGreaterThan(0);
    for (const { seq, salt, payload, commit } of tombstones) {
      expect(salt).toHaveLength(0);
      expect(payload).toHaveLength(0);
      // With the salt it would be confirmed; that is gone from every file.
      expect(commitOf(salts.get(seq)!, payloads.get(seq)!).equals(commit)).toBe(true);
      expect(filesWith(project, salts.get(seq)!)).toEqual([]);
      expect(commitOf(Buffer.alloc(16), payloads.get(seq)!).equals(commit)).toBe(false);
    }
  });

  it('removes files that hold it though no event does', () => {
    const project = openTestProject();
    project.writer.append([prompt('nothing here')]);
    const { quarantine } = project.layout;
    mkdirSync(quarantine, { mode: 0o700 });
    for (const name of ['held', 'other'])
      writeFileSync(path.join(quarantine, name), name === 'held' ? `torn ${CANARY}` : 'torn');
    expect(planErasure(project, byText).holding).toEqual([`${quarantine}/held`]);
    expect(erase(project, byText, codecs)).toMatchObject({ events: 0, files: 1, left: [] });
    expect(readdirSync(quarantine)).toEqual(['other']);
  });

  it('removes what somebody died over who wrote the settings of hooks, and not what is being written', () => {
    const project = openTestProject();
    project.writer.append([prompt('nothing here')]);
    const [dead, alive] = ['0', '1'].map((one) =>
      path.join(project.root, `hook-config.json.${one.repeat(12)}.tmp`),
    );
    for (const file of [dead!, alive!]) writeFileSync(file, CANARY);
    utimesSync(dead!, 1, 1);
    expect(erase(project, byText, codecs).left.map(({ file }) => file)).toEqual([
      path.basename(alive!),
    ]);
    expect(existsSync(dead!)).toBe(false);
  });

  it('does nothing where there is nothing, but for saying so', () => {
    const project = openTestProject();
    project.writer.append([prompt('nothing here')]);
    const before = verify(project);
    expect(erase(project, byText, codecs)).toMatchObject({ events: 0, segments: [], left: [] });
    expect(verify(project)).toEqual(before);
  });
});

/** Files whose raw bytes have these. */
function filesWith({ root, ports }: Project, needle: Buffer): string[] {
  const found: string[] = [];
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(root, name);
    if (ports.fs.statIfThere(file)?.isFile !== true) continue;
    const fd = ports.fs.open(file, 'r');
    const bytes = Buffer.alloc(ports.fs.fstat(fd).size);
    ports.fs.read(fd, bytes, 0);
    ports.fs.close(fd);
    if (bytes.includes(needle)) found.push(name);
  }
  return found;
}

describe('an erasure by seqs', () => {
  it('makes tombstones of exactly these events, in active and in sealed segments', () => {
    const project = leakyProject();
    const before = told(project);
    erase(project, bySeqs(2, 20), codecs);
    // The last one tells the sum of a state that they are in: it stands there anew, without.
    expect(tombstonesOf(project).map(({ seq }) => seq)).toEqual([2, 20, 21]);
    const seqs = before.map(({ seq }) => seq).filter((seq) => seq !== 2 && seq !== 20);
    expect(
      told(project)
        .slice(0, seqs.length)
        .map(({ seq }) => seq),
    ).toEqual(seqs);
    expect(verify(project).ok).toBe(true);
  });

  it('takes along what stands for the event since an erasure of a part', () => {
    const project = openTestProject();
    project.writer.append([prompt(`left text, ${CANARY}`)]);
    erase(project, byText, codecs);
    expect(told(project)).toHaveLength(1);
    expect(filesWith(project, Buffer.from('left text'))).not.toEqual([]);
    erase(project, bySeqs(1), codecs);
    expect(told(project)).toEqual([]);
    expect(filesWith(project, Buffer.from('left text'))).toEqual([]);
    expect(verify(project).ok).toBe(true);
  });

  it('takes along what retracted a preference that the event states', () => {
    const project = openTestProject();
    const text = 'Never use quiet-kolibri as a name.';
    project.writer.append([prompt('Keep dates in UTC.'), prompt(text), prompt('Go on.')]);
    project.writer.append([anEvent('preference.retracted', { key: '2.1', text })]);
    project.writer.append([anEvent('preference.retracted', { key: '1.1', text: 'Keep dates' })]);
    erase(project, bySeqs(2), codecs);
    expect(filesWith(project, Buffer.from('quiet-kolibri'))).toEqual([]);
    expect(tombstonesOf(project).map(({ seq }) => seq)).toEqual([2, 4]);
  });

  it('of an event that is not there, or of none at all, changes nothing', () => {
    const project = openTestProject();
    project.writer.append([prompt('one')]);
    expect(() => erase(project, bySeqs(1, 7), codecs)).toThrow('there is no event @7');
    expect(tombstonesOf(project)).toEqual([]);
    expect(erase(project, bySeqs(), codecs)).toMatchObject({ events: 0 });
  });
});

describe('a second erasure', () => {
  it('takes another secret out of what stands for an erased event', () => {
    const project = openTestProject();
    project.writer.append([prompt(`first ${CANARY} second other-secret-2`), prompt('behind')]);
    erase(project, byText, codecs);
    erase(project, { by: 'pattern', wanted: parsePattern('other-secret-2') }, codecs);
    const [event] = told(project);
    expect(event).toMatchObject({
      seq: 1,
      data: { text: 'first [REDACTED:ERASED] second [REDACTED:ERASED]' },
    });
    expect(filesWith(project, Buffer.from('other-secret-2'))).toEqual([]);
    expect(verify(project).ok).toBe(true);
  });
});

describe('an erasure by a pattern', () => {
  it('erases what it finds, and the same in any other form', () => {
    const project = openTestProject();
    const secret = 'kanari-4711-2342';
    const packed = Buffer.from(`user:${secret}`).toString('base64');
    project.writer.append([
      prompt(`Basic ${packed}`),
      prompt('kanari-9999-1111 plain'),
      prompt('other'),
      prompt(`now ${secret}`),
    ]);
    const wanted = parsePattern('/kanari-\\d{4}-\\d{4}/');
    const { events } = erase(project, { by: 'pattern', wanted }, codecs);
    expect(events).toBe(3);
    expect(filesWith(project, Buffer.from(packed.slice(8, 24)))).toEqual([]);
    expect(filesWith(project, Buffer.from('kanari-9999'))).toEqual([]);
    expect(told(project).map(({ data }) => (data as { text: string }).text)[2]).toBe('other');
  });
});

describe('names that are no content', () => {
  it('are not what a pattern finds: those of sessions, calls, records, texts beside', () => {
    const project = openTestProject();
    const session = '0a0a0a0a-1b1b-2c2c-3d3d-4e4e4e4e4e4e';
    const { writer } = project;
    const called = { toolUseId: 'toolu_0a1b2c3d', name: 'Bash', input: { uuid: 'no such word' } };
    const data = { text: `${'long text '.repeat(8000)}`, promptId: 'f00dbeef' };
    tell(project, saw('prompt.submitted', data, { session, agent: 'a0b1c2d3', at: NOON }));
    const trace = { pos: 1, uuid: '00000000-aaaa-4000-8000-000000000001' };
    writer.append([anEvent('tool.called', { ...called, trace }, { session })]);
    const payload = { session_id: session, tool_use_id: 'toolu_0a1b2c3d', more: 'nothing' };
    writer.append([anEvent('hook.received', { event: 'Other', payload }, { session })]);
    const hex = (more = '') => ({
      by: 'pattern' as const,
      wanted: parsePattern(`/[0-9a-f]{4,}${more}/`),
    });
    expect(planErasure(project, hex()).events).toEqual([]);
    expect(planErasure(project, hex('$')).events).toEqual([]);
    writer.append([anEvent('tool.called', { ...called, input: { uuid: 'deadbeef' } })]);
    expect(planErasure(project, hex()).events.map(({ seq }) => seq)).toEqual([4]);
    expect(erase(project, hex(), codecs)).toMatchObject({ events: 1, left: [] });
    const byId = { by: 'pattern', wanted: parsePattern('toolu_0a1b2c3d') } as const;
    expect(planErasure(project, byId).events.map(({ seq }) => seq)).toContain(2);
  });

  it('are passed over where one is like the text, and nothing else is in those files', () => {
    const project = openTestProject();
    project.writer.append([prompt('the script'), prompt('other')]);
    const request = { by: 'pattern', wanted: parsePattern('script') } as const;
    project.writer.append([anEvent('transcript.read', READING)]);
    expect(erase(project, request, codecs)).toMatchObject({ events: 1, left: [] });
    const stray = path.join(project.layout.journal, 'stray');
    writeFileSync(stray, 'transcript.read and "transcriptPath"');
    expect(erase(project, request, codecs).left).toEqual([]);
    writeFileSync(stray, 'transcript.read and the script');
    expect(erase(project, request, codecs).left).toEqual([{ file: 'journal/stray', what: 'data' }]);
  });
});

describe('what ben10 alone writes, ids and numbers', () => {
  it.each(['[0-9a-f]{32}', '.+'])('is not what %s finds behind an erasure', (source) => {
    const project = openTestProject();
    project.writer.append([prompt(`the key is ${'0123456789abcdef'.repeat(2)}`)]);
    const request = { by: 'pattern', wanted: parsePattern(`/${source}/`) } as const;
    expect(erase(project, request, codecs)).toMatchObject({ events: 1, left: [] });
    expect(erase(project, request, codecs)).toMatchObject({ events: 0, left: [] });
  });

  it('is not called what is left, but where a file of it is damaged', () => {
    const project = openTestProject();
    project.writer.append([prompt('one'), prompt('two')]);
    erase(project, { by: 'event', seqs: [1] }, codecs);
    const { journal, manifest } = project.layout;
    const origin = project.reader.origin()!;
    const bytes = [
      'BEN10H',
      '\0\0\0\0',
      'erasureEpoch',
      readManifest(project.ports, project.layout)!.blobKey,
    ];
    const finder = textFinder(bytes);
    const left = () =>
      findLeft(project, finder)
        .filter(({ what }) => what === 'data')
        .map(({ file }) => file);
    expect(left()).toEqual([]);
    for (const file of [manifest, `${journal}/erased`, `${journal}/${origin}/synced`])
      writeFileSync(file, bytes.join());
    expect(left().sort()).toEqual(
      ['journal/erased', 'journal/manifest', `journal/${origin}/synced`].sort(),
    );
  });
});

describe('an erasure in a folder of another origin', () => {
  it('makes tombstones there as well, and nothing stands for them', () => {
    const project = openTestProject();
    project.writer.append([prompt('ours')]);
    const other = openTestProject(scratch());
    other.writer.append([prompt(`theirs ${CANARY}`)]);
    const origin = other.reader.origin()!;
    const target = path.join(project.layout.journal, origin);
    mkdirSync(target);
    const [name] = readdirSync(path.join(other.layout.journal, origin)).filter((one) =>
      one.endsWith('.b10'),
    );
    const { ports } = project;
    const from = path.join(other.layout.journal, origin, name!);
    ports.fs.rename(from, path.join(target, name!));
    rmSync(other.root, { recursive: true });
    expect(erase(project, byText, codecs).events).toBe(1);
    expect(canaries(project)).toEqual([]);
    expect(told(project)).toHaveLength(1);
  });
});
