import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATE_BYTES_MAX } from '../../../src/projections/bounds.ts';
import type { Fact } from '../../../src/projections/contract.ts';
import { contentHash } from '../../../src/projections/file-text.ts';
import { CHANGES_MAX, FILES_MAX, files, PATH_CHARS } from '../../../src/projections/folds/files.ts';
import { factOf, foldOf } from '../support/telling.ts';

let calls = 0;
/** A call of a file tool and its outcome. */
function touch(name: string, path: string, response: unknown, agent: string | null = null): Fact[] {
  calls += 1;
  const call = { toolUseId: `t${calls}`, name };
  return [
    factOf('tool.called', { ...call, input: { file_path: path, content: 'a\nb\n' } }, { agent }),
    factOf('tool.succeeded', { ...call, response, durationMs: 1 }, { agent }),
  ];
}
const patch = { structuredPatch: [{ lines: ['+a', '+b', '-c', ' d'] }] };

describe('a file that was touched', () => {
  it('is known by what was done to it last, and with how many lines', () => {
    const facts = [
      ...touch('Write', '/p/a.ts', { type: 'create' }),
      ...touch('Edit', '/p/a.ts', patch),
      ...touch('Read', '/p/b.ts', {}),
    ];
    const { '/p/a.ts': a, '/p/b.ts': b } = foldOf(files, facts).files;
    const [, , , edited, , read] = facts;
    expect(a).toMatchObject({ lastAction: 'edited', edits: 2, linesAdded: 4, linesRemoved: 1 });
    expect(a).toMatchObject({ path: '/p/a.ts', reads: 0, lastTool: 'Edit' });
    expect(a).toMatchObject({ lastSeq: edited!.seq, lastAt: edited!.at });
    expect(b).toMatchObject({ lastAction: 'read', reads: 1, edits: 0, changedSeq: null });
    expect(b).toMatchObject({ path: '/p/b.ts', lastSeq: read!.seq, lastAt: read!.at });
  });

  it('cites its last change, whoever looked at it since', () => {
    const change = touch('Edit', '/p/a.ts', patch);
    const look = touch('Read', '/p/a.ts', {}, 'agent-1');
    const record = foldOf(files, [...change, ...look]).files['/p/a.ts'];
    expect(record).toMatchObject({
      lastAction: 'edited',
      changedSeq: change[1]!.seq,
      lastSeq: look[1]!.seq,
      agents: ['', 'agent-1'],
    });
  });
});

/** A call with its own input, and its outcome. */
function did(name: string, path: string, input: object, response: unknown, agent?: string): Fact[] {
  calls += 1;
  const call = { toolUseId: `t${calls}`, name };
  const who = { agent: agent ?? null };
  return [
    factOf('tool.called', { ...call, input: { file_path: path, ...input } }, who),
    factOf('tool.succeeded', { toolUseId: call.toolUseId, response }, who),
  ];
}
const wrote = (path: string, content: string) =>
  did('Write', path, { content }, { type: 'create', filePath: path, content });
const wholeRead = (content: string, more: object = {}) => ({
  type: 'text',
  file: { content, startLine: 1, numLines: 3, totalLines: 3, ...more },
});
const only = (facts: readonly Fact[]) => Object.values(foldOf(files, facts).files)[0]!;

describe('what is known of a file', () => {
  it('is the hash of what was written, read whole, or made by an edit', () => {
    const text = 'export const a = 1;\nconst b = 2;\n';
    const known = { hash: contentHash(text), bytes: text.length };
    const [, outcome] = wrote('/p/a.ts', text);
    expect(only(wrote('/p/a.ts', text)).known).toMatchObject(known);
    expect(only(did('Read', '/p/a.ts', {}, wholeRead(text.trimEnd()))).known).toMatchObject(known);
    const edit = { originalFile: text.replace('2', '1'), oldString: 'b = 1', newString: 'b = 2' };
    expect(only(did('Edit', '/p/a.ts', {}, edit)).known).toMatchObject(known);
    const edits = [{ old_string: 'b = 1', new_string: 'b = 2' }];
    const several = { originalFileContents: edit.originalFile, edits };
    expect(only(did('MultiEdit', '/p/a.ts', {}, several)).known).toMatchObject(known);
    expect(outcome!.seq).toBeGreaterThan(0);
  });

  it('is the same whatever the line ends are, and what sha256sum says of plain ones', () => {
    expect(contentHash('\ufeffa\r\nb')).toBe(contentHash('a\nb\n'));
    expect(contentHash('a\n')).toBe(
      '87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7',
    );
    expect(contentHash('a\n')).not.toBe(contentHash('a\n\n'));
  });

  it('is summed up by what it exports, else by its first lines', () => {
    const of = (name: string, text: string) => only(wrote(name, text)).summary;
    const module = 'import x from "y";\nexport function add() {}\nexport const list = 1;\n';
    expect(of('/p/a.ts', module)).toBe('exports add, list');
    expect(of('/p/a.py', 'def run(x):\n  pass\nclass Job:\n')).toBe('exports run, Job');
    expect(of('/p/a.sh', '#!/bin/sh\n\n# Builds all\nset -e\n')).toBe('# Builds all / set -e');
    expect(of('/p/a.md', `# ${'long '.repeat(200)}`).length).toBeLessThanOrEqual(121);
    expect(of('/p/a.md', '')).toBe('');
    const edit = { originalFile: module, oldString: 'list', newString: 'lists' };
    const edited = [...wrote('/p/a.ts', module), ...did('Edit', '/p/a.ts', {}, edit)];
    expect(only(edited).summary).toBe('exports add, lists');
  });

  it('says how often it was read, changed and written whole, and who changed it when', () => {
    const first = wrote('/p/a.ts', 'x\n');
    const second = did('Edit', '/p/a.ts', {}, patch, 'agent-1');
    const last = did('Read', '/p/a.ts', {}, wholeRead('x'));
    const state = foldOf(files, [...first, ...second, ...last]);
    expect(state.files['/p/a.ts']).toMatchObject({
      reads: 1,
      edits: 2,
      writes: 1,
      lastTool: 'Read',
    });
    expect(state.changes).toEqual([
      { path: '/p/a.ts', seq: first[1]!.seq, at: first[1]!.at, tool: 'Write', agent: null },
      { path: '/p/a.ts', seq: second[1]!.seq, at: second[1]!.at, tool: 'Edit', agent: 'agent-1' },
    ]);
  });
});

it('the state stays small whatever names and texts there are', () => {
  const wide = '\u0800';
  let state = files.initial();
  for (let n = 0; n < FILES_MAX + 200; n += 1) {
    const path = `/${n}/${wide.repeat(n % 2 === 0 ? 50 : PATH_CHARS)}`;
    const facts = did('Write'.padEnd(100, 'x'), path, {}, {});
    const touched = wrote(path, `${wide.repeat(400)}\n`);
    for (const one of [...facts, ...touched]) state = files.apply(state, one);
  }
  // A context has it twice when it was cleared.
  expect(JSON.stringify(state).length).toBeLessThan(STATE_BYTES_MAX / 2.5);
  expect(state.dropped).toBeGreaterThan(0);
  expect(state.changes.length).toBeLessThanOrEqual(CHANGES_MAX);
});

it('any answer of a tool is taken', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit'),
      fc.anything(),
      fc.anything(),
      (name, input, response) => {
        const given = typeof input === 'object' ? { ...input } : { content: input };
        expect(() => only(did(name, '/p/a', given, response))).not.toThrow();
      },
    ),
  );
});
