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
    case 'number':
      return fc.integer({ min: 0, max: 30 }).map((tenths) => tenths / 10);
    case 'choice':
      return fc.constantFrom(...of.values!);
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

describe('a list in lines that is set', () => {
  const file = [
    'context:',
    '  excludePatterns:',
    '    # build output, see ticket 12',
    "    - 'dist/**' # ours",
    '    - "*.log" # noisy',
    '',
    '    # keys',
    '    - .env*',
    '  autoSave: true # on',
    '',
  ].join('\n');
  const name = 'context.excludePatterns';

  it('keeps the lines and remarks of what stays, and the remarks between items', () => {
    expect(set(file, name, ['dist/**', '*.log', '.env*'])).toBe(file);
    expect(set(file, name, ['*.log', 'a/**', '.env*', 'b/**'])).toBe(
      file
        .replace("    - 'dist/**' # ours\n", '')
        .replace('# noisy\n', '# noisy\n    - "a/**"\n')
        .replace('.env*\n', '.env*\n    - "b/**"\n'),
    );
    for (const remark of ['# build output', '# keys'])
      expect(set(file, name, ['other'])).toContain(remark);
  });

  it('has the order that it was given', () => {
    const moved = set(file, name, ['.env*', '*.log']);
    expect(valuesOf(moved).get(name)).toEqual(['.env*', '*.log']);
    expect(moved).toContain('# keys');
  });

  it('is given one line where nothing is left of it', () => {
    expect(valuesOf(set(file, name, [])).get(name)).toEqual([]);
  });
});

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

  it('leaves every other line as it was', { tags: 'long' }, () => {
    const text = configTemplate();
    const before = text.split('\n');
    for (const of of CONFIG_KEYS) {
      const after = set(text, of.name, fc.sample(valid(of), 1)[0]).split('\n');
      const at = after.findIndex((line, index) => line !== before[index]);
      expect(after.toSpliced(at, 1), of.name).toEqual(before);
      // Below the line that shows its default.
      expect(before[at - 1], of.name).toMatch(new RegExp(`# ${of.name.split('.').at(-1)}:`));
    }
  });

  it('keeps comments, order and the form of the rest', () => {
    const text = '# mine\nmcp:   # of the server\n    logLevel:  warn # loud\n\n# end\n';
    expect(set(text, 'mcp.logLevel', 'debug')).toBe(text.replace('warn', '"debug"'));
    expect(set(text, 'mcp.profile', 'all')).toBe(
      '# mine\nmcp:   # of the server\n    logLevel:  warn # loud\n    profile: "all"\n\n# end\n',
    );
    expect(set(text, 'context.compactionSnapshots.enabled', false)).toBe(
      `${text}\ncontext:\n  compactionSnapshots:\n    enabled: false\n`,
    );
    expect(unset(text, 'mcp.logLevel')).toBe('# mine\nmcp:   # of the server\n\n# end\n');
    expect(unset(text, 'mcp.profile')).toBe(text);
  });

  it('takes the place of a list in lines', () => {
    const text = 'redaction:\n  allow:\n    - a\n    - b\n  # then\n  patterns: []\n';
    const name = 'redaction.allow';
    expect(set(text, name, ['c'])).toBe(
      'redaction:\n  allow:\n    - "c"\n  # then\n  patterns: []\n',
    );
    expect(set(text, name, [])).toBe('redaction:\n  allow: []\n  # then\n  patterns: []\n');
    expect(unset(text, name)).toBe('redaction:\n  # then\n  patterns: []\n');
  });

  it('keeps comments in braces, too', () => {
    const text = '# a\ncontext: {autoSave: false} # b\n# c\n';
    const after = set(text, 'context.autoRestore', false);
    for (const comment of ['# a', '# b', '# c']) expect(after).toContain(comment);
    expect(valuesOf(after).get('context.autoSave')).toBe(false);
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
    expect(() => set('', 'context.excludePatterns', ['!a'])).toThrow(/cannot take back/);
  });

  it('is anything in a file that has mistakes already', () => {
    for (const text of ['mcp: 1', 'bogus: {}', 'mcp: {', 'mcp: {}\nmcp: {}']) {
      expect(() => set(text, 'mcp.logLevel', 'warn'), text).toThrow();
      expect(() => unset(text, 'mcp.logLevel'), text).toThrow();
    }
    expect(() => set('{', 'mcp.logLevel', 'warn', 'c.json')).toThrow(/not valid JSON/);
  });
});
