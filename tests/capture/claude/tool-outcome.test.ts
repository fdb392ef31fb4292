import { describe, expect, test } from 'vitest';
import {
  failed,
  responseOf,
  resultText,
  succeeded,
} from '../../../src/capture/claude/tool-outcome.ts';

const about = { toolUseId: 't1', name: undefined, durationMs: undefined };
const where = { session: 's', agent: null, at: 0 };

describe('an answer', () => {
  test('of one of our own tools is kept by size', () => {
    expect(responseOf('mcp__ben10__ben10_replay', { text: 'ä' })).toEqual({
      $own: true,
      bytes: 13,
    });
    expect(responseOf('mcp__plugin_ben10_ben10__ben10_log', 'x')).toEqual({ $own: true, bytes: 3 });
    expect(responseOf('mcp__ben10__ben10_log', undefined)).toEqual({ $own: true, bytes: 0 });
  });

  test('of any other tool is kept as it is', () => {
    expect(responseOf('mcp__ben100__x', 'x')).toBe('x');
    expect(responseOf(undefined, 'x')).toBe('x');
  });

  test('that is none leaves no field', () => {
    expect(succeeded(where, { ...about, response: undefined }).data).toEqual({ toolUseId: 't1' });
    expect(succeeded(where, { ...about, response: null }).data).toEqual({ toolUseId: 't1' });
    expect(succeeded(where, { ...about, response: false, durationMs: 5 }).data).toEqual({
      toolUseId: 't1',
      response: false,
      durationMs: 5,
    });
  });
});

describe('a failure', () => {
  test.each([
    ['Exit code 1\nboom', 1],
    ['Error: Exit code 127', 127],
    ['Exit code 123456', undefined],
    ['the exit code 3', undefined],
    ['', undefined],
  ])('%j has exit code %s', (error, exitCode) => {
    expect(failed(where, { ...about, error, isInterrupt: undefined }).data.exitCode).toBe(exitCode);
  });
});

describe('a failure of one of our own tools', () => {
  const error = 'Error: Exit code 1\nno such point: what was recalled';

  test('is kept without its words', () => {
    const name = 'mcp__ben10__ben10_replay';
    expect(failed(where, { ...about, name, error, isInterrupt: true, durationMs: 5 }).data).toEqual(
      {
        toolUseId: 't1',
        name,
        error: '',
        isInterrupt: true,
        durationMs: 5,
      },
    );
  });

  test('is kept with the client’s words, as of a tool that is not there', () => {
    const name = 'mcp__ben10__ben10_nope';
    const error = `<tool_use_error>Error: No such tool available: ${name}</tool_use_error>`;
    const { data } = failed(where, { ...about, name, error, isInterrupt: undefined });
    expect(data).toMatchObject({ name, error });
  });

  test('is kept whole when the tool only looks like ours, or has no name', () => {
    for (const name of ['mcp__ben100__x', 'ben10', undefined]) {
      expect(failed(where, { ...about, name, error, isInterrupt: undefined }).data).toMatchObject({
        error,
        exitCode: 1,
      });
    }
  });
});

test('the text of a result is its string, or its blocks’ texts', () => {
  expect(resultText('a')).toBe('a');
  expect(resultText([{ text: 'a' }, { type: 'image' }, null, { text: '' }, { text: 'b' }])).toBe(
    'a\nb',
  );
  expect([resultText(undefined), resultText({ text: 'a' }), resultText(5)]).toEqual(['', '', '']);
});
