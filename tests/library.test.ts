import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ContextState, open } from '../src/index.ts';
import { spool } from '../src/journal/append/inbox.ts';
import { codeOf, newEvent, scratch } from './support.ts';
import { imported, testProject, transcript } from './timetravel/project.ts';

function recorded(): string {
  const dir = scratch();
  const project = imported(
    testProject({ dir }),
    transcript('claude-2.1.329-real-todo-app/transcript.jsonl'),
  );
  const { ports, layout } = project;
  spool(ports, layout, [newEvent({ type: 'test.waits' })]);
  project.close();
  return dir;
}

const stampOf = (dir: string) =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const file = path.join(dir, name);
      const { mtimeMs, size, isFile } = { ...statSync(file), isFile: statSync(file).isFile() };
      return [name, mtimeMs, size, isFile ? readFileSync(file, 'base64') : ''];
    });

describe('the library', () => {
  it('gives events, oldest first, by type and between points', () => {
    const journal = open(recorded());
    const all = [...journal.events()];
    const seqs = all.map(({ seq }) => seq).filter((seq) => seq > 0);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect(all.at(-1)).toMatchObject({ type: 'test.waits', seq: 0 });
    const some = [...journal.events({ from: 3, to: '@10', types: ['tool', 'prompt.submitted'] })];
    expect(some).toEqual(
      all.filter(
        ({ seq, type }) =>
          seq >= 3 && seq <= 10 && (type.startsWith('tool.') || type === 'prompt.submitted'),
      ),
    );
    expect(some.length).toBeGreaterThan(1);
    journal.close();
  });

  it('gives the state of a projection at a point', () => {
    const journal = open(recorded());
    const first = journal.at('@prompt:1');
    const last = journal.at('@head', 'context');
    const told = ({ conversation }: ContextState) => JSON.stringify(conversation).length;
    expect(told(last)).toBeGreaterThan(told(first));
    expect(journal.at('@head', 'tasks')).toBeDefined();
    journal.close();
  });

  it('says what is wrong by a code', () => {
    const dir = recorded();
    const journal = open(dir);
    expect(codeOf(() => journal.at('@nowhere'))).toBe('POINT_INVALID');
    expect(codeOf(() => journal.at('@head', 'other'))).toBe('USAGE');
    expect(codeOf(() => [...journal.events({ types: ['tol'] })])).toBe('USAGE');
    journal.close();
    expect(codeOf(() => journal.at('@head'))).toBe('USAGE');
    expect(codeOf(() => open(scratch()))).toBe('CONTEXT_NOT_FOUND');
  });

  it('locks and writes nothing', () => {
    const dir = recorded();
    const before = stampOf(dir);
    const journal = open(dir);
    journal.at('@head');
    expect([...journal.events()].length).toBeGreaterThan(10);
    journal.close();
    expect(stampOf(dir)).toEqual(before);
  });
});
