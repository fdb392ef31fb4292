import { describe, expect, it } from 'vitest';
import { contextRules, keyRules } from '../../../src/capture/redaction/contexts-here.ts';
import * as KIND from '../../../src/capture/redaction/kinds.ts';
import { LABEL_RULES } from '../../../src/capture/redaction/label-rules.ts';
import {
  isRuleId,
  MARKER,
  marker,
  near,
  RULE_ID_CHARS_MAX,
} from '../../../src/capture/redaction/rule.ts';
import { BUILTIN_RULES } from '../../../src/capture/redaction/rules.ts';
import { CONTEXTS, contextIds } from '../../../src/capture/redaction/table/contexts.ts';
import { LABELS } from '../../../src/capture/redaction/table/labels.ts';

describe('a rule id', () => {
  it('is upper-case words and digits joined by dashes', () => {
    for (const id of ['A', 'A-B', 'X509-KEY', 'A'.repeat(RULE_ID_CHARS_MAX)])
      expect(isRuleId(id)).toBe(true);
    for (const id of [
      '',
      'a',
      '-A',
      'A-',
      'A--B',
      'A_B',
      'A B',
      'A]',
      'A'.repeat(RULE_ID_CHARS_MAX + 1),
    ]) {
      expect(isRuleId(id)).toBe(false);
    }
  });

  it('of every built-in rule is one, and its marker is recognised', () => {
    for (const id of BUILTIN_RULES.flatMap((rule) => [rule.id, ...(rule.ids ?? [])])) {
      expect(isRuleId(id)).toBe(true);
      expect([...`x${marker(id)}y`.matchAll(MARKER)].map((match) => match[1])).toEqual([id]);
    }
  });
});

describe('the built-in table', () => {
  it('tries each pattern at the places of one kind only; what searches by itself has no pattern', () => {
    const kinds = new Set<number>(Object.values(KIND));
    const own = BUILTIN_RULES.filter((rule) => rule !== CONTEXTS && rule !== LABELS);
    for (const { kind, pattern, find } of [
      ...own,
      ...LABEL_RULES,
      ...keyRules(),
      ...contextRules(),
    ]) {
      expect(pattern === undefined).toBe(find !== undefined);
      expect(kinds.has(kind ?? 0)).toBe(true);
      if (pattern !== undefined) expect(pattern.flags).toContain('y');
    }
  });
});

describe('the rules that a bundle of its own has', () => {
  it('are known by all of their ids without it', () => {
    const ids = contextRules().flatMap(({ id, ids = [] }) => [id, ...ids]);
    expect([...contextIds()].sort()).toEqual([...new Set(ids)].sort());
    expect(keyRules().every(({ id }) => id === 'PRIVATE-KEY')).toBe(true);
  });
});

describe('near', () => {
  it('looks at the place it is given, and no further than it was told', () => {
    const isNear = near('ab.*c', 5);
    expect(isNear('xab..c', 1)).toBe(true);
    expect(isNear('xab..c', 0)).toBe(false);
    expect(isNear('xAb...c', 1)).toBe(false);
  });
});
