import type { LogLevel } from '../logger.ts';

/** A user's own redaction rule: what `pattern` matches becomes `[REDACTED:<id>]`. */
export interface RedactionPattern {
  id: string;
  /** Source of a JavaScript regular expression. */
  pattern: string;
  /** Any of `i`, `m`, `s`, `u`; matching is always global. */
  flags?: string;
}

export interface Ben10Config {
  context: {
    autoSave: boolean;
    autoRestore: boolean;
    checkpointInterval: number;
    maxStorageMb: number;
    sensitiveRedaction: boolean;
  };
  redaction: { patterns: RedactionPattern[]; allow: string[] };
  recall: { maxChars: number };
  mcp: { logLevel: LogLevel; profile: 'core' | 'all' };
  journal: { segmentBytes: number };
  /** Days after which `compact` may drop events, or never. */
  retention: { events: 'never' | `${number}d` };
}

export type ConfigKind = 'boolean' | 'integer' | 'choice' | 'age' | 'patterns' | 'texts';

/** One setting. Everything that is known of it stands here, so that checks and documentation cannot disagree. */
export interface ConfigKey {
  /** Section and name: `context.autoSave`. */
  name: string;
  kind: ConfigKind;
  default: boolean | number | string | readonly never[];
  /** Inclusive, for `integer`; in days for `age`. */
  min?: number;
  max?: number;
  unit?: string;
  /** For `choice`. */
  values?: readonly string[];
  /** The variable that overrides it. Lists have none. */
  env?: string;
  doc: string;
}

/** The client cuts a hook's output at 10,000 characters; 500 are left for the wrapper around ours. */
export const RECALL_CHARS_MAX = 9_500;
/** Under this not even the shortest useful account fits (about 120 tokens). */
export const RECALL_CHARS_MIN = 500;
/** Under this a segment's header, index and rotation cost more than they hold. */
export const SEGMENT_BYTES_SETTING_MIN = 65_536;
/** Readers refuse a segment above 64 MiB, and one may grow a batch beyond this setting. */
export const SEGMENT_BYTES_SETTING_MAX = 33_554_432;
/** More messages than one session ever has between two checkpoints. */
export const CHECKPOINT_INTERVAL_MAX = 10_000;
/** One TiB: a typing slip, not a budget. */
export const STORAGE_MB_MAX = 1_048_576;
/** A hundred years: a typing slip, not an age. */
export const RETENTION_DAYS_MAX = 36_500;

export const CONFIG_KEYS: readonly ConfigKey[] = [
  {
    name: 'context.autoSave',
    kind: 'boolean',
    default: true,
    env: 'BEN10_CONTEXT_AUTO_SAVE',
    doc: 'Save the context at the end of a session and before a compaction.',
  },
  {
    name: 'context.autoRestore',
    kind: 'boolean',
    default: true,
    env: 'BEN10_CONTEXT_AUTO_RESTORE',
    doc: 'Give back at the start of a session, and after a compaction, what the agent needs to go on.',
  },
  {
    name: 'context.checkpointInterval',
    kind: 'integer',
    default: 10,
    min: 1,
    max: CHECKPOINT_INTERVAL_MAX,
    unit: 'messages',
    env: 'BEN10_CONTEXT_CHECKPOINT_INTERVAL',
    doc: 'Store a rolling checkpoint after this many messages.',
  },
  {
    name: 'context.maxStorageMb',
    kind: 'integer',
    default: 100,
    min: 1,
    max: STORAGE_MB_MAX,
    unit: 'MB',
    env: 'BEN10_CONTEXT_MAX_STORAGE_MB',
    doc: 'Size of .ben10 from which compaction frees what can be rebuilt, and warns.',
  },
  {
    name: 'context.sensitiveRedaction',
    kind: 'boolean',
    default: true,
    env: 'BEN10_CONTEXT_SENSITIVE_REDACTION',
    doc: 'Replace secrets by [REDACTED:<RULE>] before anything is written.',
  },
  {
    name: 'redaction.patterns',
    kind: 'patterns',
    default: [],
    doc: 'Your own rules, each with id, pattern (a regular expression) and flags; all files add up.',
  },
  {
    name: 'redaction.allow',
    kind: 'texts',
    default: [],
    doc: 'Texts that look like secrets and are none; all files add up.',
  },
  {
    name: 'recall.maxChars',
    kind: 'integer',
    default: 9_000,
    min: RECALL_CHARS_MIN,
    max: RECALL_CHARS_MAX,
    unit: 'characters',
    env: 'BEN10_RECALL_MAX_CHARS',
    doc: 'The most that is given back to an agent at one time.',
  },
  {
    name: 'mcp.logLevel',
    kind: 'choice',
    default: 'info',
    values: ['debug', 'info', 'warn', 'error'],
    env: 'BEN10_LOG_LEVEL',
    doc: 'What the server writes to stderr.',
  },
  {
    name: 'mcp.profile',
    kind: 'choice',
    default: 'core',
    values: ['core', 'all'],
    env: 'BEN10_PROFILE',
    doc: 'Which tools the server offers.',
  },
  {
    name: 'journal.segmentBytes',
    kind: 'integer',
    default: 8_388_608,
    min: SEGMENT_BYTES_SETTING_MIN,
    max: SEGMENT_BYTES_SETTING_MAX,
    unit: 'bytes',
    env: 'BEN10_JOURNAL_SEGMENT_BYTES',
    doc: 'Size at which a segment of the journal is closed and the next one begun.',
  },
  {
    name: 'retention.events',
    kind: 'age',
    default: 'never',
    min: 1,
    max: RETENTION_DAYS_MAX,
    unit: 'days',
    env: 'BEN10_RETENTION_EVENTS',
    doc: 'Age from which compaction may drop events, such as 90d; never keeps them all. This version drops none yet.',
  },
];

const BY_NAME = new Map(CONFIG_KEYS.map((key) => [key.name, key]));

export const configKey = (name: string): ConfigKey | undefined => BY_NAME.get(name);

/** Values by setting name; what is absent keeps the value of the layer below. */
export type ConfigValues = Map<string, unknown>;

/** A whole configuration from the defaults and checked layers, lowest first. Lists add up; all else is replaced. */
export function composeConfig(layers: readonly ConfigValues[]): Ben10Config {
  const sections = new Map<string, Record<string, unknown>>();
  for (const key of CONFIG_KEYS) {
    const [section = '', name = ''] = key.name.split('.');
    const fields = sections.get(section) ?? {};
    sections.set(section, fields);
    const given = layers.filter((layer) => layer.has(key.name)).map((layer) => layer.get(key.name));
    if (key.kind === 'patterns') fields[name] = addPatterns(given as RedactionPattern[][]);
    else if (key.kind === 'texts') fields[name] = [...new Set((given as string[][]).flat())];
    else fields[name] = given.length === 0 ? key.default : given.at(-1);
  }
  return Object.fromEntries(sections) as unknown as Ben10Config;
}

/** A project's file must not switch off the user's own rules: only a rule of the same id is replaced. */
function addPatterns(lists: RedactionPattern[][]): RedactionPattern[] {
  const byId = new Map<string, RedactionPattern>();
  for (const pattern of lists.flat()) byId.set(pattern.id, pattern);
  return [...byId.values()];
}
