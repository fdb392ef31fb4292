import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Script } from './support/script.ts';
import { World } from './support/world.ts';

const TOKEN = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;

const texts = (world: World): unknown[] =>
  world
    .events()
    .filter(({ type }) => type === 'message.recorded')
    .map(({ data }) => (data as { text: unknown }).text);

/** What is told of these records of one API message. */
function told(...parts: string[]): unknown[] {
  const world = new World();
  const script = new Script();
  const file = world.put('s.jsonl', parts.map((text) => script.part('m1', text, 5)).join(''));
  world.reconcile({ path: file, session: 's' });
  return texts(world);
}

describe('a secret that was cut between two records', () => {
  test('is taken out of both, wherever the cut is', () => {
    for (let cut = 1; cut < TOKEN.length; cut += 1) {
      const parts = [`Use ${TOKEN.slice(0, cut)}`, `${TOKEN.slice(cut)} here.`];
      expect(told(...parts), String(cut)).toEqual([
        'Use [REDACTED:GITHUB-TOKEN]',
        '[REDACTED:GITHUB-TOKEN] here.',
      ]);
    }
  });

  test('goes where its name is in the first and all of it in the second', () => {
    expect(told('DB_PASSWORD=', 'tr0ub4dor&3 is set.')).toEqual([
      'DB_PASSWORD=',
      '[REDACTED:PASSWORD] is set.',
    ]);
  });

  test('leaves nothing of it in any file', () => {
    const world = new World();
    const script = new Script();
    const parts = [TOKEN.slice(0, 18), TOKEN.slice(18)];
    const file = world.put('s.jsonl', parts.map((text) => script.says(text)).join(''));
    world.reconcile({ path: file, session: 's' });
    const files = readdirSync(world.root, { recursive: true, withFileTypes: true });
    for (const one of files.filter((entry) => entry.isFile())) {
      const bytes = readFileSync(path.join(one.parentPath, one.name), 'latin1');
      for (const part of parts) expect(bytes).not.toContain(part);
    }
  });

  test('is taken out of the second when the first was stored before', () => {
    const world = new World();
    const script = new Script();
    const file = world.put('s.jsonl', script.says(`Use ${TOKEN.slice(0, 20)}`));
    // A whole batch between them: the first is appended by itself.
    appendFileSync(file, Array.from({ length: 255 }, (_, n) => script.calls(`t${n}`)).join(''));
    appendFileSync(file, script.says(TOKEN.slice(20)));
    world.reconcile({ path: file, session: 's' });
    expect(texts(world)[1]).toBe('[REDACTED:GITHUB-TOKEN]');
  });

  test('is none where two texts only follow each other', () => {
    const parts = ['The token:', 'I set it.', 'password', 'hunter2 was said twice', ' ', TOKEN];
    expect(told(...parts).slice(0, -1)).toEqual(parts.slice(0, -1));
  });
});
