import { describe, expect, it } from 'vitest';
import {
  isRuleId,
  MARKER,
  marker,
  RULE_ID_CHARS_MAX,
} from '../../../src/capture/redaction/rule.ts';
import { BUILTIN_RULES } from '../../../src/capture/redaction/rules.ts';

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
  it('has global patterns only, each behind lower-case literals; what searches by itself has no pattern', () => {
    for (const { pattern, prefilter, find } of BUILTIN_RULES) {
      expect(pattern === undefined).toBe(find !== undefined);
      if (pattern === undefined) continue;
      expect(pattern().flags).toContain('g');
      expect(prefilter?.length).toBeGreaterThan(0);
      for (const literal of prefilter ?? []) expect(literal).toBe(literal.toLowerCase());
    }
  });
});
