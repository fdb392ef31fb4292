import { describe, expect, it } from 'vitest';
import { checkTree, expectation } from '../../../src/platform/config/check.ts';
import {
  ALLOWED_CHARS_MAX,
  ALLOWED_TEXTS_MAX,
  PATTERN_CHARS_MAX,
  PATTERNS_MAX,
} from '../../../src/platform/config/check-lists.ts';
import {
  CHECKPOINT_INTERVAL_MAX,
  CONFIG_KEYS,
  RECALL_CHARS_MAX,
  RECALL_CHARS_MIN,
  RETENTION_DAYS_MAX,
  SEGMENT_BYTES_SETTING_MAX,
  SEGMENT_BYTES_SETTING_MIN,
  STORAGE_MB_MAX,
} from '../../../src/platform/config/keys.ts';

const messages = (tree: unknown) => checkTree(tree).problems.map((problem) => problem.message);

describe('checking settings', () => {
  it('takes nothing, and sections without settings', () => {
    for (const tree of [undefined, null, {}, { context: null }, { context: {} }]) {
      expect(checkTree(tree)).toMatchObject({ values: new Map(), problems: [] });
    }
  });

  it.each([
    ['context', 'checkpointInterval', 1, CHECKPOINT_INTERVAL_MAX],
    ['context', 'maxStorageMb', 1, STORAGE_MB_MAX],
    ['recall', 'maxChars', RECALL_CHARS_MIN, RECALL_CHARS_MAX],
    ['journal', 'segmentBytes', SEGMENT_BYTES_SETTING_MIN, SEGMENT_BYTES_SETTING_MAX],
  ])('takes %s.%s from %i to %i and nothing beyond', (section, name, min, max) => {
    for (const value of [min, max]) expect(messages({ [section]: { [name]: value } })).toEqual([]);
    for (const value of [min - 1, max + 1, min + 0.5, Number.NaN, `${min}`, true]) {
      expect(messages({ [section]: { [name]: value } })).toHaveLength(1);
    }
  });

  it('passes over settings that were removed, and nothing else that is unknown', () => {
    for (const worth of [null, {}, { rule: 2 }, 1]) {
      const { values, problems } = checkTree({ recall: { worth, maxChars: 1000 } });
      expect([[...values], problems]).toEqual([[['recall.maxChars', 1000]], []]);
    }
    expect(messages({ recall: { worthy: null } })).toEqual([
      "unknown setting 'recall.worthy'; known are: recall.maxChars, recall.steering, recall.notice",
    ]);
    expect(messages({ 'recall.worth': null })).toHaveLength(1);
  });

  it('takes an age in days, or never', () => {
    for (const events of ['never', '1d', '90d', `${RETENTION_DAYS_MAX}d`]) {
      expect(messages({ retention: { events } })).toEqual([]);
    }
    for (const events of [
      '0d',
      '090d',
      `${RETENTION_DAYS_MAX + 1}d`,
      '90',
      90,
      '',
      'Never',
      '1d ',
    ]) {
      expect(messages({ retention: { events } })).toHaveLength(1);
    }
  });

  it('says what it expected and what it found', () => {
    expect(messages({ context: { checkpointInterval: 'ten' } })).toEqual([
      'context.checkpointInterval: expected a whole number of messages from 1 to 10000, found the text "ten"',
    ]);
    expect(messages({ mcp: { logLevel: 'loud' } })).toEqual([
      'mcp.logLevel: expected one of debug, info, warn, error, found the text "loud"',
    ]);
    expect(messages({ context: { autoSave: null } })).toEqual([
      'context.autoSave: expected true or false, found nothing',
    ]);
    expect(messages({ context: [] })).toEqual(['context: expected settings, found a list']);
    expect(messages([])).toEqual(['expected sections with settings, found a list']);
    expect(messages({ mcp: { logLevel: new Uint8Array(3) } })[0]).toContain('found something else');
  });

  it('has words for what every setting takes', () => {
    for (const key of CONFIG_KEYS) expect(expectation(key)).toMatch(/\w/);
  });

  it('names the nearest known name of an unknown one', () => {
    expect(messages({ contxt: {} })).toEqual([
      "unknown section 'contxt'; the nearest known name is 'context'",
    ]);
    expect(messages({ context: { autosave: true } })).toEqual([
      "unknown setting 'context.autosave'; the nearest known name is 'context.autoSave'",
    ]);
    expect(messages({ a: 1 })[0]).toMatch(/^unknown section 'a'; known are: context, .*recall/);
    expect(messages({ mcp: { nonsense: 1 } })[0]).toMatch(/known are: mcp\.\w+, mcp\.\w+$/);
    expect(messages({ 'recall.maxChars': 600 })).toEqual([
      "unknown section 'recall.maxChars'; write 'maxChars' under 'recall'",
    ]);
  });

  it('shows no control characters and no long texts', () => {
    const [message = ''] = messages({ mcp: { logLevel: `\u001b[2J\u202e${'x'.repeat(10_000)}` } });
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(message.length).toBeLessThan(150);
  });
});

describe('checking redaction rules', () => {
  const patterns = (...list: unknown[]) => messages({ redaction: { patterns: list } });

  it('takes rules with an id, a pattern and flags', () => {
    expect(
      patterns({ id: 'A-1_b', pattern: 'x+', flags: 'imsu' }, { id: 'B', pattern: 'y' }),
    ).toEqual([]);
  });

  it.each([
    ['x', 'redaction.patterns[0]: expected id and pattern, found a text'],
    [
      { pattern: 'x' },
      'redaction.patterns[0].id: expected 1 to 40 letters, digits, - or _, found nothing',
    ],
    [
      { id: 'A]', pattern: 'x' },
      'redaction.patterns[0].id: expected 1 to 40 letters, digits, - or _, found a text',
    ],
    [
      { id: 'A' },
      'redaction.patterns[0].pattern: expected a regular expression of at most 1000 characters, found nothing',
    ],
    [
      { id: 'A', pattern: '(' },
      'redaction.patterns[0].pattern: not a regular expression: Unterminated group',
    ],
    [
      { id: 'A', pattern: 'x*' },
      'redaction.patterns[0].pattern: it matches the empty text, so it would redact everywhere',
    ],
    [
      { id: 'A', pattern: 'x', flags: 'g' },
      'redaction.patterns[0].flags: expected any of i, m, s, u, each once, found a text',
    ],
    [
      { id: 'A', pattern: 'x', flags: 'ii' },
      'redaction.patterns[0].flags: expected any of i, m, s, u, each once, found a text',
    ],
    [
      { id: 'A', pattern: 'x', regex: 'y' },
      'redaction.patterns[0]: unknown field; a rule has id, pattern, flags',
    ],
  ])('refuses %j', (rule, message) => {
    expect(patterns(rule)).toEqual([message]);
  });

  it.each([
    'hunter-two',
    { redaction: 'hunter-two' },
    { redaction: { 'hunter-two': 'x' } },
    { redaction: { patterns: 'hunter-two', allow: 'hunter-two' } },
    { redaction: { patterns: ['hunter-two'] } },
    { redaction: { patterns: [{ 'hunter-two': 1 }] } },
    { redaction: { patterns: [{ id: 'hunter-two!', pattern: 'x', flags: 'hunter-two' }] } },
    { redaction: { patterns: [{ id: 'A', pattern: 'hunter-two('.repeat(100) }] } },
  ])('says of what was meant for them and stands in the wrong place nothing of it: %#', (tree) => {
    const said = messages(tree);
    expect(said).not.toEqual([]);
    expect(said.join()).not.toContain('hunter');
  });

  it('refuses an id that stands twice, at its place', () => {
    const twice = {
      redaction: {
        patterns: [
          { id: 'A', pattern: 'x' },
          { id: 'A', pattern: 'y' },
        ],
      },
    };
    expect(checkTree(twice).problems).toEqual([
      {
        path: ['redaction', 'patterns', 1, 'id'],
        message: 'redaction.patterns[1].id: an earlier rule has the same id',
      },
    ]);
  });

  it('holds its limits on both sides', () => {
    const rules = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ id: `R${i}`, pattern: 'x' }));
    expect(patterns(...rules(PATTERNS_MAX))).toEqual([]);
    expect(patterns(...rules(PATTERNS_MAX + 1))).toHaveLength(1);
    expect(patterns({ id: 'A', pattern: 'x'.repeat(PATTERN_CHARS_MAX) })).toEqual([]);
    expect(patterns({ id: 'A', pattern: 'x'.repeat(PATTERN_CHARS_MAX + 1) })).toHaveLength(1);
    expect(patterns({ id: 'A'.repeat(40), pattern: 'x' })).toEqual([]);
    expect(patterns({ id: 'A'.repeat(41), pattern: 'x' })).toHaveLength(1);
    const allow = (list: unknown) => messages({ redaction: { allow: list } });
    expect(allow(Array(ALLOWED_TEXTS_MAX).fill('x'))).toEqual([]);
    expect(allow(Array(ALLOWED_TEXTS_MAX + 1).fill('x'))).toHaveLength(1);
    expect(allow(['x'.repeat(ALLOWED_CHARS_MAX)])).toEqual([]);
    expect(allow(['x'.repeat(ALLOWED_CHARS_MAX + 1)])).toHaveLength(1);
    expect(allow(['', 5])).toHaveLength(2);
    expect(allow('x')).toEqual(['redaction.allow: expected a list of texts, found a text']);
  });
});
