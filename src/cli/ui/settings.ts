import path from 'node:path';
import type { SettingExplained, SettingNow } from '../../platform/config/about.ts';
import { type Origin, originText } from '../../platform/config/origin.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { cutTo } from './columns.ts';
import { facts } from './facts.ts';
import { TEXT_WIDTH, wrap } from './wrap.ts';

/** Columns of a value in a table; `get` prints it whole. */
const VALUE_COLUMNS = 44;

/** A value as it is typed: texts plain, all else as JSON. */
export const valueText = (value: unknown): string =>
  oneLine(typeof value === 'string' ? value : JSON.stringify(value));

/** Where a value comes from; files below `dir` without it. */
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

/** All of one setting, for people. */
export function explanation(setting: SettingExplained, dir: string): string[] {
  const { key, value, origins, doc, takes, variable, example } = setting;
  return [
    key,
    wrap(doc, TEXT_WIDTH, '  '),
    ...facts([
      ['is', valueText(value)],
      ['from', fromText(origins, dir)],
      ['default', valueText(setting.default)],
      ['takes', takes],
      ['variable', variable],
      ['example', `ben10 config set ${key} ${quoted(example)}`],
    ]),
  ];
}

/** In single quotes where a shell would take it apart; several values stay several. */
const quoted = (example: string): string =>
  example.startsWith('[')
    ? `'${example}'`
    : example
        .split(' ')
        .map((word) => (/^[\w./-]+$/.test(word) ? word : `'${word}'`))
        .join(' ');
