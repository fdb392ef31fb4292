import { type Json, text } from '../capture/json.ts';
import { isOrdinaryId } from '../capture/safe-id.ts';
import { type Alert, tell } from '../monitor/look.ts';
import { dueBehind, newestIn } from '../monitor/mid-turn.ts';
import type { Usage } from '../monitor/tail.ts';
import { readView } from '../monitor/view.ts';
import type { ServerContext } from './context.ts';
import type { Worker } from './worker.ts';

const LOOK_EVERY_MS = 500;
/** The agent waits for its hook: what comes later is told by the next one. */
const WAIT_MS = 5;
const SESSIONS_MAX = 32;

interface Watched {
  lookedAt: number;
  usage?: Usage | undefined;
  isAsked?: boolean;
  alert?: Alert | undefined;
}

/** Tells the model of a new level behind the tool call that crossed it. The worker folds what that takes. */
export class MidTurn {
  readonly #context: ServerContext;
  readonly #worker: Worker;
  readonly #sessions = new Map<string, Watched>();

  constructor(context: ServerContext, worker: Worker) {
    this.#context = context;
    this.#worker = worker;
  }

  /** @param args of a recorded hook. @returns what the model is told, if anything. Never throws. */
  async textBehind(args: Json): Promise<string | undefined> {
    // Sub-agents have contexts of their own.
    if (args.hook_event_name !== 'PostToolUse' || text(args.agent_id)) return undefined;
    const { autoSave, autoRestore } = this.#context.settings.config.context;
    const session = text(args.session_id) ?? '';
    const transcript = text(args.transcript_path);
    if (!autoSave || !autoRestore || !isOrdinaryId(session) || !transcript) return undefined;
    try {
      const watched = this.#watched(session);
      if (watched.alert === undefined) {
        const asked = this.#look(watched, session, transcript, text(args.cwd));
        if (asked !== undefined) await Promise.race([asked, late()]);
      }
      return this.#told(watched);
    } catch (error) {
      this.#context.log.debug(`the level was not told: ${(error as Error).message.slice(0, 200)}`);
      return undefined;
    }
  }

  #watched(session: string): Watched {
    const watched = this.#sessions.get(session) ?? { lookedAt: Number.NEGATIVE_INFINITY };
    this.#sessions.set(session, watched);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > SESSIONS_MAX) this.#sessions.delete(oldest!);
    return watched;
  }

  #look(
    watched: Watched,
    session: string,
    transcript: string,
    cwd?: string,
  ): Promise<void> | undefined {
    const now = performance.now();
    if (watched.isAsked || now - watched.lookedAt < LOOK_EVERY_MS) return undefined;
    watched.lookedAt = now;
    const context = this.#context;
    watched.usage = newestIn(transcript, watched.usage?.end) ?? watched.usage;
    const { usage } = watched;
    if (usage === undefined || dueBehind(context.project.root, session, usage) !== 'look')
      return undefined;
    watched.isAsked = true;
    context.group.flush();
    return this.#worker
      .ask({ of: 'level', session, sample: usage, cwd })
      .then((alert) => {
        watched.alert = alert;
      })
      .catch((error: Error) => context.log.debug(`no level: ${error.message.slice(0, 200)}`))
      .finally(() => {
        watched.isAsked = false;
      });
  }

  /** Only who appends the alert first tells it, and never of a context that was compacted meanwhile. */
  #told(watched: Watched): string | undefined {
    const { alert } = watched;
    if (alert === undefined) return undefined;
    watched.alert = undefined;
    const { project } = this.#context;
    if (readView(project.root, alert.session)?.epoch !== alert.epoch) return undefined;
    const told = tell(project, alert, 'PostToolUse');
    if (told !== undefined) this.#context.touched();
    return told;
  }
}

const late = (): Promise<void> => new Promise((over) => setTimeout(over, WAIT_MS).unref());
