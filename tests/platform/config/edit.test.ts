import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSetting, withSetting } from '../../../src/platform/config/edit.ts';
import { CONFIG_KEYS, type ConfigKey, configKey } from '../../../src/platform/config/keys.ts';
import { parseConfigFile } from '../../../src/platform/config/yaml.ts';
import { configTemplate } from '../../../src/setup/config-template.ts';

const key = (name: string): ConfigKey => configKey(name)!;
const set = (text: string, name: string, value: unknown, file = 'c.yaml') =>
  withSetting(file, text, key(name), value);
const unset = (text: string, name: string, file = 'c.yaml') =>
  withoutSetting(file, text, key(name));
const valuesOf = (text: string, file = 'c.yaml') => parseConfigFile(file, Buffer.from(text)).values;

/** Any value that a setting takes. */
function valid(of: ConfigKey): fc.Arbitrary<unknown> {
  const name = fc.stringMatching(/^[a-z.-]{0,6}[a-z]$/);
  switch (of.kind) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: of.min!, max: of.max! });
    case 'choice':
      return fc.constantFrom(...of.values!);
    case 'choices':
      return fc.subarray([...of.values!], { minLength: 1 });
    case 'age':
      return fc.oneof(
        fc.constant('never'),
        fc.integer({ min: 1, max: of.max! }).map((days) => `${days}d`),
      );
    case 'folder':
      return fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    case 'text':
      return fc.stringMatching(/^[\p{L} #:"'*&!|>%@`^{}[\],?-]{0,20}$/u);
    case 'globs':
      return fc.array(
        fc.oneof(
          name,
          name.map((it) => `${it}/**`),
          fc.constant('# *: "x" - ?'),
        ),
        {
          maxLength: 4,
        },
      );
    case 'texts':
      return fc.array(fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }), { maxLength: 4 });
    case 'patterns':
      return fc
        .uniqueArray(fc.stringMatching(/^[A-Z]{1,6}$/), { maxLength: 3 })
        .map((ids) => ids.map((id) => ({ id, pattern: `x: "#${id}\\d+'`, flags: 'i' })));
  }
}

const anySetting = fc
  .constantFrom(...CONFIG_KEYS)
  .chain((of) => valid(of).map((value) => [of.name, value] as const));

const STARTS: Record<string, string[]> = {
  'c.yaml': [
    '',
    configTemplate(),
    '# head\n\nmcp: # server\n    logLevel: warn # loud\n    # between\n    profile: all\n# tail',
    'context: {autoSave: false, compactionSnapshots: {enabled: false}} # in braces\n',
    '{"mcp": {"logLevel": "warn"}}',
    'redaction:\n  allow:\n    - a # first\n    - b\n  # then\n  patterns:\n  - id: X\n    pattern: |\n      a+\n\ncontext:\n',
    'recall: &r\n  maxChars: 600\n',
    'context:\r\n  autoSave: false\r\n',
  ],
  'c.json': ['', '{}', '{\n  "mcp": {\n    "logLevel": "warn"\n  },\n  "recall": {}\n}\n'],
};

describe('a setting that was set', () => {
  it('has the value that it was given, and all others have theirs, whatever came before', {
    tags: 'long',
  }, () => {
    for (const [file, texts] of Object.entries(STARTS)) {
      for (const start of texts) {
        fc.assert(
          fc.property(fc.array(anySetting, { minLength: 1, maxLength: 3 }), (changes) => {
            let text = start;
            const wanted = new Map(valuesOf(start, file));
            for (const [name, value] of changes) {
              text = set(text, name, value, file);
              wanted.set(name, value);
              expect(new Map([...valuesOf(text, file)].sort())).toEqual(
                new Map([...wanted].sort()),
              );
            }
            for (const [name] of changes) {
              text = unset(text, name, file);
              wanted.delete(name);
              expect(new Map([...valuesOf(text, file)].sort())).toEqual(
                new Map([...wanted].sort()),
              );
            }
          }),
          { numRuns: 8 },
        );
      }
    }
  });

  it('keeps the comments of the template, wherever it is set and taken out again', () => {
    const text = configTemplate();
    const comments = text.match(/#.*/g)!;
    for (const of of CONFIG_KEYS) {
      const after = set(text, of.name, fc.sample(valid(of), 1)[0]);
      expect(after.match(/#.*/g), of.name).toEqual(expect.arrayContaining(comments));
      expect(unset(after, of.name).match(/#.*/g), of.name).toEqual(comments);
    }
  });

  it('keeps comments beside settings, in lists and in braces', () => {
    const text = [
      '# mine',
      'mcp:   # of the server',
      '    logLevel:  warn # loud',
      'redaction:',
      '  allow:',
      '    # ours',
      '    - a # first',
      '    - b',
      'context: {autoSave: false} # in braces',
      '# end',
    ].join('\n');
    const comments = ['# mine', '# of the server', '# loud', '# ours', '# first', '# in braces'];
    let after = set(text, 'mcp.logLevel', 'debug');
    after = set(after, 'redaction.allow', ['a', 'c']);
    after = set(after, 'context.autoRestore', false);
    for (const comment of [...comments, '# end']) expect(after).toContain(comment);
    expect(Object.fromEntries(valuesOf(after))).toEqual({
      'mcp.logLevel': 'debug',
      'redaction.allow': ['a', 'c'],
      'context.autoSave': false,
      'context.autoRestore': false,
    });
  });

  it('leaves the text as it is where it says that already, or does not say it at all', () => {
    const text = 'mcp:   {logLevel:  warn}\n';
    expect(set(text, 'mcp.logLevel', 'warn')).toBe(text);
    expect(unset(text, 'mcp.profile')).toBe(text);
  });

  it('is written to JSON as JSON', () => {
    const text = set('{\n  "mcp": {}\n}\n', 'context.autoSave', false, 'c.json');
    expect(JSON.parse(text)).toEqual({ mcp: {}, context: { autoSave: false } });
    expect(text.startsWith('{\n  "mcp": {},\n')).toBe(true);
  });
});

describe('what cannot be set', () => {
  it('is a value that the setting does not take', () => {
    expect(() => set('', 'mcp.logLevel', 'loud')).toThrow(/expected one of/);
    expect(() => set('', 'context.excludePatterns', ['!a'])).toThrow(/cannot negate/);
  });

  it('is anything in a file that has mistakes already', () => {
    for (const text of ['mcp: 1', 'bogus: {}', 'mcp: {', 'mcp: {}\nmcp: {}']) {
      expect(() => set(text, 'mcp.logLevel', 'warn'), text).toThrow();
      expect(() => unset(text, 'mcp.logLevel'), text).toThrow();
    }
    expect(() => set('{', 'mcp.logLevel', 'warn', 'c.json')).toThrow(/not valid JSON/);
  });
});
