import type { LoadedConfig } from '../config.ts';
import { expectation } from './check.ts';
import { CONFIG_DOCS } from './docs.ts';
import type { Ben10Config, ConfigKey } from './keys.ts';
import type { Origin } from './origin.ts';

/** A setting and its current value. */
export interface SettingNow {
  key: string;
  value: unknown;
  origins: Origin[];
}

export interface SettingExplained extends SettingNow {
  doc: string;
  /** The values that it takes, in words. */
  takes: string;
  default: unknown;
  variable: string;
  example: string;
}

type Loaded = Pick<LoadedConfig, 'config' | 'originsOf'>;

const valueIn = (key: ConfigKey, config: Ben10Config): unknown =>
  key.name.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], config);

export const settingNow = (key: ConfigKey, loaded: Loaded): SettingNow => ({
  key: key.name,
  value: valueIn(key, loaded.config),
  origins: loaded.originsOf(key.name),
});

export function explainSetting(key: ConfigKey, loaded: Loaded): SettingExplained {
  const { doc, example } = CONFIG_DOCS[key.name]!;
  return {
    ...settingNow(key, loaded),
    doc,
    takes: expectation(key),
    default: key.default,
    variable: key.env,
    example,
  };
}
