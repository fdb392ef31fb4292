import { expect, it } from 'vitest';
import { writtenDown } from '../../src/projections/written-down.ts';

const texts = (name: string, input: unknown) => writtenDown(name, input).map(({ text }) => text);
const WHY = 'brotli was tried first; old proxies break it.';

it.each([
  [`git commit -m "Use gzip for exports\n\n${WHY}"`],
  [`git add -A && git commit -m 'Use gzip for exports' -m '${WHY}'`],
  [
    `git commit -m "$(cat <<'EOF'\nUse gzip for exports\n\n${WHY}\n\nCo-Authored-By: A <a@b.c>\nEOF\n)"`,
  ],
])('a commit’s message that says why is a decision: %j', (command) => {
  expect(texts('Bash', { command })).toEqual([`Use gzip for exports: ${WHY}`]);
});

it('a commit that only says what was done is none, and so is no other command', () => {
  expect(texts('Bash', { command: 'git commit -m "Add tests for exports"' })).toEqual([]);
  expect(texts('Bash', { command: 'echo "Use gzip, because brotli is slow"' })).toEqual([]);
});

it('a short record of a decision is given whole, without its status and date', () => {
  const content =
    '# Queue of the mailer\n\n- Status: accepted\n- Chosen: Kafka\n- Reason: the relay drops bursts\n';
  expect(texts('Write', { file_path: '/p/docs/adr/0007-queue.md', content })).toEqual([
    'Queue of the mailer · Chosen: Kafka · Reason: the relay drops bursts',
  ]);
  expect(texts('Write', { file_path: '/p/docs/queue.md', content })).toEqual([]);
});

it('of a long one its title, what was chosen and why', () => {
  const filler = 'There is more to say on what was looked at and by whom. '.repeat(8);
  const content = `# Queue of the mailer\n\n## Context\n\nThe relay drops bursts.\n\n## Options\n\n${filler}\n\n## Decision\n\nWe use Kafka.\n`;
  expect(texts('Write', { file_path: '/p/docs/decisions/queue.md', content })).toEqual([
    'Queue of the mailer: We use Kafka. The relay drops bursts.',
  ]);
});

it('a todo that says why is a decision, also when the list is replaced later', () => {
  const todos = [
    { content: 'Move exports to gzip because old proxies break brotli', status: 'pending' },
    { content: 'Write the tests', status: 'pending' },
  ];
  expect(texts('TodoWrite', { todos })).toEqual([todos[0]!.content]);
});
