import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findTranscripts, subagentTranscripts } from '../../src/capture/transcripts.ts';
import { folder, realPorts, scratch } from '../support.ts';

const { fs } = realPorts;
const LINE = (sessionId: string, fields: object = {}) =>
  `${JSON.stringify({ type: 'user', sessionId, ...fields })}\n`;

describe('the transcripts of a session’s sub-agents', () => {
  test('are in a folder of its name, also those of a workflow', () => {
    const dir = folder({
      's1.jsonl': '',
      's1/subagents/agent-b.jsonl': '',
      's1/subagents/agent-a.jsonl': '',
      's1/subagents/agent-a.meta.json': '{}',
      's1/subagents/other.jsonl': '',
      's1/subagents/agent-../x.jsonl': '',
      's1/subagents/workflows/wf/agent-c.jsonl': '',
      's2/subagents/agent-z.jsonl': '',
    });
    const found = subagentTranscripts(fs, path.join(dir, 's1.jsonl'), 's1');
    expect(found.map(({ agent, session }) => [agent, session])).toEqual([
      ['a', 's1'],
      ['b', 's1'],
      ['c', 's1'],
    ]);
    expect(found[2]?.path).toBe(path.join(dir, 's1/subagents/workflows/wf/agent-c.jsonl'));
  });

  test('are none where there is no such folder, or a file in its place', () => {
    const dir = folder({ 's1/subagents': 'a file', 's3.jsonl': '' });
    expect(subagentTranscripts(fs, path.join(dir, 's1.jsonl'), 's1')).toEqual([]);
    expect(subagentTranscripts(fs, path.join(dir, 's3.jsonl'), 's3')).toEqual([]);
    expect(subagentTranscripts(fs, '/nowhere\0.jsonl', 's3')).toEqual([]);
  });
});

describe('looking for transcripts', () => {
  test('goes through folders, main threads first, and says whose they are', () => {
    const dir = folder({
      'p/s2/subagents/agent-x.jsonl': LINE('agent-x', { agentId: 'x9' }),
      'p/s2/subagents/workflows/wf/agent-y.jsonl': LINE('s2'),
      'p/s2.jsonl': LINE('s2'),
      'q/s1.jsonl': LINE('s1'),
      'q/agent-old.jsonl': LINE('s1'),
      'q/notes.txt': LINE('s1'),
    });
    expect(findTranscripts(fs, dir).map(({ session, agent }) => [session, agent])).toEqual([
      ['s2', null],
      ['s1', null],
      ['s2', 'x9'],
      ['s2', 'y'],
      ['s1', 'old'],
    ]);
  });

  test('takes one file whatever it is called', () => {
    const dir = folder({ 'session.txt': LINE('s1') });
    const file = path.join(dir, 'session.txt');
    expect(findTranscripts(fs, file)).toMatchObject([{ path: file, session: 's1', agent: null }]);
  });

  test('goes by the first record that says its session, near the beginning', () => {
    const head = `nonsense\n${'{"type":"summary"}\n'.repeat(998)}`;
    const dir = folder({
      'a.jsonl': `${head}${LINE('s1')}`,
      'b.jsonl': `${head}{}\n${LINE('s2')}`,
    });
    expect(findTranscripts(fs, dir).map(({ session }) => session)).toEqual(['s1']);
  });

  test('passes over what is none', () => {
    const dir = folder({
      'empty.jsonl': '',
      'other.jsonl': '{"a":1}\n[1]\n',
      'typeless.jsonl': '{"sessionId":"s"}\n',
    });
    expect(findTranscripts(fs, dir)).toEqual([]);
  });

  test('follows no links, and goes only so deep', () => {
    const deep = 'd/'.repeat(9);
    const dir = folder({ 'real/s1.jsonl': LINE('s1'), [`${deep}s9.jsonl`]: LINE('s9') });
    symlinkSync(path.join(dir, 'real'), path.join(dir, 'linked'));
    symlinkSync(path.join(dir, 'real/s1.jsonl'), path.join(dir, 'linked.jsonl'));
    symlinkSync(dir, path.join(dir, 'loop'));
    expect(findTranscripts(fs, dir)).toHaveLength(1);
    const near = folder({ [`${'d/'.repeat(8)}s8.jsonl`]: LINE('s8') });
    expect(findTranscripts(fs, near)).toHaveLength(1);
  });

  test('leaves out what cannot be read in a folder, and names it where it was given by itself', () => {
    const dir = folder({ 's1.jsonl': LINE('s1'), 's2.jsonl': LINE('s2') });
    let opened = '';
    const failing = {
      ...fs,
      open: (...args: Parameters<typeof fs.open>) => {
        opened = args[0];
        return fs.open(...args);
      },
      read: (...args: Parameters<typeof fs.read>) => {
        if (opened.endsWith('s1.jsonl')) throw Object.assign(new Error('EIO: x'), { code: 'EIO' });
        return fs.read(...args);
      },
    };
    expect(findTranscripts(failing, dir).map(({ session }) => session)).toEqual(['s2']);
    const file = path.join(dir, 's1.jsonl');
    expect(() => findTranscripts(failing, file)).toThrow(
      expect.objectContaining({ code: 'FS_READ_ERROR', message: `${file} cannot be read: EIO: x` }),
    );
  });

  test('says when there is nothing at the path', () => {
    expect(() => findTranscripts(fs, path.join(scratch(), 'none'))).toThrow(/ENOENT/);
  });
});
