import { excludedBy, isGlob } from '../../platform/exclude.ts';
import type { BuildTarget } from '../context.ts';
import type { Around, Collector } from './collector.ts';
import { namesInside, readInside } from './read.ts';

/** A layout counts what it leaves out; what exceeds this is not even counted. */
const TARGETS_MAX = 500;
const VALUE_CHARS = 120;
/** `export NAME="value"  # why` as a shell reads it, for one word or a quoted text. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Z_]+)=(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#;]*))/gm;

/** Build targets: one `.conf` file each, with six variables. Nothing is executed. */
export const buildScripts: Collector<BuildTarget> = {
  timeoutMs: 500,
  collect(around) {
    const { configDir, configPattern } = around.settings.scripts;
    if (configDir === '' || !isGlob(configPattern)) return [];
    return namesInside(around.dir, configDir)
      .filter((name) => excludedBy([configPattern], '/', name) !== undefined)
      .slice(0, TARGETS_MAX)
      .flatMap((name) => targetOf(around, name));
  },
};

function targetOf({ dir, settings, clean }: Around, file: string): BuildTarget[] {
  const text = readInside(dir, `${settings.scripts.configDir}/${file}`);
  if (text === undefined) return [];
  const values = new Map<string, string>();
  for (const [, name, double, single, bare] of text.matchAll(ASSIGNMENT))
    values.set(name!, clean(double ?? single ?? bare ?? '', VALUE_CHARS));
  const value = (name: string): string => values.get(name) ?? '';
  const can = (name: string): boolean => /^(?:true|yes|1|y)$/i.test(value(name));
  return [
    {
      name: value('TARGET_NAME') || clean(file.replace(/\.[^.]*$/, ''), VALUE_CHARS),
      description: value('TARGET_DESCRIPTION'),
      container: value('CONTAINER_NAME'),
      lunch: value('LUNCH_TARGET'),
      emulator: can('CAN_EMULATOR'),
      flash: can('CAN_FLASH'),
    },
  ];
}
