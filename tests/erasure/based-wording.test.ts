/** @module-tag long */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { erase, planErasure } from '../../src/erasure/erase.ts';
import { Wording } from '../../src/erasure/wording.ts';
import type { EventData, EventType } from '../../src/events/types.ts';
import { verifyJournal } from '../../src/journal/verify/verify.ts';
import type { Project } from '../../src/project/open.ts';
import { context } from '../../src/projections/folds/context.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { evidence } from '../../src/projections/folds/evidence.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { anEvent, NOON, prompt } from '../log/events.ts';
import { decoders, openTestProject } from '../support.ts';
import { canaries, codecs } from './support.ts';

/** The words of a text, each looked for as bytes: none of hex digits alone, which random ids may have. */
const wordsOf = (text: string): [string, Buffer][] =>
  [...new Set(text.match(/[\p{L}\p{N}]{4,}/gu))].map((word) => [word, Buffer.from(word)]);
const idOf = (n: number): Buffer => Buffer.alloc(16, n);
/** A later witness of a fact. */
const again = (n: number, type: EventType, data: EventData[EventType]) =>
  anEvent('fact.enriched', { of: idOf(n).toString('hex'), type, more: { ...data } });
const isSound = ({ ports, root }: Project): boolean =>
  verifyJournal(ports, root, decoders).damage.length === 0;

/** Everything so far is dropped, but for what may still be told of it. */
function drop(project: Project): void {
  project.writer.rotate(0);
  project.writer.append([prompt('later', { session: 's9' })]);
  expect(dropOld(project, 0, codecs)!.events).toBeGreaterThan(0);
}

test('of an event that a drop had kept no word is left in the states that stand for dropped events', () => {
  const project = openTestProject();
  const said = 'Rotate the zanzibar-7731z credentials of Kanarienvogel before Thursday, please do';
  project.writer.append([
    prompt(said),
    prompt('And go on with the report.'),
    prompt('Write the report.', { session: 's2' }),
  ]);
  project.writer.rotate(0);
  // Its session goes on: where the prompt belongs may still be told.
  project.writer.append([prompt('later')]);
  expect(dropOld(project, 0, codecs)!.kept).toBe(2);
  expect(project.states.at(sessions, null).state.sessions.s1!.title).toBe(said);
  const request = { by: 'event', seqs: [1] } as const;
  const planned = planErasure(project, request).events.filter(({ isWording }) => isWording);
  expect(planned.map(({ type }) => type)).toContain('journal.based');
  const done = erase(project, request, codecs);
  expect(done.plan.events.filter(({ isWording }) => isWording)).toHaveLength(planned.length);
  expect(canaries(project, wordsOf(said))).toEqual([]);
  const { s1, s2 } = project.states.at(sessions, null).state.sessions;
  expect([s1!.title, s2!.title, s1!.prompts]).toEqual([
    '[REDACTED:ERASED]',
    'Write the report.',
    3,
  ]);
  const { prompts } = project.states.at(cursors, 's1').state;
  expect(prompts.map(({ mark }) => mark).slice(0, 2)).toEqual([
    '[REDACTED:ERASED]',
    '26 And go on with the report.',
  ]);
  expect(isSound(project)).toBe(true);
});

test('what an event behind a drop says stays in the states, unless it tells again what was dropped', () => {
  const project = openTestProject();
  const said = 'Never push to the release branch of Kanarienvogel.';
  project.writer.append([prompt(said, { id: idOf(1) })]);
  drop(project);
  const { seqs } = project.writer.append([
    prompt(said, { session: 's3' }),
    again(1, 'prompt.submitted', { text: said }),
  ]);
  const rulesOf = () => project.states.based(context, 's1')!.state.preferences.rules;
  expect(rulesOf()).toMatchObject([{ text: said, key: expect.stringMatching(/^[0-9a-f]{12}$/) }]);
  erase(project, { by: 'event', seqs: seqs.slice(0, 1) }, codecs);
  expect(rulesOf()).toMatchObject([{ text: said }]);
  erase(project, { by: 'event', seqs: seqs.slice(1) }, codecs);
  // Its key is a digest of it.
  expect(rulesOf()).toMatchObject([{ text: '[REDACTED:ERASED].', key: '' }]);
  expect(canaries(project, wordsOf(said))).toEqual([]);
});

type Kind = (words: readonly string[]) => [EventType, EventData[EventType]][];
const tool = (
  name: string,
  input: unknown,
  response: unknown,
): [EventType, EventData[EventType]][] => [
  ['tool.called', { toolUseId: 't1', name, input }],
  ['tool.succeeded', { toolUseId: 't1', name, response }],
];
/** What hooks and transcripts bring, with the words in all of its texts. */
const KINDS: Record<string, Kind> = {
  'a prompt': ([a, b, c, d]) => [
    [
      'prompt.submitted',
      { text: `Never use ${a} for ${b}. No, I said ${c}, not that.\n\n- ${d}!` },
    ],
  ],
  'a command': ([a, b, c, d]) =>
    tool(
      'Bash',
      { command: `deploy --zone ${a} && npm run ${b}`, description: `Deploys ${c} to the zone` },
      { stdout: `${'line of output\n'.repeat(99)}error: ${d} is not ${a}\n`, stderr: '' },
    ),
  'a command that failed': ([a, b, c]) => [
    ['tool.called', { toolUseId: 't1', name: 'Bash', input: { command: `npm test ${a}` } }],
    ['tool.failed', { toolUseId: 't1', name: 'Bash', error: `Exit code 1\n${b}: expected ${c}` }],
  ],
  'an edit': ([a, b, c, d]) =>
    tool(
      'Edit',
      {
        file_path: `/work/src/${a}.ts`,
        old_string: `const ${b} = 1;`,
        new_string: `class ${c} {}`,
      },
      { filePath: `/work/src/${a}.ts`, originalFile: `export const ${b} = 1;\n// ${d}\n` },
    ),
  'a new file': ([a, b, c]) =>
    tool(
      'Write',
      { file_path: `docs/${a}/read.md`, content: `# ${b}\n\n${'text '.repeat(200)}${c}\n` },
      { type: 'create', filePath: `docs/${a}/read.md` },
    ),
  'an answer': ([a, b, c, d]) => [
    [
      'message.recorded',
      {
        role: 'assistant',
        kind: 'text',
        text: `Decision: we keep ${a}, because ${b} is slow.\nThe cause was ${c}. ${'And so on. '.repeat(60)}${d}`,
      },
    ],
    ['turn.ended', { lastMessage: `We keep ${a}, because ${b} is slow.` }],
  ],
  'a summary': ([a, b, c]) => [
    [
      'compaction.finished',
      { trigger: 'auto', summary: `1. Request: ${a}\n2. Files: ${b}.ts, ${c}` },
    ],
  ],
  'a task': ([a, b, c]) =>
    tool('TaskCreate', { subject: `Fix ${a}`, description: `See ${b} in "${c}"` }, `Task #1 ${a}`),
};

const letters = (min: number) =>
  fc.string({ minLength: min, maxLength: 14, unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz') });
/** Words that nobody else says: names, identifiers, passwords, long words. */
const word = fc.oneof(
  fc.tuple(letters(3), letters(3)).map(([a, b]) => `${a}${b[0]!.toUpperCase()}${b.slice(1)}`),
  fc.tuple(letters(3), letters(3)).map(([a, b]) => `${a}-${b}`),
  fc.tuple(letters(3), letters(3)).map(([a, b]) => `${a}_${b}`),
  fc.tuple(letters(4), fc.integer({ min: 100, max: 99_999 })).map(([a, n]) => `${a}${n}`),
  letters(4).map((a) => a.toUpperCase()),
  letters(12),
);

test.each(Object.entries(KINDS))(
  'of %s that is told again after a drop no distinctive word is left in any state',
  (_, kind) => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 4, maxLength: 4 }), (words) => {
        const project = openTestProject();
        const events = kind(words).map(([type, data], n) =>
          anEvent(type, data, { id: idOf(n + 1), at: NOON + n }),
        );
        project.writer.append([prompt('Write the report first.', { at: NOON - 1 }), ...events]);
        drop(project);
        const { seqs } = project.writer.append(
          kind(words).map(([type, data], n) => again(n + 1, type, data)),
        );
        const whole = words.filter((one) =>
          kind(words).some((event) => JSON.stringify(event).includes(one)),
        );
        const needles = whole.map((one): [string, Buffer] => [one, Buffer.from(one)]);
        expect(canaries(project, needles).length).toBeGreaterThan(0);
        erase(project, { by: 'event', seqs }, codecs);
        expect(canaries(project, needles)).toEqual([]);
        const { messages } = project.states.at(context, 's1').state.conversation;
        expect(messages[0]!.content).toBe('Write the report first.');
        expect(project.states.lost()).toBeUndefined();
        expect(project.states.at(evidence, 's1').state.names).toBeDefined();
        expect(isSound(project)).toBe(true);
        project.close();
      }),
      { numRuns: 8 },
    );
  },
);

test('what was cut, escaped, joined or listed goes; what others said in other words stays', () => {
  const said =
    'Ship Zaphod42 to the /srv/work/secret-plan.md, says "Trillian", extraordinarily.\nsay ok';
  const wording = new Wording([said], ['/srv/work', 'session-Zaphod42']);
  const left = (text: string) => wording.takenFrom(text).replaceAll('[REDACTED:ERASED]', '#');
  expect(left('ok')).toBe('ok');
  expect(left('It says ok to the plan.')).toBe('It says ok to the plan.');
  expect(left('Bash say ok')).toBe('Bash #');
  expect(left('/srv/work/other.md')).toBe('/srv/work/other.md');
  expect(left('secret-plan.md: read')).toBe('#: read');
  expect(left('we ship zaphod42 there')).toBe('we ship # there');
  expect(left('session-Zaphod42')).toBe('session-Zaphod42');
  expect(left('… or extraordi…')).toBe('… or #…');
  expect(left('so: Ship Zaphod42 t')).toBe('so: #');
  expect(left('a\nTrillian\nb')).toBe('a\n#\nb');
  expect(left(JSON.stringify(said).slice(1, -1))).toBe('#.\\n#');
});
