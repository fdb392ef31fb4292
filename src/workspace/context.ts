import type { EnvironmentChange } from '../projections/folds/workspace.ts';

/** What is told of a development environment. All texts are clean: one line, no secrets, nothing that acts. */
export interface DevContext {
  project: { name: string; type: string; entryPoint: string };
  hint: string;
  work: Work | undefined;
  targets: BuildTarget[];
  containers: Container[];
  repositories: Repository[];
  commands: RecentCommand[];
  devices: Device[];
  scripts: Script[];
  servers: Server[];
  tools: Tool[];
  /** What changed since it was looked at before, oldest first. */
  changes: EnvironmentChange[];
}

export interface Work {
  /** Empty when nothing tells it. */
  task: string;
  /** When somebody said it, milliseconds since the epoch; 0 where it was worked out from the session. */
  saidAt: number;
  files: string[];
  notes: string;
  todos: { content: string; status: string }[];
}

export interface BuildTarget {
  name: string;
  description: string;
  container: string;
  lunch: string;
  emulator: boolean;
  flash: boolean;
}

export interface Container {
  name: string;
  image: string;
  /** `running`, `exited`, `created`… */
  state: string;
  /** In the program's own words: `Up 3 hours`. */
  status: string;
  /** Null where it was not recorded. */
  runtime: 'docker' | 'podman' | null;
}

export interface Repository {
  /** Relative to the worktree; the folder's name for itself. */
  name: string;
  kind: 'repository' | 'submodule' | 'worktree';
  /** Or `detached at` a commit. */
  branch: string;
  /** Commits; null where they were not recorded, and so below. */
  ahead: number | null;
  behind: number | null;
  /** `2M 1?`; empty when nothing was changed; null where git did not say it in time. */
  changes: string | null;
  /** Hash, subject and age of the last commit; empty before the first. */
  commit: string;
}

export interface RecentCommand {
  /** Milliseconds since the epoch. */
  at: number;
  command: string;
  /** Null while it runs, and where nobody told. */
  exitCode: number | null;
}

export interface Device {
  serial: string;
  state: string;
  type: 'adb' | 'fastboot';
}

export interface Script {
  /** As it is run: `npm run build`, `make test`. */
  command: string;
  /** What it does, in its own words; may be empty. */
  about: string;
}

export interface Server {
  port: number;
  program: string;
}

export interface Tool {
  name: string;
  version: string;
}
