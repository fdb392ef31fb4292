import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'clipanion';
import type { ContextSampled } from '../../events/types.ts';
import { queryLog } from '../../log/query.ts';
import { readView } from '../../monitor/view.ts';
import { windowOf } from '../../monitor/window.ts';
import type { Project } from '../../project/open.ts';
import { contextUse } from '../../projections/folds/context-use.ts';
import { findSession, sessionsAt } from '../../timetravel/sessions.ts';
import { Ben10Command, EXIT, type Exit, SESSION } from '../command.ts';
import { withJournal } from '../open.ts';
import { type ContextNow, contextLines } from '../ui/monitor.ts';
import { viewNow } from './view-now.ts';

const WATCH_MS = 2000;

export class MonitorStatusCommand extends Ben10Command {
  static override paths = [['monitor', 'status']];
  static override exits = { 0: 'shown', 1: 'nothing is known of that session, or of any' };
  static override usage = Command.Usage({
    description: 'How full the context of a session is.',
    details: `
      As the client or its transcript said it last. \`--watch\` prints it again whenever it changes, until Ctrl-C.

      With \`--json\`: {"session", "at", "percent", "tokens", "window", "windowFrom", "via", "model", "costUsd", "limits", "view"}, a line each with
      \`--watch\`; what is not known is null.
    `,
    examples: [
      ['How full is it?', '$0 monitor status'],
      ['In percent, for a program', '$0 monitor status --json | jq .percent'],
    ],
  });

  session = Option.String('--session', SESSION);
  watch = Option.Boolean('--watch', false, { description: 'Print it again when it changes.' });

  async execute(): Promise<Exit> {
    let said = this.#show(await this.#now(), '');
    const stop = this.watch ? this.context.interruption() : AbortSignal.abort();
    while (!stop.aborted) {
      await sleep(WATCH_MS, undefined, { signal: stop }).catch(() => undefined);
      if (!stop.aborted) said = this.#show(await this.#now(), said);
    }
    return said === '' ? EXIT.notSo : EXIT.ok;
  }

  #now(): Promise<ContextNow | undefined> {
    return withJournal(this.context, (project) => {
      const session = this.session
        ? findSession(project, this.session)
        : sessionsAt(project)[0]?.session;
      const types = ['context.sampled'];
      const [newest] = queryLog(project, { types, limit: 1, ...(session && { session }) });
      if (newest === undefined)
        return session === undefined ? undefined : this.#imported(project, session);
      const {
        tokens = null,
        model = null,
        costUsd = null,
        limits = null,
        ...sample
      } = newest.data as ContextSampled;
      const { session: of, at } = newest;
      const view = (of && readView(project.root, of)) || null;
      return { session: of, at, ...sample, tokens, model, costUsd, limits, view };
    });
  }

  /** No status line said anything: as its transcript did. */
  #imported(project: Project, session: string): ContextNow | undefined {
    const view = viewNow(project, session, this.context);
    const { percent, window, tokens } = view;
    const { model } = project.states.at(contextUse, session).state;
    const [{ lastAt: at } = { lastAt: null }] = sessionsAt(project).filter(
      (one) => one.session === session,
    );
    const said = { windowFrom: windowOf(model ?? undefined).from, via: 'transcript' } as const;
    if (percent === null) return undefined;
    return {
      session,
      at,
      percent,
      window,
      tokens,
      ...said,
      model,
      costUsd: null,
      limits: null,
      view,
    };
  }

  /** @returns what stands there now */
  #show(now: ContextNow | undefined, before: string): string {
    const said = now === undefined ? '' : JSON.stringify(now);
    if (said === before && before !== '') return said;
    if (now !== undefined) this.answer(now, () => contextLines(now, this.context.now()));
    else if (this.json) this.printJson(null);
    else this.note('Nothing is known yet: the status line or the next turn will say it.');
    return said;
  }
}
