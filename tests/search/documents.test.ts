import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { documentAt, JOINED_EVENTS } from '../../src/search/documents.ts';
import { lived } from '../timetravel/lived.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';
import { eventsOf, REAL, ran, read, told } from './support.ts';

const textOf = (project: Parameters<typeof read>[0]): string =>
  JSON.stringify(read(project).documents.map(({ texts }) => texts));

describe('what can be found of a journal', () => {
  it.each(REAL)(
    '%s: each document is that of a prefix, of any later start, and of its event alone',
    (name) => {
      const project = lived(testProject(), name);
      const whole = read(project);
      const last = eventsOf(project).at(-1)!.seq;
      expect(whole.documents.length).toBeGreaterThan(3);
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: last }),
          fc.integer({ min: 1, max: last }),
          (from, to) => {
            const isIn = ({ seq }: { seq: number }) => seq >= from && seq <= to;
            expect(read(project, from, to)).toEqual({
              documents: whole.documents.filter(isIn),
              marks: whole.marks.filter(isIn),
            });
          },
        ),
        { numRuns: 40 },
      );
      for (const document of whole.documents)
        expect(documentAt(project, document.seq)?.document).toEqual(document);
    },
  );

  it('holds prompts, answers, tasks, calls, edits, summaries and commits of real transcripts', () => {
    const project = imported(
      testProject(),
      ...['claude-v1.0.17-long-edit-session.jsonl', 'claude-v1.0.108-sidechain-tasks.jsonl'].map(
        transcript,
      ),
    );
    const { documents } = read(project);
    const kinds = new Set(documents.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(expect.arrayContaining(['answer', 'call', 'edit', 'prompt']));
    for (const { texts } of documents) {
      expect(Object.keys(texts).length).toBeGreaterThan(0);
      expect(JSON.stringify(texts).length).toBeLessThan(80_000);
    }
  });

  it('has the beginning and the end of a long failure', () => {
    const project = testProject();
    const error = `Exit code 1\n${'compiling a part\n'.repeat(2000)}husky - pre-commit script failed`;
    told(
      project,
      ['tool.called', { toolUseId: 'a', name: 'Bash', input: { command: 'git commit' } }],
      ['tool.failed', { toolUseId: 'a', error }],
    );
    const { output = '' } = read(project).documents.at(-1)!.texts;
    expect(output).toMatch(/^Exit code 1\n/);
    expect(output).toMatch(/husky - pre-commit script failed$/);
    expect(output.length).toBeLessThan(9000);
  });

  it('finds a failure by its decisive line, and the command in its outcome', () => {
    const project = testProject();
    const seq = ran(
      project,
      'npx vitest run',
      'x\nAssertionError: expected 3 to be 4\n Tests  1 failed (1)',
    );
    expect(documentAt(project, seq)?.document).toMatchObject({
      kind: 'call',
      basis: 'ran',
      texts: { title: expect.stringMatching(/^npx vitest run\nfailed: .*expected 3 to be 4/) },
    });
  });

  it('joins an outcome to a call of the 2,000 events before it, however the journal is read', () => {
    const project = testProject();
    const near = ran(project, 'make near', 'done', JOINED_EVENTS - 1);
    const far = ran(project, 'make far', 'done', JOINED_EVENTS);
    expect(documentAt(project, near)?.document.texts.title).toContain('make near');
    expect(documentAt(project, far)?.document.texts).toEqual({ output: 'done' });
    for (const seq of [near, far])
      expect(read(project, seq, seq).documents).toEqual([documentAt(project, seq)?.document]);
  });

  it('takes a quiet commit from its command, unless it failed', () => {
    const project = testProject();
    const command = "cd app && git commit -qam 'Raise maxLength to 12' && echo ok";
    const { document } = documentAt(project, ran(project, command, 'ok'))!;
    expect(document).toMatchObject({ kind: 'commit', texts: { title: 'Raise maxLength to 12' } });
    const seq = ran(project, 'git commit -q --dry-run', '');
    expect(documentAt(project, seq)?.document.kind).toBe('call');
  });

  it('has no question for the tools of ben10 itself', () => {
    const project = testProject();
    const asked = { query: 'select:mcp__ben10__ben10_log' };
    told(project, ['tool.called', { toolUseId: 'a', name: 'ToolSearch', input: asked }]);
    expect(read(project).documents).toEqual([]);
  });

  it('takes a commit from what git printed, and its message from the command', () => {
    const project = testProject();
    const command = 'git add -A && git commit -m "Round down\n\nSales tax is never rounded up."';
    const seq = ran(project, command, '[main 1a2b3c4] Round down\n 1 file changed');
    expect(documentAt(project, seq)?.document).toMatchObject({
      kind: 'commit',
      texts: {
        title: '[main 1a2b3c4] Round down',
        body: expect.stringContaining('never rounded up'),
      },
    });
  });

  it('takes an edit’s new lines, and not what its answer repeats of the file', () => {
    const project = testProject();
    const input = { file_path: '/p/src/tax.ts', old_string: 'oldOne', new_string: 'newOne' };
    const response = { filePath: '/p/src/tax.ts', originalFile: 'theWholeFile' };
    told(
      project,
      ['tool.called', { toolUseId: 't', name: 'Edit', input }],
      ['tool.succeeded', { toolUseId: 't', name: 'Edit', response }],
    );
    const { documents } = read(project);
    expect(documents).toMatchObject([
      { kind: 'edit', texts: { title: '/p/src/tax.ts', files: '/p/src/tax.ts', body: 'newOne' } },
    ]);
  });

  it('takes a message once that a hook and the transcript tell of, in either order', () => {
    const project = testProject();
    const [first, second] = ['It rounds down.', 'It rounds up.'];
    const message = (text: string) => ({ role: 'assistant', kind: 'text', text });
    told(
      project,
      ['turn.ended', { lastMessage: first }],
      ['message.recorded', message(first)],
      ['message.recorded', message(second)],
      ['turn.ended', { lastMessage: second }],
    );
    expect(read(project).documents.map(({ texts }) => texts.body)).toEqual([first, second]);
  });

  it('takes the text that a second source adds as a document of its own', () => {
    const project = testProject();
    const [seq] = told(project, ['compaction.finished', { trigger: 'auto', summary: 'Cut short' }]);
    const of = eventsOf(project).find((event) => event.seq === seq)!.id;
    told(project, [
      'fact.enriched',
      { of, type: 'compaction.finished', more: { summary: 'All of it' } },
    ]);
    expect(read(project).documents).toMatchObject([
      { kind: 'summary', basis: 'machine', texts: { body: 'Cut short' } },
      { kind: 'summary', basis: 'machine', texts: { body: 'All of it' } },
    ]);
  });

  it('holds neither thoughts, nor commands of the client, nor anything of ben10', () => {
    const project = testProject();
    const own = { toolUseId: 'o', name: 'mcp__ben10__ben10_log' };
    told(
      project,
      ['message.recorded', { role: 'assistant', kind: 'thinking', text: 'hidden-thought' }],
      ['message.recorded', { role: 'user', kind: 'command', text: 'hidden-command' }],
      ['prompt.submitted', { text: '/mcp__ben10__resume hidden-prompt' }],
      ['tool.called', { ...own, input: { query: 'hidden-question' } }],
      ['tool.succeeded', { ...own, response: 'hidden-answer' }],
    );
    ran(project, 'cd app && npx ben10 log "hidden-call"', 'hidden-output');
    ran(project, 'node /opt/ben10/dist/ben10.cjs status', 'hidden-output');
    ran(project, 'bash -c "ben10 search hidden-call"', 'hidden-output');
    ran(project, 'grep -r ben10 docs', 'found-output');
    expect(textOf(project)).not.toContain('hidden');
    expect(textOf(project)).toContain('found-output');
  });

  it('reads of a text in a blob its beginning, and bounds each field', () => {
    const project = testProject();
    const long = 'word '.repeat(100_000);
    told(
      project,
      ['prompt.submitted', { text: { $blob: 'ab'.repeat(32), bytes: 9e6, head: 'the beginning' } }],
      ['prompt.submitted', { text: long.slice(0, 60_000) }],
      ['tool.called', { toolUseId: 'x', name: 'Bash', input: { command: long.slice(0, 50_000) } }],
      ['tool.failed', { toolUseId: 'x', error: long.slice(0, 50_000) }],
    );
    const { documents } = read(project);
    expect(documents[0]!.texts.body).toBe('the beginning');
    for (const { texts } of documents) expect(JSON.stringify(texts).length).toBeLessThan(20_000);
  });

  test('events of a wrong shape, of unknown types and with absurd numbers give nothing wrong', () => {
    const project = testProject();
    const trace = { pos: 1e300, rewoundTo: -7 };
    told(
      project,
      ['prompt.submitted', { text: 7 }],
      ['future.type' as never, { text: 'from the future' }],
      ['prompt.submitted', { text: 'sound', trace }, { at: 1e300 }],
      ['fact.enriched', { of: 'nobody', type: 'tool.failed', more: { error: 'late' } }],
      ['fact.enriched', { of: 'nobody', type: 'no.type', more: { error: 'never' } }],
    );
    expect(read(project)).toMatchObject({
      documents: [
        { at: 0, texts: { body: 'sound' } },
        { kind: 'call', texts: { output: 'late' } },
      ],
      marks: [],
    });
  });
});
