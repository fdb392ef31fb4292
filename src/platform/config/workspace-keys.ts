import type { ConfigKey } from './keys.ts';

/** What ContextKeeper's configuration has, and whether a server looks around by itself. Empty texts say nothing. */
export interface WorkspaceSettings {
  project: { name: string; type: string };
  scripts: { entryPoint: string; configDir: string; configPattern: string };
  containers: { runtime: 'auto' | 'docker' | 'podman' | 'none' };
  hints: { default: string };
  history: { enabled: boolean; patterns: string[]; maxEntries: number };
  git: { enabled: boolean };
  watch: boolean;
}

/** A hint goes to the model again and again. */
export const HINT_CHARS_MAX = 500;
/** A name, or a path inside the project. */
export const NAME_CHARS_MAX = 200;
/** More would crowd out the rest of the largest level. */
export const HISTORY_ENTRIES_MAX = 50;
/** The settings of `workspace`, rows of the table in `keys.ts`. */
export const WORKSPACE_KEYS: readonly ConfigKey[] = [
  {
    name: 'workspace.project.name',
    kind: 'text',
    default: '',
    max: NAME_CHARS_MAX,
    env: 'BEN10_WORKSPACE_PROJECT_NAME',
  },
  {
    name: 'workspace.project.type',
    kind: 'text',
    default: '',
    max: NAME_CHARS_MAX,
    env: 'BEN10_WORKSPACE_PROJECT_TYPE',
  },
  {
    name: 'workspace.scripts.entryPoint',
    kind: 'text',
    default: '',
    max: NAME_CHARS_MAX,
    env: 'BEN10_WORKSPACE_SCRIPTS_ENTRY_POINT',
  },
  {
    name: 'workspace.scripts.configDir',
    kind: 'text',
    default: '',
    max: NAME_CHARS_MAX,
    env: 'BEN10_WORKSPACE_SCRIPTS_CONFIG_DIR',
  },
  {
    name: 'workspace.scripts.configPattern',
    kind: 'text',
    default: '*.conf',
    max: NAME_CHARS_MAX,
    env: 'BEN10_WORKSPACE_SCRIPTS_CONFIG_PATTERN',
  },
  {
    name: 'workspace.containers.runtime',
    kind: 'choice',
    default: 'auto',
    values: ['auto', 'docker', 'podman', 'none'],
    env: 'BEN10_WORKSPACE_CONTAINERS_RUNTIME',
  },
  {
    name: 'workspace.hints.default',
    kind: 'text',
    default: '',
    max: HINT_CHARS_MAX,
    env: 'BEN10_WORKSPACE_HINTS_DEFAULT',
  },
  {
    name: 'workspace.history.enabled',
    kind: 'boolean',
    default: true,
    env: 'BEN10_WORKSPACE_HISTORY_ENABLED',
  },
  {
    name: 'workspace.history.patterns',
    kind: 'texts',
    default: [],
    env: 'BEN10_WORKSPACE_HISTORY_PATTERNS',
  },
  {
    name: 'workspace.history.maxEntries',
    kind: 'integer',
    default: 10,
    min: 1,
    max: HISTORY_ENTRIES_MAX,
    unit: 'commands',
    env: 'BEN10_WORKSPACE_HISTORY_MAX_ENTRIES',
  },
  {
    name: 'workspace.git.enabled',
    kind: 'boolean',
    default: true,
    env: 'BEN10_WORKSPACE_GIT_ENABLED',
  },
  {
    name: 'workspace.watch',
    kind: 'boolean',
    default: true,
    env: 'BEN10_WORKSPACE_WATCH',
  },
];
