import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { observeRecord } from '../../../src/capture/claude/records.ts';
import { FIXTURES } from '../support/recorded.ts';
import { newContext } from './reading.ts';

const EVERY_TYPE = path.join(
  FIXTURES,
  'transcripts/claude-v2.1.220-every-record-type-trimmed.jsonl',
);
const records = readFileSync(EVERY_TYPE, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

describe('a transcript with every type of record', () => {
  test('has none that is not known', () => {
    const context = newContext();
    const unknown = records.filter(
      (record, n) => observeRecord(record, n * 9999, context) === undefined,
    );
    expect(unknown).toEqual([]);
    expect(new Set(records.map(({ type }) => type)).size).toBe(22);
  });

  test('says what is a fact, and nothing about the client’s bookkeeping', () => {
    const context = newContext();
    const types = records.flatMap((record, n) =>
      (observeRecord(record, n * 9999, context) ?? []).map((one) => [record.type, one.type]),
    );
    const saying = new Set(types.map(([record]) => record));
    expect(saying).toEqual(new Set(['user', 'assistant', 'attachment']));
    expect(new Set(types.map(([, type]) => type))).toEqual(
      new Set([
        'prompt.submitted',
        'message.recorded',
        'tool.called',
        'tool.succeeded',
        'tool.failed',
        'compaction.finished',
        'usage.sampled',
      ]),
    );
  });
});

test('a type that is not known here is told apart from one that says nothing', () => {
  const context = newContext();
  expect(observeRecord({ type: 'mode' }, 0, context)).toEqual([]);
  expect(observeRecord({ type: 'invented' }, 0, context)).toBeUndefined();
  expect(observeRecord({}, 0, context)).toBeUndefined();
  expect(observeRecord({ type: 5 }, 0, context)).toBeUndefined();
});

test('no record can make reading fail', { tags: 'long' }, () => {
  const field = fc.oneof(fc.anything({ maxDepth: 3 }), fc.constantFrom('u1', 'p1', true, null));
  /** Fields that may be missing: of any value, but for those that are given. */
  const fields = (names: string, given: Record<string, fc.Arbitrary<unknown>> = {}) => {
    const any = Object.fromEntries(names.split(' ').map((name) => [name, field]));
    return fc.record({ ...any, ...given }, { requiredKeys: [] });
  };
  const block = fields('text thinking id name input tool_use_id content is_error', {
    type: fc.constantFrom('text', 'thinking', 'tool_use', 'tool_result', 'image'),
  });
  const content = fc.oneof(field, fc.array(fc.oneof(block, field), { maxLength: 4 }));
  const queued = fc.record({
    type: fc.constant('queued_command'),
    commandMode: fc.constant('prompt'),
    prompt: content,
  });
  const record = fields(
    'uuid parentUuid promptId sessionId agentId timestamp isSidechain isMeta isCompactSummary compactMetadata logicalParentUuid toolUseResult',
    {
      type: fc.constantFrom('user', 'assistant', 'system', 'attachment', '__proto__'),
      subtype: fc.constantFrom('compact_boundary', 'other'),
      message: fc.oneof(field, fc.record({ content, usage: field, id: field, model: field })),
      attachment: fc.oneof(field, queued),
    },
  );
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), (list) => {
      const context = newContext();
      for (const [n, one] of list.entries()) observeRecord(one as never, n * 1000, context);
    }),
    { numRuns: 2000 },
  );
});
