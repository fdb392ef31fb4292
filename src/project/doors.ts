import type { NewEvent } from '../journal/append/inbox.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { Finding } from '../platform/finding.ts';
import type { Project } from './open.ts';

/** Hooks that run once per turn, and have time for more than recording. */
type TurnEvent =
  | 'SessionStart'
  | 'UserPromptSubmit'
  | 'Stop'
  | 'StopFailure'
  | 'PreCompact'
  | 'PostCompact'
  | 'SessionEnd';

/** One call of such a hook. */
export interface HookMoment {
  event: string;
  session: string;
  /** How the session started: `startup`, `resume`, `compact`… */
  source: string | undefined;
  /** What started a compaction. */
  trigger: string | undefined;
  cwd: string | undefined;
  /** What the user said, at UserPromptSubmit. */
  prompt?: string | undefined;
  transcript: string | undefined;
  config: Ben10Config;
  /** Whether the client waits for the output. */
  isAwaited: boolean;
  /** Deadline for reading transcripts, milliseconds since the epoch. */
  readUntil: number;
  /** New facts from the session's transcript, and whether it was read to its end. */
  read: { added: number; isWhole: boolean };
  /** Transcripts whose rest another process reads. */
  left: { session: string; transcript: string }[];
}

/** What a feature does at hooks. A failure is a line on stderr; the other steps run. */
export interface HookStep {
  on: readonly TurnEvent[];
  /** The message on failure, after `ben10: `. */
  failed: string;
  /** Called before the hook's event is recorded. */
  before?(project: Project, moment: HookMoment): unknown;
  /**
   * @param found what `before` returned
   * @returns lines for the user, if any
   * @throws STATES_BEHIND: the hook ends, and the next one continues
   */
  run(project: Project, moment: HookMoment, found: unknown): string | undefined;
}

/** Characters of a hook's output that are left, and that are used by more important contributions. */
export interface Room {
  left: number;
  used: number;
}

/** A text for the model, and the event that records it, so that nothing is given twice. */
export interface Given {
  text: string;
  told?: NewEvent;
  /** What is in it, counted for the user: `6 rules`. */
  counts?: string[];
}

/** What a feature gives to the model at hooks. */
export interface Injection {
  on: readonly TurnEvent[];
  /** The more important ones get room first. */
  worth: number;
  /** As in `HookStep`. */
  failed: string;
  render(project: Project, moment: HookMoment, room: Room): Given | undefined;
}

/** Background work of the server, one job at a time while it is idle. */
export interface Job {
  /** For the log, and the argument of the job's process. */
  name: string;
  /** Heavy work gets a process with low priority; other jobs run in the worker process. */
  isApart: boolean;
  /** How long the server must be idle, milliseconds. */
  afterMs: number;
  /** How often it runs while the server is idle. */
  everyMs: number;
  /** Does not run after being idle for longer than this. */
  giveUpMs?: number;
  /** Time limit of a run. */
  budgetMs: number;
  isWanted?(config: Ben10Config): boolean;
  /** A cheap fingerprint: the job runs once for each value. */
  stamp?(project: Project): string;
  /** @returns whether something was appended */
  run(project: Project, about: JobAbout): Promise<boolean>;
}

interface JobAbout {
  config: Ben10Config;
  /** How many events wait in the inbox. */
  waiting: number;
  /** Aborted at the time limit. */
  signal: AbortSignal;
}

export interface CheckAbout {
  project: Project;
  env: NodeJS.ProcessEnv;
  home: string;
  /** The real path of the program that is running. */
  program: string;
}

/** A check of `ben10 doctor`. An exception becomes a finding. */
export interface Check {
  /** In a word or two; stable. */
  name: string;
  /** It reads `.ben10`, and is skipped if that is not a folder. */
  isInside: boolean;
  run(about: CheckAbout): Finding[];
}

export interface StatusPart {
  /** One sentence each, with what to do. @param bytesOf the size of a place of stored files */
  warnings(project: Project, bytesOf: (place: string) => number): string[];
}

export type RemovedWhy = 'age' | 'count' | 'size';

export interface Removed {
  /** The kind, as in `snapshot`. */
  what: string;
  id: string;
  why: RemovedWhy;
}

/** Which of a feature's files that cannot be rebuilt are removed automatically; other files are removed first. */
export interface Retention {
  /** What would be removed, with its file below `.ben10` and its size. */
  due(
    project: Project,
    settings: Ben10Config['context'],
    reasons: readonly RemovedWhy[],
  ): (Removed & { file: string; bytes: number })[];
  /** @throws Ben10Error FS_WRITE_ERROR, FS_PERMISSION_DENIED */
  remove(
    project: Project,
    settings: Ben10Config['context'],
    reasons: readonly RemovedWhy[],
  ): { removed: Removed[]; bytes: number };
}
