import { EXCLUDED_BY_DEFAULT } from '../exclude.ts';
import type { LogLevel } from '../logger.ts';

/** Groups of tools that a server can offer; `mcp/profiles.ts` says what is in each. */
export const PROFILE_NAMES = ['core', 'packs', 'monitor'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];
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
    excludePatterns: string[];
    sensitiveRedaction: boolean;
  };
  redaction: { patterns: RedactionPattern[]; allow: string[] };
  recall: { maxChars: number; steering: boolean; notice: boolean };
  mcp: { logLevel: LogLevel; profile: ProfileChoice[] };
  journal: { segmentBytes: number };
  workspace: WorkspaceSettings;
  usage: { prices: string[] };
  packs: PackSettings;
  monitor: MonitorSettings;
  handoff: { commit: boolean };
  tracker: TrackerSettings;
  /** Days after which `compact` may drop events, or never. */
  retention: { events: 'never' | `${number}d` };
}

/** As in ContextKeeper's configuration, and `watch`. */
export interface WorkspaceSettings {
  project: { name: string; type: string };
  scripts: { entryPoint: string; configDir: string; configPattern: string };
  containers: { runtime: 'auto' | 'docker' | 'podman' | 'none' };
  hints: { default: string };
  history: { enabled: boolean; patterns: string[]; maxEntries: number };
  git: { enabled: boolean };
  watch: boolean;
}

export interface SnapshotSettings {
  enabled: boolean;
  retentionCount: number;
  retentionDays: number;
  maxStorageMb: number;
  compressionLevel: number;
}

/** Of context packs. The first two are what a new pack begins with. */
export interface PackSettings {
  budgetTokens: number;
  tokenizer: 'cl100k' | 'o200k';
  /** How many renderings that were given to a model are kept, for how long, in how much room. */
  keep: number;
  keepDays: number;
  maxStorageMb: number;
  /** Never in a pack, besides what is built in. */
  deny: string[];
  commandTimeoutS: number;
}

/** Of the context monitor. */
export interface MonitorSettings {
  /** Percent of the window at which each level begins. */
  levels: { l1: number; l2: number; l3: number };
  /** Tokens of the context window; 0: as the client or the model says. */
  window: number;
  /** Where the client compacts: `auto` learns it, `off` says that it does not, a number is in tokens. */
  compactAt: string;
  /** Where a checkpoint commits work in progress. */
  wip: 'branch' | 'ref' | 'off';
  /** Source of a regular expression for the names of issues. */
  issuePattern: string;
  /** Percent from which the user is told of a good moment to end the session; 0: never. */
  stopHintAt: number;
  /** What a session may cost before the user is told; 0: any. */
  budgetUsd: number;
}

/** Of the issue tracker that is told of checkpoints. */
export interface TrackerSettings {
  kind: 'none' | 'linear' | 'github';
  /** What a comment holds: the whole handoff document, or its path and next steps. */
  send: 'document' | 'summary';
  /** Set on issues; empty: none. */
  label: string;
  /** Where an issue goes that was not started; empty: the first state of its team that is. */
  linear: { state: string };
}

type ConfigKind = 'boolean' | 'integer' | 'choice' | 'age' | 'folder' | 'text' | ListKind;
type ListKind = 'choices' | 'globs' | 'patterns' | 'texts';

/** One setting. Checks, help and documentation derive from it; `docs.ts` says what it is for. */
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
  /** The environment variable that overrides it. */
  env: string;
}

/** A smaller segment costs more for its header, index and rotation than it holds. */
export const SEGMENT_BYTES_SETTING_MIN = 65_536;
/** Readers refuse a segment above 64 MiB, and one may exceed this setting by a batch. */
export const SEGMENT_BYTES_SETTING_MAX = 33_554_432;
const RETAINED_MAX = 1_000;
/** Higher levels of Zstandard need the option --ultra (zstd(1)). */
const ZSTD_LEVEL_MAX = 19;
export const CHECKPOINT_INTERVAL_MAX = 10_000;
/** One TiB: more is a typing error. */
export const STORAGE_MB_MAX = 1_048_576;
/** A hundred years: more is a typing error. */
export const RETENTION_DAYS_MAX = 36_500;
/** The client cuts a hook's output at 10,000 characters; 500 are left for the wrapper around ours. */
export const RECALL_CHARS_MAX = 9_500;
/** Even the shortest useful account needs about 120 tokens. */
export const RECALL_CHARS_MIN = 500;
/** A hint goes to the model again and again. */
const HINT_CHARS_MAX = 500;
const NAME_CHARS_MAX = 200;
/** Of a pack: less is nothing but its frame, more is a typing error. */
export const BUDGET_TOKENS_MIN = 100;
export const BUDGET_TOKENS_MAX = 10_000_000;
/** More would crowd out the rest of the largest level. */
const HISTORY_ENTRIES_MAX = 50;

type Row = Omit<ConfigKey, 'env'> & { env?: string };

const flag = (name: string): Row => ({ name, kind: 'boolean', default: true });
const list = (name: string, kind: ListKind, items: readonly string[] = []): Row => ({
  name,
  kind,
  default: items,
});
const text = (name: string, max: number, standard = ''): Row => ({
  name,
  kind: 'text',
  default: standard,
  max,
});
const integer = (name: string, standard: number, unit: string, min: number, max: number): Row => ({
  name,
  kind: 'integer',
  default: standard,
  unit,
  min,
  max,
});
const choice = (name: string, values: readonly string[], standard: string): Row => ({
  name,
  kind: 'choice',
  default: standard,
  values,
});

const SNAPSHOTS = 'context.compactionSnapshots';
const ROWS: readonly Row[] = [
  flag('context.autoSave'),
  flag('context.autoRestore'),
  integer('context.checkpointInterval', 10, 'messages', 1, CHECKPOINT_INTERVAL_MAX),
  { name: 'context.storageLocation', kind: 'folder', default: '.ben10' },
  integer('context.maxStorageMb', 100, 'MB', 1, STORAGE_MB_MAX),
  integer('context.historyRetentionCount', 5, 'checkpoints', 1, RETAINED_MAX),
  integer('context.checkpointRetentionDays', 7, 'days', 0, RETENTION_DAYS_MAX),
  flag(`${SNAPSHOTS}.enabled`),
  integer(`${SNAPSHOTS}.retentionCount`, 5, 'snapshots', 1, RETAINED_MAX),
  integer(`${SNAPSHOTS}.retentionDays`, 30, 'days', 1, RETENTION_DAYS_MAX),
  integer(`${SNAPSHOTS}.maxStorageMb`, 500, 'MB', 1, STORAGE_MB_MAX),
  integer(`${SNAPSHOTS}.compressionLevel`, 19, 'levels', 1, ZSTD_LEVEL_MAX),
  list('context.excludePatterns', 'globs', EXCLUDED_BY_DEFAULT),
  flag('context.sensitiveRedaction'),
  list('redaction.patterns', 'patterns'),
  list('redaction.allow', 'texts'),
  integer('recall.maxChars', 9_000, 'characters', RECALL_CHARS_MIN, RECALL_CHARS_MAX),
  flag('recall.steering'),
  flag('recall.notice'),
  {
    ...choice('mcp.logLevel', ['debug', 'info', 'warn', 'error'], 'info'),
    env: 'BEN10_LOG_LEVEL',
  },
  {
    ...list('mcp.profile', 'choices', ['core']),
    values: [...PROFILE_NAMES, 'all'],
    env: 'BEN10_PROFILE',
  },
  integer(
    'journal.segmentBytes',
    8_388_608,
    'bytes',
    SEGMENT_BYTES_SETTING_MIN,
    SEGMENT_BYTES_SETTING_MAX,
  ),
  text('workspace.project.name', NAME_CHARS_MAX),
  text('workspace.project.type', NAME_CHARS_MAX),
  text('workspace.scripts.entryPoint', NAME_CHARS_MAX),
  text('workspace.scripts.configDir', NAME_CHARS_MAX),
  text('workspace.scripts.configPattern', NAME_CHARS_MAX, '*.conf'),
  choice('workspace.containers.runtime', ['auto', 'docker', 'podman', 'none'], 'auto'),
  text('workspace.hints.default', HINT_CHARS_MAX),
  flag('workspace.history.enabled'),
  list('workspace.history.patterns', 'texts'),
  integer('workspace.history.maxEntries', 10, 'commands', 1, HISTORY_ENTRIES_MAX),
  flag('workspace.git.enabled'),
  flag('workspace.watch'),
  list('usage.prices', 'texts'),
  integer('packs.budgetTokens', 60_000, 'tokens', BUDGET_TOKENS_MIN, BUDGET_TOKENS_MAX),
  choice('packs.tokenizer', ['cl100k', 'o200k'], 'cl100k'),
  integer('packs.keep', 20, 'renderings', 1, RETAINED_MAX),
  integer('packs.keepDays', 30, 'days', 1, RETENTION_DAYS_MAX),
  integer('packs.maxStorageMb', 100, 'MB', 1, STORAGE_MB_MAX),
  list('packs.deny', 'globs'),
  integer('packs.commandTimeoutS', 60, 'seconds', 1, 600),
  integer('monitor.levels.l1', 70, 'percent', 30, 99),
  integer('monitor.levels.l2', 85, 'percent', 30, 99),
  integer('monitor.levels.l3', 95, 'percent', 30, 99),
  integer('monitor.window', 0, 'tokens', 0, 10_000_000),
  text('monitor.compactAt', 12, 'auto'),
  choice('monitor.wip', ['branch', 'ref', 'off'], 'branch'),
  text(
    'monitor.issuePattern',
    NAME_CHARS_MAX,
    '\\b(?!(?:UTF|ISO|IEC|IEEE|RFC|PEP|CVE|CWE|SHA|MD|AES|RSA|GPT|ES|UTC|GMT|COVID)-)[A-Z][A-Z0-9]{1,9}-[0-9]{1,6}\\b',
  ),
  integer('monitor.stopHintAt', 50, 'percent', 0, 99),
  integer('monitor.budgetUsd', 0, 'US dollars', 0, 1_000_000),
  { ...flag('handoff.commit'), default: false },
  choice('tracker.kind', ['none', 'linear', 'github'], 'none'),
  choice('tracker.send', ['document', 'summary'], 'document'),
  text('tracker.label', 80, 'context-checkpointed'),
  text('tracker.linear.state', 80),
  {
    name: 'retention.events',
    kind: 'age',
    default: 'never',
    min: 1,
    max: RETENTION_DAYS_MAX,
    unit: 'days',
  },
];

/** `BEN10_CONTEXT_AUTO_SAVE` for `context.autoSave`. */
const variableOf = (name: string): string =>
  `BEN10_${name.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase()}`;

export const CONFIG_KEYS: readonly ConfigKey[] = ROWS.map((row) => ({
  env: variableOf(row.name),
  ...row,
}));

const BY_NAME = new Map(CONFIG_KEYS.map((key) => [key.name, key]));

export const configKey = (name: string): ConfigKey | undefined => BY_NAME.get(name);

/** Values by setting name; what is absent keeps the value of the layer below. */
export type ConfigValues = Map<string, unknown>;
