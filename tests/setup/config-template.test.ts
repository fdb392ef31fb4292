import { describe, expect, it } from 'vitest';
import { composeConfig } from '../../src/platform/config/compose.ts';
import { CONFIG_DOCS } from '../../src/platform/config/docs.ts';
import { CONFIG_KEYS } from '../../src/platform/config/keys.ts';
import { parseConfigFile } from '../../src/platform/config/yaml.ts';
import { configTemplate } from '../../src/setup/config-template.ts';

/** As they follow each other, however the lines are broken. */
const words = (text: string): string => text.replace(/[\s#]+/g, ' ');

describe('the configuration that init writes', () => {
  it('sets nothing', () => {
    const { values, problems } = parseConfigFile('c', Buffer.from(configTemplate()));
    expect([values.size, problems]).toEqual([0, []]);
  });

  it('shows every setting with its default and its documentation', () => {
    const text = configTemplate();
    for (const key of CONFIG_KEYS) {
      expect(text).toContain(`  # ${key.name.split('.').at(-1)}: `);
      expect(words(text)).toContain(words(CONFIG_DOCS[key.name]!.doc));
    }
  });

  it('holds the defaults once every setting is uncommented', () => {
    const text = configTemplate().replace(/^( +)# (\w+: )/gm, '$1$2');
    const { values, problems } = parseConfigFile('c', Buffer.from(text));
    expect(problems).toEqual([]);
    expect(values.size).toBe(CONFIG_KEYS.length);
    expect(composeConfig([values])).toEqual(composeConfig([]));
  });

  it('shows a redaction rule that works as it stands', () => {
    const text = configTemplate()
      .replace('  # patterns: []', '  patterns:')
      .replace(/^ {2}# {2}( +.*)$/gm, '  $1');
    const { values, problems } = parseConfigFile('c', Buffer.from(text));
    expect(problems).toEqual([]);
    expect(values.get('redaction.patterns')).toHaveLength(1);
  });
});
