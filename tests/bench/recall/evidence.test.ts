import { expect, test } from 'vitest';
import { bench } from './bench.ts';

const { closest, isGivenBack, leastText } = await bench('evidence.mjs');
const path = { kind: 'path', evidence: { path: 'src/quota/quota_sync.ts' } };
const failed = { kind: 'command', evidence: { command: 'make build-quota', exit: 2 } };
const passed = { kind: 'command', evidence: { command: 'make build-quota', exit: 0 } };
const rule = { kind: 'rule', evidence: { words: ['quota sync', 'UTC'] } };
const number = { kind: 'number', evidence: { words: ['41.7', 'p95', 'quota sync'] } };

test('a path counts written out, absolutely too, and not as a part of another path', () => {
  expect(isGivenBack('- src/quota/quota_sync.ts edited [@4]', path)).toBe(true);
  expect(isGivenBack('see /home/dev/project/src/quota/quota_sync.ts:12.', path)).toBe(true);
  expect(isGivenBack('see /home/dev/other/src/quota/quota_sync.ts:12.', path)).toBe(false);
  expect(isGivenBack('see src/quota/quota_sync.ts:12.', path)).toBe(true);
  expect(isGivenBack('src/quota/quota_sync.ts.bak', path)).toBe(false);
  expect(isGivenBack('old-src/quota/quota_sync.ts', path)).toBe(false);
  expect(isGivenBack('quota_sync.ts', path)).toBe(false);
});

test('a command counts with its own exit code only', () => {
  expect(isGivenBack('`make build-quota` → exit 2: stopped', failed)).toBe(true);
  expect(isGivenBack('`make build-quota` → exit 0', failed)).toBe(false);
  expect(isGivenBack('`make build-quota` → exit 0: built', passed)).toBe(true);
  expect(isGivenBack('`make build-quota`', passed)).toBe(false);
  expect(isGivenBack('`make build-quota` was run\n`make lint` → exit 2', passed)).toBe(false);
  expect(isGivenBack('`make build-quota-all` → exit 2', failed)).toBe(false);
  expect(isGivenBack('`make build-quota` → exit 20', failed)).toBe(false);
});

test('words count when they stand close together', () => {
  expect(isGivenBack('keep times in **quota sync** records as utc', rule)).toBe(true);
  expect(isGivenBack(`quota sync ${'x '.repeat(300)} UTC`, rule)).toBe(false);
  expect(isGivenBack('quota syncing in UTC', rule)).toBe(false);
});

test('a number counts with what it measures, with or without a space before its unit', () => {
  expect(isGivenBack('p95 latency of the quota sync endpoint: 41.7ms', number)).toBe(true);
  expect(isGivenBack('p95 latency of the quota sync endpoint: 141.7 ms', number)).toBe(false);
  expect(isGivenBack('41.7', number)).toBe(false);
});

test('the number of an event is no evidence', () => {
  for (const fact of [path, failed, passed, rule, number])
    expect(isGivenBack('something was said [@41.7] [@2]', fact)).toBe(false);
});

test('what the oracle writes counts', () => {
  for (const fact of [path, failed, passed, rule, number])
    expect(isGivenBack(leastText(fact), fact)).toBe(true);
});

test('the distance is that of the closest places', () => {
  expect(closest('a b ------ b - a', ['a', 'b'])).toBe(2);
  expect(closest('a', ['a', 'b'])).toBe(Number.POSITIVE_INFINITY);
});
