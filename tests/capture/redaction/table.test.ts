import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, ruleIds } from '../../../src/capture/redaction/index.ts';
import { isRuleId } from '../../../src/capture/redaction/rule.ts';
import { beginningsOf, grammarSource } from '../../../src/capture/redaction/table/grammar.ts';
import { allRules } from '../../../src/capture/redaction/table/rules.ts';
import { tokenRows } from '../../../src/capture/redaction/table/token-rules.ts';
import { vendorRows } from '../../../src/capture/redaction/table/vendor-rules.ts';
import { ofGrammar } from './corpus/generate.ts';
import { seeded } from './samples.ts';

const { options } = compileRedaction();

describe('the table of rules', () => {
  it('has ids, keywords and a source in every row, and either a pattern or a search', () => {
    for (const rule of allRules()) {
      expect(isRuleId(rule.id), rule.id).toBe(true);
      expect(rule.source, rule.id).not.toBe('');
      expect(rule.keywords.length, rule.id).toBeGreaterThan(0);
      expect((rule.pattern === undefined) !== (rule.find === undefined), rule.id).toBe(true);
      if (rule.pattern) expect(rule.pattern.sticky, rule.id).toBe(true);
      for (const keyword of rule.keywords) {
        expect(keyword.length, rule.id).toBeGreaterThanOrEqual(2);
        if (rule.kind !== 'token') expect(keyword, rule.id).toBe(keyword.toLowerCase());
      }
    }
  });

  it('has no row that is there twice', () => {
    const rows = [
      ...tokenRows().map(({ grammar }) => grammar),
      ...vendorRows().map(({ words }) => `label ${words[0]}`),
    ];
    expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
  });

  it('finds a token of every grammar, wherever in a text it stands', () => {
    const random = seeded(5);
    for (const { id, grammar, hasChecksum } of tokenRows()) {
      if (hasChecksum) continue;
      const token = ofGrammar(grammar, random);
      expect(new RegExp(`^${grammarSource(grammar)}$`).test(token), grammar).toBe(true);
      expect(
        beginningsOf(grammar).some((start) => token.startsWith(start)),
        grammar,
      ).toBe(true);
      for (const text of [token, `a ${token} b`, `"${token}"`, `\n${token}\n`])
        expect(redactText(text, options).text, `${id} ${text}`).not.toContain(token);
    }
  });

  it('has a rule for every secret that gitleaks knows', () => {
    // Of its configuration (`config/gitleaks.toml`, 2026): each but those of clients' ids and public keys, and ours.
    const file = path.join(import.meta.dirname, 'gitleaks-rules.txt');
    const rows = readFileSync(file, 'utf8').trim().split('\n');
    expect(rows.length).toBeGreaterThan(200);
    const ids = new Set(ruleIds(options));
    expect(rows.filter((row) => !ids.has(row.split(' ')[1] ?? ''))).toEqual([]);
  });
});
