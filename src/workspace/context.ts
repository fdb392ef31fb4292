import type { EnvironmentChange } from '../projections/folds/workspace.ts';

/** What is known of a development environment. All texts are clean: one line, no secrets, no control characters. */
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
  /** Changes since the look before, oldest first. */
  changes: EnvironmentChange[];
}

export interface Work {
  /** Empty if unknown. */
  task: string;
  /** When it was saved, milliseconds since the epoch; 0 if it is derived from the session. */
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
  /** As the program says it: `Up 3 hours`. */
  status: string;
  /** Null if not recorded. */
  runtime: 'docker' | 'podman' | null;
}

export interface Repository {
  /** Relative to the worktree; for the worktree itself the folder's name. */
  name: string;
  kind: 'repository' | 'submodule' | 'worktree';
  /** Or `detached at` a commit. */
  branch: string;
  /** Commits; null if not recorded. */
  ahead: number | null;
  behind: number | null;
  /** `2M 1?`; empty if clean; null if git did not answer in time. */
  changes: string | null;
  /** Hash, subject and age of the last commit; empty if there is none. */
  commit: string;
}

export interface RecentCommand {
  /** Milliseconds since the epoch. */
  at: number;
  command: string;
  /** How it ended, where it did not pass. */
  outcome: string;
}

export interface Device {
  serial: string;
  state: string;
  type: 'adb' | 'fastboot';
}

export interface Script {
  /** As it is run: `npm run build`, `make test`. */
  command: string;
  /** Its description; may be empty. */
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

/**
 * Found by the last look, but its program does not answer now: recorded as it was and as unseen, so that it counts
 * neither as gone nor as there.
 */
export interface Unseen {
  unseen?: true;
}
