import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ben10, emptyProject, lines } from '../cli/support.ts';
import { hooked } from './run-hook.ts';

/** A project with a spec of so many items, and a session whose context holds 55 % of its window. */
function projectWith(items: number): { dir: string; ask: (prompt: string) => Promise<string> } {
  const dir = emptyProject();
  mkdirSync(path.join(dir, 'docs'));
  const list = Array.from({ length: items }, (_, n) => `- the part ${n}\n`).join('');
  writeFileSync(path.join(dir, 'docs/spec.md'), `# Spec\n\n## Parts\n\n${list}`);
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 109_990,
  };
  const message = { id: 'm1', role: 'assistant', model: 'claude-opus-4-6', content: [], usage };
  const record = { type: 'assistant', uuid: 'u1', parentUuid: null, sessionId: 's', message };
  const file = path.join(dir, 's.jsonl');
  writeFileSync(file, `${JSON.stringify({ ...record, timestamp: '2026-11-01T10:00:00.000Z' })}\n`);
  const ask = async (prompt: string) => {
    const answer = await hooked(dir, 'UserPromptSubmit', { prompt, transcript_path: file });
    if (answer === '') return '';
    const { decision, hookSpecificOutput } = JSON.parse(answer);
    expect(decision).toBeUndefined();
    return hookSpecificOutput.additionalContext;
  };
  return { dir, ask };
}

it('a prompt that names a spec of half the window, at 55 %, is warned of it once, and not stopped', async () => {
  const { dir, ask } = projectWith(19);
  expect(await ask('What is new?')).toBe('');
  const said = await ask('Please implement @docs/spec.md now');
  expect(said).toContain(
    'docs/spec.md is about 101k tokens of work (80%: 25k to 332k), 50% of the window',
  );
  expect(said).toContain('It may not fit: 55% of the context is used.');
  expect(said).toContain('To go on anyway: just go on.');
  expect(said.length).toBeLessThanOrEqual(900);
  expect(await ask('Go on with docs/spec.md')).toBe('');
  const [event] = lines(ben10(dir, ['log', '--type', 'task.estimated', '--json']));
  expect(event).toMatchObject({ data: { key: 'docs/spec.md', tokens: 100_700, window: 200_000 } });
});

it('a spec of over 60 % of the window comes with its shards', async () => {
  const { ask } = projectWith(27);
  const said = await ask('docs/spec.md');
  expect(said).toContain('72% of the window');
  expect(said.match(/^\d\. \d+ items, \d+k: Parts$/gm)).toHaveLength(3);
});

it('what fits, is no plan, is excluded, or is not there is not spoken of', async () => {
  const { dir, ask } = projectWith(5);
  writeFileSync(path.join(dir, '.env.md'), '- a\n'.repeat(50));
  for (const prompt of [
    'docs/spec.md',
    'docs/other.md',
    '.env.md',
    '../../etc/passwd.md',
    '.ben10/x.md',
  ])
    expect(await ask(prompt)).toBe('');
});

it('a text is a plan by its name or its boxes, and not because it lists things', async () => {
  const { dir, ask } = projectWith(0);
  const list = (mark: string) => `${mark} the part\n`.repeat(50);
  writeFileSync(path.join(dir, 'SKILL.md'), list('-'));
  writeFileSync(path.join(dir, 'next-week.md'), list('- [ ]'));
  writeFileSync(path.join(dir, 'UI-PLAN.md'), list('-'));
  expect(await ask('translate SKILL.md')).toBe('');
  expect(await ask('do next-week.md')).toContain(
    '133% of the window. That is much for one session',
  );
  expect(await ask('do UI-PLAN.md')).toContain('UI-PLAN.md is about 265k tokens');
});
