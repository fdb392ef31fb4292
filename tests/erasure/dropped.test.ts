/** @module-tag long */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planLines } from '../../src/cli/ui/erasure.ts';
import { erase, planErasure } from '../../src/erasure/erase.ts';
import { OWN_FIELDS } from '../../src/erasure/own-names.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { withoutPieces } from '../../src/erasure/pieces.ts';
import { listBlobs } from '../../src/journal/append/blobs.ts';
import { journalRange } from '../../src/journal/read/range.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Project } from '../../src/project/open.ts';
import { BASED } from '../../src/projections/based.ts';
import { readEvents } from '../../src/projections/events.ts';
import { context } from '../../src/projections/folds/context.ts';
import { retractions } from '../../src/projections/folds/retractions.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { replayAt } from '../../src/timetravel/replay.ts';
import { resolvePoint } from '../../src/timetravel/resolve.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { save } from '../../src/timetravel/saves.ts';
import { sessionsAt } from '../../src/timetravel/sessions.ts';
import { anEvent, call, prompt } from '../log/events.ts';
import { decoders, openTestProject } from '../support.ts';
import { importInto } from '../tell.ts';
import { testProject, transcript } from '../timetravel/project.ts';
import { CANARY, canaries, codecs } from './support.ts';

/** What stands for dropped events, and after how many prompts. */
const STATES = [
  ['a small state', 3],
  ['a state that is kept beside the journal', 200],
] as const;

/** A project with so many prompts. */
function holding(prompts: number): Project {
  const project = openTestProject();
  const filler = 'Never touch the generated files again, whatever happens. '.repeat(30);
  for (let n = 0; n < prompts; n += 1) project.writer.append([prompt(`${n}: ${filler}`)]);
  return project;
}

const byText = { by: 'pattern', wanted: parsePattern(CANARY) } as const;

test.each(STATES)(
  'a secret is taken out of %s that stands for dropped events, and the rest of it stays',
  (_, count) => {
    const project = holding(count);
    project.writer.append([prompt(`Never use ${CANARY} as a key.`)]);
    project.writer.rotate(0);
    project.writer.append([prompt('later', { session: 's2' })]);
    expect(dropOld(project, 0, codecs)!.events).toBe(count + 1);
    expect(canaries(project).length).toBeGreaterThan(0);
    const done = erase(project, byText, codecs);
    expect(done.left).toEqual([]);
    expect(canaries(project)).toEqual([]);
    const { state } = project.states.at(context, 's1');
    expect(state.conversation.messageCount).toBe(count + 1);
    expect(JSON.stringify(state)).toContain('REDACTED');
    expect(verifyJournal(project.ports, project.root, decoders).damage).toEqual([]);
  },
);

/** Everything so far is dropped; a later session goes on. */
function dropped(project: Project): Project {
  project.writer.rotate(0);
  project.writer.append([prompt('later', { session: 's2' })]);
  dropOld(project, 0, codecs);
  return project;
}

test('the plan names the saves that go for good: the events that they were made of were dropped', () => {
  const project = openTestProject();
  project.writer.append([prompt(`Never use ${CANARY} as a key.`)]);
  const before = save(project, { name: 'before' });
  dropped(project);
  save(project, { name: 'after' });
  const plan = planErasure(project, byText);
  expect(plan.lost).toEqual([`save "before" (@${before.seq})`]);
  expect(planLines(plan).join(' ').replace(/\s+/g, ' ')).toContain(
    `rebuilt when needed, except 1 quarantine 0 files removed leftovers 0 files of crashed writers removed Cannot be rebuilt, because the journal no longer reaches back to them: save "before" (@${before.seq}).`,
  );
  expect(erase(project, byText, codecs).plan.lost).toEqual(plan.lost);
  expect(() => stateAt(project, '@save:before')).toThrow('is not available');
  expect(stateAt(project, '@save:after')).toBeDefined();
});

test('of a journal that has all its events nothing goes for good', () => {
  const project = openTestProject();
  project.writer.append([prompt(`Never use ${CANARY} as a key.`)]);
  save(project, { name: 'before' });
  const plan = planErasure(project, byText);
  expect(plan.derived.states.length).toBeGreaterThan(0);
  expect(plan.lost).toEqual([]);
  expect(planLines(plan).join(' ')).not.toContain('Cannot be rebuilt');
});

const stateAt = (project: Project, point: string) =>
  replayAt(project, resolvePoint(project, point));

const erasing = (project: Project, given: string) =>
  erase(project, { by: 'pattern', wanted: parsePattern(given) }, codecs);

test.each(STATES)(
  'a pattern that takes all to the end of a line leaves the rest of %s',
  (_, count) => {
    const project = holding(count);
    project.writer.append([prompt(`the pin is ${CANARY}`), prompt('And go on.')]);
    dropped(project);
    expect(erasing(project, '/pin is.*/').left).toEqual([]);
    expect(canaries(project)).toEqual([]);
    const { conversation } = project.states.at(context, 's1').state;
    expect(conversation.messageCount).toBe(count + 2);
    expect(conversation.messages.slice(-2).map(({ content }) => content)).toEqual([
      'the [REDACTED:ERASED]',
      'And go on.',
    ]);
    expect(Object.keys(project.states.at(sessions, null).state.sessions)).toEqual(['s1', 's2']);
  },
);

test('what a fold left of a secret that it cut goes with it', () => {
  const secret = 'Vq7rTz81xKw02LmNhB6y';
  const project = openTestProject();
  for (let before = 60; before < 420; before += 3) {
    const text = `${'ab cd '.repeat(80).slice(0, before)}${secret} and more`;
    project.writer.append([prompt(text), call(`t${before}`, text)]);
  }
  dropped(project);
  const pieces = [4, 5, 8, 12, 19].map((length): [string, Buffer] => [
    `${length} of it`,
    Buffer.from(secret.slice(0, length)),
  ]);
  expect(canaries(project, pieces.slice(-1)).length).toBeGreaterThan(0);
  erasing(project, secret);
  expect(canaries(project, pieces)).toEqual([]);
});

test('a text that was cut anywhere in a secret has nothing of it, and others stay as they are', () => {
  const secret = fc.string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(...'QB3$K"é') });
  const around = fc.string({ maxLength: 30, unit: fc.constantFrom(...'ZYW _') });
  fc.assert(
    fc.property(secret, around, fc.nat(30), (one, text, n) => {
      const length = 4 + (n % (one.length - 4));
      const [start, end] = [one.slice(0, length), one.slice(-length)];
      for (const cut of [`${text} ${start}`, `${text} ${start}…`, `${end} ${text}`])
        for (const piece of [start, end])
          expect(withoutPieces(cut, [one]).includes(piece) && cut.includes(piece)).toBe(false);
      expect(withoutPieces(text, [one])).toBe(text);
      expect(withoutPieces(`${text}\n${start}\n`, [one])).toBe(`${text}\n[REDACTED:ERASED]\n`);
    }),
  );
});

test.each(STATES)('what was taken back stays so when its text goes from %s', (_, count) => {
  const project = holding(count);
  const text = `Never use ${CANARY} as a key.`;
  project.writer.append([prompt(text)]);
  project.writer.append([anEvent('preference.retracted', { key: `${count + 1}.1`, text })]);
  dropped(project);
  erasing(project, CANARY);
  expect(canaries(project)).toEqual([]);
  const { known } = project.states.at(retractions, null).state;
  expect(known.map((one) => one.text)).toEqual(['Never use [REDACTED:ERASED] as a key.']);
});

test('of an event that a drop had kept the states lose what it said, line by line', () => {
  const project = openTestProject();
  const said = ['Move the launch of Kolibri', 'to the ninth of May, quietly.'];
  project.writer.append([prompt('Keep dates in UTC.'), prompt(said.join('\n'))]);
  project.writer.append([anEvent('preference.retracted', { key: '1.1', text: said[1]! })]);
  dropped(project);
  const needles = said.map((one): [string, Buffer] => [one, Buffer.from(one)]);
  expect(canaries(project, needles).some((one) => one.includes('@'))).toBe(true);
  erase(project, { by: 'event', seqs: [3] }, codecs);
  expect(canaries(project, needles.slice(1))).toEqual([]);
  const { conversation } = project.states.at(context, 's1').state;
  expect(conversation.messages.map(({ content }) => content)).toContain(
    `${said[0]}\n[REDACTED:ERASED]`,
  );
  expect(verifyJournal(project.ports, project.root, decoders).damage).toEqual([]);
});

test('digests of files go from a large state, and no text is left that was made on the way', () => {
  const project = holding(200);
  const file = { path: '/p/a', believed: 'disk', hash: 'feedfacefeedface', bytes: 17 };
  const write = { toolUseId: 't1', name: 'Write' };
  project.writer.append([
    anEvent('tool.called', { ...write, input: { file_path: file.path, content: 'a' } }),
    anEvent('tool.succeeded', { ...write, response: {} }),
    anEvent('context.merged', { strategy: 'disk', files: [file] } as never),
    prompt(`Never use ${CANARY} as a key.`),
  ]);
  dropped(project);
  const digest: [string, Buffer][] = [['digest', Buffer.from(file.hash)]];
  expect(canaries(project, digest).length).toBeGreaterThan(0);
  erasing(project, CANARY);
  expect(canaries(project, digest)).toEqual([]);
  const { ports, layout, root } = project;
  expect(verifyJournal(ports, root, decoders).blobs).toBe(listBlobs(ports, layout).length);
});

test('a secret that is called like a field of a state does not make the state unreadable', () => {
  const project = openTestProject();
  project.writer.append([prompt('the codename is conversation, or worktrees')]);
  dropped(project);
  for (const word of ['conversation', 'worktrees']) erasing(project, word);
  const { messages } = project.states.at(context, 's1').state.conversation;
  expect(messages[0]!.content).toBe('the codename is [REDACTED:ERASED], or [REDACTED:ERASED]');
});

test('every field of the states that stand for dropped events is known by its name', () => {
  const project = testProject();
  const { states } = project;
  importInto(project, transcript(''));
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      // A tool has the name that its client gave it.
      if (/^[a-z][A-Za-z]+$/.test(key) && key !== 'bash') found.add(key);
      look(one);
    }
  };
  for (const one of BASED.project) look(states.at(one, null).state);
  for (const { session } of sessionsAt(project))
    for (const one of BASED.session) look(states.at(one, session).state);
  expect(found.size).toBeGreaterThan(100);
  expect([...found].filter((name) => !OWN_FIELDS.has(name))).toEqual([]);
});

test('what tells of a drop is not erased by its seq: the states of what was dropped hang on it', () => {
  const project = openTestProject();
  project.writer.append([prompt('first'), prompt('second')]);
  dropped(project);
  const { last } = journalRange(project.ports, project.reader);
  const before = JSON.stringify(project.states.at(context, 's1').state);
  const request = readEvents(project.reader, project.ports.xxh64, { types: ['erasure.requested'] });
  const seq = [...request][0]!.seq;
  const done = erase(project, { by: 'event', seqs: [seq, last] }, codecs);
  expect(done.plan.events).toEqual([]);
  expect(JSON.stringify(project.states.at(context, 's1').state)).toBe(before);
  // Somebody who means the states says so.
  erase(project, { by: 'event', seqs: [], ranges: [[1, seq]] }, codecs);
  expect(project.states.dropped()).toMatchObject({ upto: 2 });
  expect(project.states.at(context, 's1').state.conversation.messageCount).toBe(0);
});
