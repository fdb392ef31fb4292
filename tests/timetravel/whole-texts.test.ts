import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { EventType } from '../../src/events/types.ts';
import type { Project } from '../../src/project/open.ts';
import { type Restored, type RestoreOptions, restore } from '../../src/timetravel/restore.ts';
import { dropOld } from '../../src/timetravel/retention/retention.ts';
import { save } from '../../src/timetravel/saves.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { prompt } from '../log/events.ts';
import { saw, tell } from '../tell.ts';
import { testProject } from './project.ts';
import { calendar, codecs, reopened } from './retention/old.ts';

const SESSION = 's';
/** A text of so many numbered words, none of which is there twice. */
const words = (name: string, count: number): string =>
  Array.from({ length: count }, (_, n) => `${name}${n}`).join(' ');

function told(project: Project, ...events: [EventType, object, agent?: string][]): Project {
  for (const [index, [type, data, agent = null]] of events.entries())
    tell(project, saw(type, data as never, { session: SESSION, agent, at: 5 + index }));
  return project;
}

const said = (text: string): [EventType, object] => [
  'message.recorded',
  { role: 'assistant', kind: 'text', text },
];

/** All pages together, as one text without the ends of lines. */
function whole(project: Project, options: Partial<RestoreOptions> = {}): string {
  const page = (n: number): Restored => restore(project, { mode: 'full', page: n, ...options });
  const first = page(1);
  const rest = Array.from({ length: first.pages - 1 }, (_, n) => page(n + 2));
  return [first, ...rest]
    .map(({ text }) => text.split('\n').slice(2, -1).join(''))
    .join('')
    .replace(/\n/g, '');
}

const PROMPT = words('asked', 1_000);
const ANSWER = words('said', 1_000);
const REPORT = words('reported', 300);
const SUMMARY = words('summed', 2_000);
const LARGE = words('large', 20_000);

const longTalk = () =>
  told(
    testProject(),
    ['prompt.submitted', { text: PROMPT }],
    said(ANSWER),
    ['message.recorded', { role: 'assistant', kind: 'text', text: REPORT }, 'a1'],
    said(LARGE),
    ['compaction.finished', { trigger: 'auto', summary: SUMMARY }],
  );

describe('the whole of what was said', () => {
  test('is read from the journal, for the state holds the start of a long text alone', () => {
    const project = longTalk();
    const text = whole(project);
    for (const one of [PROMPT, ANSWER, REPORT, SUMMARY, LARGE]) expect(text).toContain(one);
    expect(text).not.toContain('…');
  });

  test('is read of a prompt and a summary that are kept beside the journal, too', () => {
    const [prompt, summary] = [words('pasted', 20_000), `${'x'.repeat(1999)}\u{1f600} ${LARGE}`];
    const project = told(
      testProject(),
      ['prompt.submitted', { text: prompt }],
      ['compaction.finished', { trigger: 'auto', summary }],
    );
    const text = whole(project);
    expect(text).toContain(prompt);
    expect(text).toContain(summary);
    rmSync(project.layout.blobs, { recursive: true });
    expect(whole(project)).toContain(
      `${prompt.slice(0, 2000)}… [shortened, and event @1, which has the rest, cannot be read]`,
    );
  });

  test('has the tasks with all that was said of them, also where they changed since', () => {
    const [subject, description, content] = [
      words('subject', 40),
      words('why', 300),
      words('do', 90),
    ];
    const project = told(
      testProject(),
      ['tool.called', { toolUseId: 't1', name: 'TaskCreate', input: { subject, description } }],
      ['tool.succeeded', { toolUseId: 't1', response: { task: { id: '1' } } }],
      [
        'tool.called',
        { toolUseId: 't2', name: 'TaskUpdate', input: { taskId: '1', status: 'in_progress' } },
      ],
      ['tool.succeeded', { toolUseId: 't2', response: {} }],
    );
    const text = whole(project, { mode: 'selective', parts: ['tasks'] });
    expect(text).toContain(`[>] #1 ${subject} (${description})`);
    expect(text).not.toContain('…');
    told(
      project,
      ['tool.called', { toolUseId: 't3', name: 'TodoWrite', input: { todos: [{ content }] } }],
      ['tool.succeeded', { toolUseId: 't3', response: {} }],
    );
    expect(whole(project)).toContain(`#1 ${content}`);
  });

  test('gives no task the text of another one that begins alike, and says where both are', () => {
    const create = (id: string, description: string): [EventType, object][] => [
      ['tool.called', { toolUseId: id, name: 'TaskCreate', input: { subject: id, description } }],
      ['tool.succeeded', { toolUseId: id, response: { task: { id } } }],
    ];
    const alike = words('alike', 90);
    const project = told(
      testProject(),
      ...create('a', `${alike} one`),
      ...create('b', `${alike} other`),
    );
    const text = whole(project, { mode: 'selective', parts: ['tasks'] });
    expect(text).toContain('[shortened: ben10 show 1 --full or ben10 show 3 --full has all]');
    expect(text).not.toContain('other');
  });

  test('comes back from a save and a snapshot as well', () => {
    const project = longTalk();
    save(project, { name: 'n' });
    const { snapshot } = takeSnapshot(project, { session: SESSION, trigger: 'manual' });
    for (const point of ['@save:n', `@snapshot:${snapshot}`]) {
      const text = whole(project, { point });
      for (const one of [PROMPT, ANSWER, LARGE]) expect(text).toContain(one);
    }
  });

  test('is there for the conversation asked for alone', () => {
    const text = whole(longTalk(), { mode: 'selective', parts: ['conversation'] });
    expect(text).toContain(ANSWER);
  });

  test('ends somewhere: what is not read says how much there is, and how it is had', {
    tags: 'long',
  }, () => {
    const texts = Array.from({ length: 5 }, (_, n) => words(`t${n}-`, 60_000));
    const start: [EventType, object] = ['prompt.submitted', { text: 'Talk.' }];
    const project = told(testProject(), start, ...texts.map(said));
    const text = whole(project, { budgetTokens: 20_000 });
    const { length } = texts[0]!;
    expect(text).toContain(
      `[shortened: 1200 of ${length} characters; ben10 show 2 --full has all]`,
    );
    // What was said last is told first.
    expect(text).toContain(texts[4]);
    expect(text.length).toBeLessThan(2_500_000);
  });

  test('says so where the rest is kept beside the journal and is lost', () => {
    const project = longTalk();
    rmSync(project.layout.blobs, { recursive: true });
    const text = whole(project);
    expect(text).toContain('[shortened, and event @4, which has the rest, cannot be read]');
    expect(text).toContain(ANSWER);
  });

  test('says so where retention removed the event', () => {
    const { shown, clock } = calendar();
    const project = testProject({ ports: { clock }, segmentBytes: 16 * 1024 });
    told(
      project,
      ['prompt.submitted', { text: PROMPT }],
      said(ANSWER),
      said(words('more', 4_000)),
      said('Done.'),
    );
    save(project, { name: 'n' });
    shown.days = 100;
    project.writer.append([prompt('Another one.', { session: 's2' })]);
    expect(dropOld(project, 50, codecs)).toMatchObject({ upto: expect.any(Number) });
    const text = whole(reopened(project), { point: '@save:n' });
    expect(text).toContain('[shortened, and the rest is gone: event @2 was removed by retention]');
  });
});

describe('a text that is cut', () => {
  const command = `echo ${words('out', 200)}`;
  const worked = () =>
    told(
      testProject(),
      ['prompt.submitted', { text: PROMPT }],
      ['tool.called', { toolUseId: 't', name: 'Bash', input: { command } }],
    );

  test('is said to be, with how it is had whole', () => {
    const { text } = restore(worked(), { mode: 'selective', parts: ['tools'] });
    expect(text).toContain('…');
    expect(text.split('\n')[0]).toContain(
      'Text ending in … is cut; for all of event @N: ben10 show N --full',
    );
    const summary = restore(worked(), { mode: 'summary' }).text;
    expect(summary).toContain('Cut (…): ben10 show N --full.');
  });

  test('is not spoken of where nothing is cut', () => {
    const project = told(testProject(), ['prompt.submitted', { text: 'Short.' }]);
    for (const mode of ['full', 'summary'] as const)
      expect(restore(project, { mode }).text).not.toContain('--full');
  });
});
