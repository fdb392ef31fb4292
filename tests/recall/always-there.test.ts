import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { PromptSubmitted } from '../../src/events/types.ts';
import type { Project } from '../../src/project/open.ts';
import { sessions } from '../../src/projections/folds/sessions.ts';
import { oneLine } from '../../src/projections/safe-text.ts';
import { textOf } from '../../src/projections/tools-text.ts';
import { type RecallOptions, recallText } from '../../src/recall/recall.ts';
import { Script } from '../capture/support/script.ts';
import { openTestProject } from '../support.ts';
import { importInto, importRecords, ran, saw, tell } from '../tell.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));
/** What is recorded of real sessions, but for one in which prompts were taken back. */
const RECORDED = [
  ...readdirSync(path.join(FIXTURES, 'transcripts')).map((name) => `transcripts/${name}`),
  ...readdirSync(path.join(FIXTURES, 'real-client')).map((name) => `real-client/${name}/projects`),
].filter((name) => !/rewound|\.md/.test(name));

const imported = (name: string): Project => {
  const project = openTestProject();
  importInto(project, path.join(FIXTURES, name));
  return project;
};

const sessionsOf = ({ states }: Project): string[] =>
  Object.keys(states.at(sessions, null).state.sessions);

const squeezed = (text: string): string => oneLine(text).replace(/[\s.,;:…]+/g, '');

const MENTIONS = /\n\nAlso mentioned:\n[\s\S]*?(?=\n\n|\n<\/)/;

describe.each(RECORDED)('of %s', (name) => {
  it('the last prompt is there wherever it was left, whatever the room; bare names are a tenth', () => {
    const project = imported(name);
    let looked = 0;
    const seqs = sessionsOf(project).flatMap((session) =>
      project.states.facts(session, ['prompt.submitted']).map(({ fact }) => fact.seq),
    );
    for (const session of sessionsOf(project)) {
      const prompts = project.states.facts(session, ['prompt.submitted']);
      for (const [n, { fact }] of prompts.entries()) {
        const next = prompts[n + 1]?.fact.seq ?? Number.POSITIVE_INFINITY;
        // In another session something was asked later: that is the last one for a new session.
        const isLast = (upto: number) => !seqs.some((seq) => seq > fact.seq && seq <= upto);
        // Rules in it have lines of their own.
        const said = squeezed(textOf((fact.data as PromptSubmitted).text) ?? '');
        for (const seq of [Math.min(next - 1, fact.seq + 40)]) {
          for (const budget of [320, 4000]) {
            const cut = { upto: seq };
            for (const options of [
              { source: 'compact', session, cut, budget },
              ...(isLast(seq)
                ? [{ source: 'startup' as const, session: 'another', cut, budget }]
                : []),
            ] satisfies RecallOptions[]) {
              const { text } = recallText(project, options);
              looked += 1;
              expect(squeezed(text)).toContain(said.slice(0, 10));
              expect(text.length).toBeLessThanOrEqual(budget);
              const [mentions = ''] = MENTIONS.exec(text) ?? [];
              expect(mentions.length).toBeLessThanOrEqual(text.length / 10);
            }
          }
        }
      }
    }
    expect(looked).toBeGreaterThan(0);
  });
});

describe('the user’s last prompt', () => {
  const AT = Date.now() - 3_600_000;
  const asked = (text: string, n: number) =>
    saw('prompt.submitted', { text, promptId: `p${n}` }, { at: AT + n });
  const given = (project: Project, more: Partial<RecallOptions> = {}) =>
    recallText(project, { source: 'compact', session: 's', ...more }).text;

  it('is there after a turn of hundreds of messages, with a command that is like all the others', () => {
    const script = new Script();
    const project = importRecords(openTestProject(), [
      script.prompt('Migrate every record to the new schema.', 'p1'),
      ...Array.from({ length: 400 }, (_, n) => [
        script.says(`Number ${10_000 + n} is next.`),
        script.calls(`t${n}`, 'Bash', { command: `node migrate.js ${10_000 + n}` }),
        script.result(`t${n}`, `record ${10_000 + n} ${20_000 + n} migrated`),
      ]).flat(),
    ]);
    const text = given(project);
    expect(text).toContain('Migrate every record to the new schema.');
    expect(text).toMatch(/\nCommands:\n@\d+ `node migrate\.js \d+` → exit 0/);
    expect(text).not.toContain('Also mentioned');
    for (const budget of [300, 400, 700])
      expect(given(project, { budget })).toContain('Migrate every record');
  });

  it('is cut in the middle where it is long, and leaves room for more', () => {
    const project = openTestProject();
    const words = Array.from({ length: 900 }, (_, n) => `word${n}`).join(' ');
    tell(
      project,
      asked('Never use globals.', 1),
      asked(`First the parser: ${words}. Last the docs!`, 2),
    );
    for (const budget of [700, 1600, 4000]) {
      const text = given(project, { budget });
      expect(text).toMatch(/First the parser: word0.*….*Last the docs!/);
      expect(text).toContain('Never use globals.');
      expect(text.length).toBeLessThanOrEqual(budget);
    }
  });

  it('is the last one, also where the same was said before', () => {
    const project = openTestProject();
    for (const n of [1, 5]) {
      const input = { command: 'npm run e2e' };
      tell(
        project,
        asked('npm run e2e', n),
        ...ran(`t${n}`, 'Bash', input, { response: { stdout: 'ok' } }, { at: AT + n + 1 }),
        asked('Now fix the parser.', n + 2),
      );
    }
    tell(project, asked('npm run e2e', 9));
    const { seq } = project.states.facts('s', ['prompt.submitted']).at(-1)!.fact;
    // In a command's line it would pass for what the agent ran.
    expect(given(project)).toMatch(new RegExp(`The user said:\n[\\s\\S]*@${seq} npm run e2e\n`));
  });

  it('is there beside the rules in it, and where it is nothing but a rule', () => {
    const project = openTestProject();
    tell(project, asked('Add due dates. Never use a library for them.', 1));
    expect(given(project, { budget: 330 })).toMatch(/Never use a library[\s\S]*Add due dates/);
    tell(project, asked('Always write ISO dates.', 2));
    expect(given(project, { budget: 230 })).toContain('Always write ISO dates.');
    const onDisk = () => [{ path: '/app/a.ts', status: 'changed' as const, seq: 1, at: AT }];
    const resumed = given(project, { source: 'resume', onDisk });
    expect(resumed).toContain('a.ts changed');
    expect(resumed).toContain('Always write ISO dates.');
  });

  it('is not said again by the prompt after a compaction whose start gave it', () => {
    const project = openTestProject();
    tell(project, asked('Add due dates.', 1), saw('compaction.started', { trigger: 'manual' }));
    const { items, text } = recallText(project, { source: 'compact', session: 's' });
    expect(text).toContain('Add due dates.');
    const injected = { event: 'SessionStart', source: 'compact', chars: text.length, items };
    tell(
      project,
      saw('session.started', { source: 'compact', worktree: '/app' }, { at: AT + 2 }),
      saw('recall.injected', injected, { at: AT + 2 }),
      saw('compaction.finished', { trigger: 'manual', summary: 'Work.' }, { at: AT + 3 }),
      asked('Go on.', 4),
    );
    expect(given(project, { source: 'prompt' })).toBe('');
  });
});
