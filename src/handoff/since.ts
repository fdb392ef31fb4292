import type { PreferenceRetracted } from '../events/types.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { type ContextState, context } from '../projections/folds/context.ts';
import { evidence } from '../projections/folds/evidence.ts';
import type { CheckpointRecord } from '../projections/folds/handoffs.ts';
import { recentSessions } from '../projections/folds/sessions.ts';
import { runKey } from '../projections/outcome/passes.ts';
import { outcomeText } from '../projections/outcome/words.ts';
import { type Clean, cleaner } from '../workspace/clean.ts';
import { SUBJECT_CHARS } from './claims.ts';
import type { Tree } from './tree.ts';

/** Each is folded. */
const SESSIONS_MAX = 5;
const ID_CHARS = 8;
const OUTSIDE = 'outside of the agent';

interface Later {
  session: string;
  state: ContextState;
}

/** What happened after a handoff: other sessions' work, commits, what was taken back. */
export class Since {
  readonly clean: Clean;
  readonly wip: CheckpointRecord['wip'];
  readonly #project: Project;
  readonly #tree: Tree;
  readonly #upto: number;
  readonly #head: string | undefined;
  #later: Later[] | undefined;
  #retracted: ReadonlySet<string> | undefined;

  constructor(
    project: Project,
    tree: Tree,
    { upto, head, wip }: { upto: number; head: string | undefined; wip: CheckpointRecord['wip'] },
  ) {
    this.#project = project;
    this.#tree = tree;
    this.#upto = upto;
    this.#head = head;
    this.wip = wip;
    this.clean = cleaner(project.redact);
  }

  /** Sessions that were active since, the last one first. */
  #sessions(): Later[] {
    const { states } = this.#project;
    this.#later ??= Object.values(states.at(recentSessions, null).state.sessions)
      .filter(({ lastSeq }) => lastSeq > this.#upto)
      .sort((a, b) => b.lastAt - a.lastAt)
      .slice(0, SESSIONS_MAX)
      .map(({ session }) => ({ session, state: states.at(context, session).state }));
    return this.#later;
  }

  /** Who changed a file, as far as that is known. */
  changedBy(name: string): string {
    for (const { session, state } of this.#sessions()) {
      const file = Object.values(state.files.files).find(
        (one) => (one.changedSeq ?? 0) > this.#upto && this.#tree.nameOf(one.path) === name,
      );
      if (file !== undefined) return by(session, file.changedSeq!);
    }
    if (this.#head === undefined) return OUTSIDE;
    const range = [`${this.#head}..HEAD`, '--', `:(top,literal)${name}`];
    const commit = this.#tree.git('log', '-1', '--no-show-signature', '--format=%H', ...range);
    return commit ? `by commit ${commit.slice(0, 12)}` : OUTSIDE;
  }

  /** What became of a todo. */
  todo(subject: string, status: string): string | undefined {
    for (const { session, state } of this.#sessions()) {
      const task = Object.values(state.tasks.tasks).find(
        (one) => one.seq > this.#upto && this.clean(one.subject, SUBJECT_CHARS) === subject,
      );
      if (task !== undefined)
        return task.status === status ? undefined : `${task.status} ${by(session, task.seq)}`;
    }
    return undefined;
  }

  /** How a command ended when it last ran since. */
  run(command: string, how: string): string | undefined {
    const key = runKey(command);
    for (const { session } of this.#sessions()) {
      const { outcomes } = this.#project.states.at(evidence, session).state;
      const last = Object.values(outcomes).findLast(
        ({ seq, about, name }) =>
          seq > this.#upto &&
          (name === 'Bash' ? runKey(about) === key : this.clean(about, SUBJECT_CHARS) === command),
      );
      if (last === undefined) continue;
      const now = outcomeText(last.verdict, last.exitCode);
      return now === how ? undefined : `${now} ${by(session, last.seq)}`;
    }
    return undefined;
  }

  isRetracted(words: string): boolean {
    const { reader, ports } = this.#project;
    const query = { from: this.#upto + 1, types: ['preference.retracted'] };
    this.#retracted ??= new Set(
      Array.from(readEvents(reader, ports.xxh64, query), ({ data }) =>
        this.clean((data as PreferenceRetracted).text ?? '', SUBJECT_CHARS),
      ),
    );
    return this.#retracted.has(words);
  }
}

const by = (session: string, seq: number): string =>
  `by session ${session.slice(0, ID_CHARS)} at @${seq}`;
