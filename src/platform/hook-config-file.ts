import { fieldsIn, isRecord } from './config/value.ts';
import { areGlobs, EXCLUDED_BY_DEFAULT } from './exclude.ts';
import { readFile } from './files.ts';
import { nodeFs } from './fs.ts';
import { listFromText } from './list-text.ts';
import { BEN10_DIR, isStorageLocation } from './storage-location.ts';

/** Every hook parses it. */
export const HOOK_CONFIG_BYTES_MAX = 262_144;
/** A hook ignores a file with another number. */
export const HOOK_CONFIG_FORMAT = 1;

export const hookConfigPath = (ben10Dir: string): string => `${ben10Dir}/hook-config.json`;

/** The parsed file, unchecked but for its format; undefined if it cannot be read. */
export function readHookConfigFile(ben10Dir: string): Record<string, unknown> | undefined {
  try {
    const bytes = readFile(nodeFs, hookConfigPath(ben10Dir), HOOK_CONFIG_BYTES_MAX);
    const data: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(data) && data.format === HOOK_CONFIG_FORMAT ? data : undefined;
  } catch {
    return undefined;
  }
}

export interface CallSettings {
  autoSave: boolean;
  /** Whether anything is said to the model. */
  autoRestore: boolean;
  /** The user's rules, unchecked, and whether the built-in ones apply. */
  redaction: { patterns: unknown; allow: unknown; builtin: boolean };
  /** Files whose content is not recorded. */
  exclude: readonly string[];
  /** The journal's folder, relative to the project. */
  storage: string;
}

/** The settings that the hook of a tool call needs: checking all of them would take longer than recording the event. */
export const readCallSettings = (ben10Dir: string, env?: Environment): CallSettings =>
  callSettings(readHookConfigFile(ben10Dir)?.config, env);

type Environment = Readonly<Record<string, string | undefined>>;

/** @param compiled unchecked, and possibly incomplete */
export function callSettings(compiled: unknown, env: Environment = process.env): CallSettings {
  const config = fieldsIn(compiled);
  const { autoSave, autoRestore, sensitiveRedaction, excludePatterns, storageLocation } = fieldsIn(
    config.context,
  );
  const { patterns, allow } = fieldsIn(config.redaction);
  return {
    autoSave: SAID.get(env.BEN10_CONTEXT_AUTO_SAVE ?? '') ?? autoSave !== false,
    autoRestore: SAID.get(env.BEN10_CONTEXT_AUTO_RESTORE ?? '') ?? autoRestore !== false,
    redaction: {
      patterns: together(patterns, env.BEN10_REDACTION_PATTERNS),
      allow: together(allow, env.BEN10_REDACTION_ALLOW),
      builtin:
        SAID.get(env.BEN10_CONTEXT_SENSITIVE_REDACTION ?? '') ?? sensitiveRedaction !== false,
    },
    exclude:
      [listFromText(env.BEN10_CONTEXT_EXCLUDE_PATTERNS || '['), excludePatterns].find(areGlobs) ??
      EXCLUDED_BY_DEFAULT,
    storage:
      [env.BEN10_CONTEXT_STORAGE_LOCATION, storageLocation].find(isStorageLocation) ?? BEN10_DIR,
  };
}

/** The variable's rules come first: of two rules with one id the first applies. */
function together(compiled: unknown, text: string | undefined): unknown {
  if (!text) return compiled;
  const more = listFromText(text);
  return Array.isArray(more) && Array.isArray(compiled) ? [...more, ...compiled] : more;
}

const SAID: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
