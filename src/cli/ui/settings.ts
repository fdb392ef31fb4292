import path from 'node:path';
import type { SettingExplained, SettingNow } from '../../platform/config/about.ts';
import { type Origin, originText } from '../../platform/config/origin.ts';
import { shellWord } from '../../platform/shell-word.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { cutTo } from './columns.ts';
import { facts } from './facts.ts';
import { textWidth, wrap } from './wrap.ts';

const VALUE_COLUMNS = 44;

export const valueText = (value: unknown): string =>
  oneLine(typeof value === 'string' ? value : JSON.stringify(value));

/** Files below `dir` are shown relative to it. */
const fromText = (origins: readonly Origin[], dir: string): string =>
  origins
    .map((origin) => {
      const { file } = origin;
      const isHere = file?.startsWith(`${dir}${path.sep}`) === true;
      return originText(isHere ? { ...origin, file: path.relative(dir, file!) } : origin);
    })
    .map(oneLine)
    .join(', ');

export const settingRow = ({ key, value, origins }: SettingNow, dir: string): string[] => [
  key,
  cutTo(valueText(value), VALUE_COLUMNS),
  fromText(origins, dir),
];

export function explanation(setting: SettingExplained, dir: string): string[] {
  const { key, value, origins, doc, takes, variable, example } = setting;
  return [
    key,
    wrap(doc, textWidth(), '  '),
    ...facts([
      ['value', valueText(value)],
      ['from', fromText(origins, dir)],
      ['default', valueText(setting.default)],
      ['takes', takes],
      ['variable', variable],
      ['example', `ben10 config set ${key} ${quoted(example)}`],
    ]),
  ];
}

/** Quoted for a shell; several values stay several. */
const quoted = (example: string): string =>
  example.startsWith('[') ? `'${example}'` : example.split(' ').map(shellWord).join(' ');
