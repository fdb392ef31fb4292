import { expectation } from '../platform/config/check.ts';
import { CONFIG_KEYS, type ConfigKey } from '../platform/config/keys.ts';

const HEAD = `# ben10's settings for this project. Every line shows a default: take away the "#" to change it.
# Order: defaults < ~/.config/ben10/config.yaml < this file < BEN10_* variables < flags.
`;

const RULE_EXAMPLE = `  #   - id: INTERNAL_TOKEN
  #     pattern: 'int_[0-9a-f]{32}'
  #     flags: i
`;

/** The `.ben10/config.yaml` that `init` writes: every setting with its default, commented out. */
export function configTemplate(): string {
  const sections = new Map<string, string>();
  for (const key of CONFIG_KEYS) {
    const [section = ''] = key.name.split('.');
    sections.set(section, (sections.get(section) ?? `\n${section}:\n`) + settingLines(key));
  }
  return HEAD + [...sections.values()].join('');
}

function settingLines(key: ConfigKey): string {
  const name = key.name.split('.')[1]!;
  const value = JSON.stringify(key.default).replace(/^"(.*)"$/, '$1');
  const lines = `  # ${key.doc} (${expectation(key)})\n  # ${name}: ${value}\n`;
  return key.kind === 'patterns' ? lines + RULE_EXAMPLE : lines;
}
