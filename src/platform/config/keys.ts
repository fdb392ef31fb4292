import { EXCLUDED_BY_DEFAULT } from '../exclude.ts';
import type { LogLevel } from '../logger.ts';
import { RECALL_KEYS, type RecallSettings } from './recall-keys.ts';
import { WORKSPACE_KEYS, type WorkspaceSettings } from './workspace-keys.ts';

export type { WorkspaceSettings } from './workspace-keys.ts';

/** What a server can offer, in the order of its lists. `mcp/profiles.ts` says what is in each. */
export const PROFILE_NAMES = ['core'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];
/** `all` is every profile. */
export type ProfileChoice = ProfileName | 'all';

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
    /** Relative to the project's folder, with `/` between names. */
    storageLocation: string;
    maxStorageMb: number;
    historyRetentionCount: number;
    checkpointRetentionDays: number;
    compactionSnapshots: SnapshotSettings;
    /** As `exclude.ts` reads them. */
    excludePatterns: string[];
    sensitiveRedaction: boolean;
  };
  redaction: { patterns: RedactionPattern[]; allow: string[] };
  recall: RecallSettings;
  mcp: { logLevel: LogLevel; profile: ProfileChoice[] };
  journal: { segmentBytes: number };
  workspace: WorkspaceSettings;
  /** Days after which `compact` may drop events, or never. */
  retention: { events: 'never' | `${number}d` };
}

export interface SnapshotSettings {
  enabled: boolean;
  retentionCount: number;
  retentionDays: number;
  maxStorageMb: number;
  /** Of Zstandard. */
  compressionLevel: number;
}

export type ConfigKind =
  | 'boolean'
  | 'integer'
  | 'choice'
  | 'choices'
  | 'age'
  | 'folder'
  | 'text'
  | 'globs'
  | 'patterns'
  | 'texts';

/** One setting. Checks, help and documentation are made of it; `docs.ts` says what it is for. */
export interface ConfigKey {
  /** Sections and name: `context.autoSave`. */
  name: string;
  kind: ConfigKind;
  default: boolean | number | string | readonly string[];
  /** Inclusive, for `integer`; in days for `age`, in characters for `text`. */
  min?: number;
  max?: number;
  unit?: string;
  /** For `choice` and `choices`. */
  values?: readonly string[];
  /** The variable that overrides it. */
  env: string;
}

/** Under this a segment's header, index and rotation cost more than they hold. */
export const SEGMENT_BYTES_SETTING_MIN = 65_536;
/** Readers refuse a segment above 64 MiB, and one may grow a batch beyond this setting. */
export const SEGMENT_BYTES_SETTING_MAX = 33_554_432;
/** More are never looked through by hand. */
export const RETAINED_MAX = 1_000;
/** The levels of Zstandard that need no option of their own (zstd(1)). */
export const ZSTD_LEVEL_MAX = 19;
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
  },
  {
    name: 'context.autoRestore',
    kind: 'boolean',
    default: true,
    env: 'BEN10_CONTEXT_AUTO_RESTORE',
  },
  {
    name: 'context.checkpointInterval',
    kind: 'integer',
    default: 10,
    min: 1,
    max: CHECKPOINT_INTERVAL_MAX,
    unit: 'messages',
    env: 'BEN10_CONTEXT_CHECKPOINT_INTERVAL',
  },
  {
    name: 'context.storageLocation',
    kind: 'folder',
    default: '.ben10',
    env: 'BEN10_CONTEXT_STORAGE_LOCATION',
  },
  {
    name: 'context.maxStorageMb',
    kind: 'integer',
    default: 100,
    min: 1,
    max: STORAGE_MB_MAX,
    unit: 'MB',
    env: 'BEN10_CONTEXT_MAX_STORAGE_MB',
  },
  {
    name: 'context.historyRetentionCount',
    kind: 'integer',
    default: 5,
    min: 1,
    max: RETAINED_MAX,
    unit: 'checkpoints',
    env: 'BEN10_CONTEXT_HISTORY_RETENTION_COUNT',
  },
  {
    name: 'context.checkpointRetentionDays',
    kind: 'integer',
    default: 7,
    min: 0,
    max: RETENTION_DAYS_MAX,
    unit: 'days',
    env: 'BEN10_CONTEXT_CHECKPOINT_RETENTION_DAYS',
  },
  {
    name: 'context.compactionSnapshots.enabled',
    kind: 'boolean',
    default: true,
    env: 'BEN10_CONTEXT_COMPACTION_SNAPSHOTS_ENABLED',
  },
  {
    name: 'context.compactionSnapshots.retentionCount',
    kind: 'integer',
    default: 5,
    min: 1,
    max: RETAINED_MAX,
    unit: 'snapshots',
    env: 'BEN10_CONTEXT_COMPACTION_SNAPSHOTS_RETENTION_COUNT',
  },
  {
    name: 'context.compactionSnapshots.retentionDays',
    kind: 'integer',
    default: 30,
    min: 1,
    max: RETENTION_DAYS_MAX,
    unit: 'days',
    env: 'BEN10_CONTEXT_COMPACTION_SNAPSHOTS_RETENTION_DAYS',
  },
  {
    name: 'context.compactionSnapshots.maxStorageMb',
    kind: 'integer',
    default: 500,
    min: 1,
    max: STORAGE_MB_MAX,
    unit: 'MB',
    env: 'BEN10_CONTEXT_COMPACTION_SNAPSHOTS_MAX_STORAGE_MB',
  },
  {
    name: 'context.compactionSnapshots.compressionLevel',
    kind: 'integer',
    default: 19,
    min: 1,
    max: ZSTD_LEVEL_MAX,
    unit: 'levels',
    env: 'BEN10_CONTEXT_COMPACTION_SNAPSHOTS_COMPRESSION_LEVEL',
  },
  {
    name: 'context.excludePatterns',
    kind: 'globs',
    default: EXCLUDED_BY_DEFAULT,
    env: 'BEN10_CONTEXT_EXCLUDE_PATTERNS',
  },
  {
    name: 'context.sensitiveRedaction',
    kind: 'boolean',
    default: true,
    env: 'BEN10_CONTEXT_SENSITIVE_REDACTION',
  },
  {
    name: 'redaction.patterns',
    kind: 'patterns',
    default: [],
    env: 'BEN10_REDACTION_PATTERNS',
  },
  {
    name: 'redaction.allow',
    kind: 'texts',
    default: [],
    env: 'BEN10_REDACTION_ALLOW',
  },
  ...RECALL_KEYS,
  {
    name: 'mcp.logLevel',
    kind: 'choice',
    default: 'info',
    values: ['debug', 'info', 'warn', 'error'],
    env: 'BEN10_LOG_LEVEL',
  },
  {
    name: 'mcp.profile',
    kind: 'choices',
    default: ['core'],
    values: [...PROFILE_NAMES, 'all'],
    env: 'BEN10_PROFILE',
  },
  {
    name: 'journal.segmentBytes',
    kind: 'integer',
    default: 8_388_608,
    min: SEGMENT_BYTES_SETTING_MIN,
    max: SEGMENT_BYTES_SETTING_MAX,
    unit: 'bytes',
    env: 'BEN10_JOURNAL_SEGMENT_BYTES',
  },
  ...WORKSPACE_KEYS,
  {
    name: 'retention.events',
    kind: 'age',
    default: 'never',
    min: 1,
    max: RETENTION_DAYS_MAX,
    unit: 'days',
    env: 'BEN10_RETENTION_EVENTS',
  },
];

const BY_NAME = new Map(CONFIG_KEYS.map((key) => [key.name, key]));

export const configKey = (name: string): ConfigKey | undefined => BY_NAME.get(name);

/** Values by setting name; what is absent keeps the value of the layer below. */
export type ConfigValues = Map<string, unknown>;
