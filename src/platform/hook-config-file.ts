import { isRecord } from './config/value.ts';
import { areGlobs, EXCLUDED_BY_DEFAULT } from './exclude.ts';
import { readFile } from './files.ts';
import { nodeFs } from './fs.ts';
import { listFromText } from './list-text.ts';
import { BEN10_DIR, isStorageLocation } from './storage-location.ts';

/** A hook parses this on every run: 256 KiB are far more than any sound configuration needs. */
export const HOOK_CONFIG_BYTES_MAX = 262_144;
/** Changes when the meaning of the file does; a hook takes only its own. */
export const HOOK_CONFIG_FORMAT = 1;

export const hookConfigPath = (ben10Dir: string): string => `${ben10Dir}/hook-config.json`;

/** The file as it is, of our format and otherwise unchecked; undefined when there is none to be had. */
export function readHookConfigFile(ben10Dir: string): Record<string, unknown> | undefined {
  try {
    // Refuses links and pipes: it opens without following, and without waiting.
    const bytes = readFile(nodeFs, hookConfigPath(ben10Dir), HOOK_CONFIG_BYTES_MAX);
    const data: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(data) && data.format === HOOK_CONFIG_FORMAT ? data : undefined;
  } catch {
    return undefined;
  }
}

/** What the hook of a tool call has to know. */
export interface CallSettings {
  /** False when the user wants nothing recorded. */
  autoSave: boolean;
  /** The user's own rules, unchecked, and whether there are others. */
  redaction: { patterns: unknown; allow: unknown; builtin: boolean };
  /** Of files whose content is not kept. */
  exclude: readonly string[];
  /** Where the journal is, relative to the project's folder. */
  storage: string;
}

/**
 * The little of `readHookConfig` that every tool call needs: to look at all settings, and at the files that they come
 * from, would cost it more than the event.
 */
export const readCallSettings = (ben10Dir: string, env?: Environment): CallSettings =>
  callSettings(readHookConfigFile(ben10Dir)?.config, env);

type Environment = Readonly<Record<string, string | undefined>>;

/** @param compiled unchecked; nothing of it needs to be there */
export function callSettings(compiled: unknown, env: Environment = process.env): CallSettings {
  const config = fields(compiled);
  const { autoSave, sensitiveRedaction, excludePatterns, storageLocation } = fields(config.context);
  const { patterns, allow } = fields(config.redaction);
  return {
    autoSave: SAID.get(env.BEN10_CONTEXT_AUTO_SAVE ?? '') ?? autoSave !== false,
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

const fields = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

/** Of two rules with one id the first is taken: the variable's. */
function together(compiled: unknown, text: string | undefined): unknown {
  if (!text) return compiled;
  const more = listFromText(text);
  return Array.isArray(more) && Array.isArray(compiled) ? [...more, ...compiled] : more;
}

/** How a variable says yes and no; anything else says nothing. */
const SAID: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
