import { expectation } from '../platform/config/check.ts';
import { CONFIG_DOCS } from '../platform/config/docs.ts';
import { CONFIG_KEYS, type ConfigKey } from '../platform/config/keys.ts';

const HEAD = `# ben10's settings for this project. Each line shows a default: remove the "#" to change it.
# Order: defaults < ~/.config/ben10/config.yaml < this file < BEN10_* variables. More: ben10 config explain KEY
`;

const RULE_EXAMPLE = `  #   - id: INTERNAL_TOKEN
  #     pattern: 'int_[0-9a-f]{32}'
  #     flags: i
`;

/** The `.ben10/config.yaml` that `init` writes: all settings with their defaults, commented out. */
export function configTemplate(): string {
  let text = HEAD;
  let open: string[] = [];
  for (const key of CONFIG_KEYS) {
    const sections = key.name.split('.').slice(0, -1);
    for (const [depth, section] of sections.entries()) {
      if (open[depth] === section) continue;
      open = sections.slice(0, depth + 1);
      text += `${depth === 0 ? '\n' : ''}${'  '.repeat(depth)}${section}:\n`;
    }
    open = sections;
    text += settingLines(key, '  '.repeat(sections.length));
  }
  return text;
}

function settingLines(key: ConfigKey, indent: string): string {
  const name = key.name.split('.').at(-1)!;
  const value = JSON.stringify(key.default).replace(/^"([\w.]+)"$/, '$1');
  const about = wrapped(`${CONFIG_DOCS[key.name]!.doc} (${expectation(key)})`, `${indent}# `);
  const lines = `${about}${indent}# ${name}: ${value}\n`;
  return key.kind === 'patterns' ? lines + RULE_EXAMPLE : lines;
}

/** Columns of the file. */
const WIDTH = 100;

function wrapped(text: string, lead: string): string {
  const lines = [lead];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== lead && line.length + word.length >= WIDTH) lines.push(lead + word);
    else lines[lines.length - 1] = line === lead ? lead + word : `${line} ${word}`;
  }
  return `${lines.join('\n')}\n`;
}
