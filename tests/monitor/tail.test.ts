import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newestUsage } from '../../src/monitor/tail.ts';
import { scratch } from '../support.ts';
import { tokensBehind } from './oracle.ts';

const FIXTURES = path.join(import.meta.dirname, '../fixtures');
const RECORDED = [
  'transcripts/claude-2.1.329-real-todo-app/transcript.jsonl',
  'transcripts/claude-2.1.39-auto-compact/258c7280-ae70-4798-800f-63464d01a85d.jsonl',
  'transcripts/claude-v1.0.108-sidechain-tasks.jsonl',
  'transcripts/claude-v1.0.17-long-edit-session.jsonl',
  'transcripts/claude-v1.0.98-short.jsonl',
  'transcripts/claude-v2.1-compact-boundary-preserved-segment.jsonl',
  'real-client/two-compactions/projects/-home-dev-todo-app/e8161f67-2508-4a37-9221-c245624adab9.jsonl',
  'real-client/rewound-and-forked/projects/-home-dev-todo-app/f2e259d5-db24-48de-b68d-61dd8307c7f4.jsonl',
  'real-client/sub-agents/projects/-home-dev-todo-app/3a8c5c82-2311-4bb6-a598-a75d50ae4c60.jsonl',
];

const linesOf = (file: string): string[] =>
  readFileSync(path.join(FIXTURES, file), 'utf8').split('\n').filter(Boolean);

function file(lines: readonly unknown[]): string {
  const name = path.join(scratch(), 'session.jsonl');
  const text = (line: unknown) => (typeof line === 'string' ? line : JSON.stringify(line));
  writeFileSync(name, lines.map((line) => `${text(line)}\n`).join(''));
  return name;
}

/** Where to look: at most 80 places, and every one close behind a compaction. */
function placesIn(lines: readonly string[]): number[] {
  const step = Math.ceil(lines.length / 80);
  return lines
    .map((_, index) => index + 1)
    .filter(
      (n) =>
        n % step === 0 ||
        lines.slice(Math.max(0, n - 10), n).some((line) => line.includes('compact_boundary')),
    );
}

let records = 0;
const uuid = (): string => {
  records += 1;
  return `00000000-0000-4000-8000-${String(records).padStart(12, '0')}`;
};
const record = (type: string, parentUuid: string | null, more: object = {}) => ({
  type,
  uuid: uuid(),
  parentUuid,
  isSidechain: false,
  ...more,
});
const prompt = (parent: string | null, content = 'go on') =>
  record('user', parent, { message: { content } });
const call = (parent: string | null, tokens: number, more: object = {}) =>
  record('assistant', parent, {
    message: { id: `msg_${records}`, model: 'claude-opus-4-6', usage: { input_tokens: tokens } },
    ...more,
  });

describe('the newest usage in a transcript', () => {
  it.each(RECORDED)('is what the whole file says, wherever it ends: %s', (name) => {
    const lines = linesOf(name);
    const growing = path.join(scratch(), 'session.jsonl');
    let written = 0;
    for (const n of placesIn(lines)) {
      appendFileSync(growing, `${lines.slice(written, n).join('\n')}\n`);
      written = n;
      expect(`${n}: ${newestUsage(growing)?.tokens}`).toBe(
        `${n}: ${tokensBehind(lines.slice(0, n))}`,
      );
    }
  });

  it('is that of the live branch after a rewind, also before its first call', () => {
    const first = prompt(null);
    const kept = call(first.uuid, 20_000);
    const dead = call(kept.uuid, 90_000);
    const padding = prompt(dead.uuid, 'x'.repeat(300_000));
    const branch = prompt(kept.uuid);
    expect(newestUsage(file([first, kept, dead, padding, branch]))?.tokens).toBe(20_000);
    expect(newestUsage(file([first, kept, dead, padding, prompt(null)]))).toBeUndefined();
  });

  it('leaves out side chains, the client’s own messages and the steps but the last', () => {
    const first = prompt(null);
    const steps = { iterations: [{ input_tokens: 40_000 }, { input_tokens: 31_000 }] };
    const real = call(first.uuid, 0, {
      message: { model: 'm', usage: { input_tokens: 71_000, ...steps } },
    });
    const side = call(real.uuid, 150_000, { isSidechain: true });
    const failed = call(real.uuid, 160_000, { isApiErrorMessage: true });
    const usage = { input_tokens: 170_000 };
    const synthetic = call(failed.uuid, 0, { message: { model: '<synthetic>', usage } });
    expect(newestUsage(file([first, real, side, failed, synthetic]))).toMatchObject({
      tokens: 31_000,
      model: 'm',
    });
  });

  it('is what a compaction left, until the next call', () => {
    const first = prompt(null);
    const before = call(first.uuid, 167_000);
    const boundary = (compactMetadata: object) =>
      record('system', null, { subtype: 'compact_boundary', compactMetadata });
    const told = boundary({ preTokens: 167_000, postTokens: 9000 });
    const summary = (parent: string) =>
      record('user', parent, { isCompactSummary: true, message: { content: 's'.repeat(3600) } });
    const usage = newestUsage(file([first, before, told, summary(told.uuid)]));
    expect(usage).toMatchObject({ tokens: 9000, isRough: true });
    const silent = boundary({ preTokens: 167_000 });
    const start = call(first.uuid, 26_000);
    const guessed = newestUsage(file([first, start, before, silent, summary(silent.uuid)]));
    expect(guessed).toMatchObject({ tokens: 27_001, isRough: true });
    const given = record('attachment', null, { text: 'x'.repeat(300_000) });
    const late = newestUsage(file([given, first, start, silent, summary(silent.uuid)]));
    expect(late?.tokens).toBe(27_001);
    const next = call(told.uuid, 30_000);
    const after = newestUsage(file([first, before, told, next]));
    expect(after?.tokens).toBe(30_000);
    expect(after?.isRough).toBeUndefined();
  });

  it('reads only what is new, and says where to read on', () => {
    const first = prompt(null);
    const one = call(first.uuid, 20_000);
    const name = file([first, one]);
    const { end } = newestUsage(name)!;
    expect(end).toBe(readFileSync(name).length);
    expect(newestUsage(name, end)).toBeUndefined();
    const two = call(one.uuid, 25_000);
    appendFileSync(name, `${JSON.stringify(two)}\n{"type":"assis`);
    const usage = newestUsage(name, end)!;
    expect(usage).toMatchObject({ tokens: 25_000, end: readFileSync(name).length - 14 });
    expect(newestUsage(name, usage.end)).toBeUndefined();
  });

  it('is found behind damage, and in lines of any length', () => {
    const first = prompt(null);
    const one = call(first.uuid, 20_000);
    const long = record('user', one.uuid, { toolUseResult: 'y'.repeat(700_000) });
    const name = file([first, one, long, '{"type":', 'null', '[]', '\0\0', '']);
    expect(newestUsage(name)?.tokens).toBe(20_000);
  });

  it('is nothing where there is no transcript', () => {
    const dir = scratch();
    mkdirSync(path.join(dir, 'folder'));
    writeFileSync(path.join(dir, 'empty'), '');
    for (const name of ['missing', 'folder', 'empty', 'a\0b'])
      expect(newestUsage(path.join(dir, name))).toBeUndefined();
    expect(newestUsage('/dev/null')).toBeUndefined();
  });
});
