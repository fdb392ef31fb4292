import type { NewEvent } from '../journal/append/inbox.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { Finding } from '../platform/finding.ts';
import type { Project } from './open.ts';

/** Hooks that come once a turn: they have time for more than their event. */
export type TurnEvent =
  | 'SessionStart'
  | 'UserPromptSubmit'
  | 'Stop'
  | 'StopFailure'
  | 'PreCompact'
  | 'PostCompact'
  | 'SessionEnd';

/** One call of such a hook, as the client told it. */
export interface HookMoment {
  event: string;
  session: string;
  /** How the session started: `startup`, `resume`, `compact`… */
  source: string | undefined;
  /** Who asked for a compaction. */
  trigger: string | undefined;
  cwd: string | undefined;
  transcript: string | undefined;
  config: Ben10Config;
  /** The client waits for what is given back; the end of the turn has more time. */
  isAwaited: boolean;
  /** When reading transcripts has to end, milliseconds since the epoch. */
  readUntil: number;
  /** How many facts the session's transcript brought, and whether it was read to its end. */
  read: { added: number; isWhole: boolean };
}

/** What a feature does at hooks. One that fails is a line on stderr; the others run. */
export interface HookStep {
  on: readonly TurnEvent[];
  /** What came of it when it fails, as it stands behind `ben10: `. */
  failed: string;
  /** Asked before the hook's event is recorded, which may hide the answer. */
  before?(project: Project, moment: HookMoment): unknown;
  /**
   * @param found what `before` returned
   * @returns lines for the user, if any
   * @throws STATES_BEHIND: the hook ends, and the next one goes on
   */
  run(project: Project, moment: HookMoment, found: unknown): string | undefined;
}

/** How much of a hook's output is left, and how much is used by what is worth more, characters. */
export interface Room {
  left: number;
  used: number;
}

/** What is given to the model, and the event that says so: it keeps anything from being said twice. */
export interface Given {
  text: string;
  told?: NewEvent;
}

/** What a feature gives to the model at hooks. */
export interface Injection {
  on: readonly TurnEvent[];
  /** Those that are worth more take their room first. */
  worth: number;
  /** As in `HookStep`. */
  failed: string;
  render(project: Project, moment: HookMoment, room: Room): Given | undefined;
}

/** What the server does of a feature while nobody asks it anything: one job at a time. */
export interface Job {
  /** In the log, and as an argument of the process that does it. */
  name: string;
  /** Heavy work has a process of its own at the lowest priority; the rest is done where the journal is read. */
  isApart: boolean;
  /** When nobody has asked anything for so long, milliseconds. */
  afterMs: number;
  /** How often it is done again while nobody asks. */
  everyMs: number;
  /** After so long without a question the agent is gone. */
  giveUpMs?: number;
  /** It is stopped after so long. */
  budgetMs: number;
  isWanted?(config: Ben10Config): boolean;
  /** A cheap look at what there is to do: the job is done once for each text. */
  stamp?(project: Project): string;
  /** @returns whether something was appended */
  run(project: Project, about: JobAbout): Promise<boolean>;
}

export interface JobAbout {
  config: Ben10Config;
  /** How many events wait in the inbox: what they tell is not known yet. */
  waiting: number;
  /** Aborted when the budget is used up. */
  signal: AbortSignal;
}

export interface CheckAbout {
  project: Project;
  env: NodeJS.ProcessEnv;
  home: string;
  /** The real path of the program that is running. */
  program: string;
}

/** What `ben10 doctor` looks at. One that fails itself is a finding, too. */
export interface Check {
  /** In a word or two; stable. */
  name: string;
  /** It looks into `.ben10`: skipped where that is no real folder. */
  isInside: boolean;
  run(about: CheckAbout): Finding[];
}

/** What `ben10 status` says of a feature. */
export interface StatusPart {
  /** What a person should know, one sentence each with what to do. @param bytesOf what a place of stored files takes */
  warnings(project: Project, bytesOf: (place: string) => number): string[];
}

export type RemovedWhy = 'age' | 'count' | 'size';

/** One thing that retention removes. */
export interface Removed {
  /** As it is counted: `snapshot`. */
  what: string;
  id: string;
  why: RemovedWhy;
}

/** What of a feature's pinned files goes by itself. What can be rebuilt goes before anything goes for its size. */
export interface Retention {
  /** What would go, with its file below `.ben10` and what that takes. */
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
