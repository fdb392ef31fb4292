import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'clipanion';
import { Ben10Command, EXIT, type Exit, SESSION } from '../command.ts';
import { withJournal } from '../open.ts';
import { contextLines } from '../ui/monitor.ts';
import { type ContextNow, contextNow } from './view-now.ts';

const WATCH_MS = 2000;

export class MonitorStatusCommand extends Ben10Command {
  static override paths = [['monitor', 'status']];
  static override exits = { 0: 'shown', 1: 'nothing is known of that session, or of any' };
  static override usage = Command.Usage({
    description: 'How full the context of a session is.',
    details: `
      As the client or its transcript said it last. \`--watch\` prints it again whenever it changes, until Ctrl-C.

      With \`--json\`: {"session", "at", "percent", "tokens", "window", "windowFrom", "via", "model", "costUsd", "limits", "view", "moment"}, a line each with
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
    const stop = this.watch ? this.context.interruption() : AbortSignal.abort();
    for (let said: string | undefined; ; ) {
      const now = await withJournal(this.context, (project) =>
        contextNow(project, this.session, this.context),
      );
      const text = JSON.stringify(now);
      // Where nothing is known, that is said each time.
      if (now === undefined || text !== said) this.#show(now);
      said = text;
      await sleep(WATCH_MS, undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) return now === undefined ? EXIT.notSo : EXIT.ok;
    }
  }

  #show(now: ContextNow | undefined): void {
    const none = 'Nothing is known yet: the status line or the next turn will say it.';
    this.answerIf(now !== undefined, now ?? null, none, () =>
      contextLines(now!, this.context.now()),
    );
  }
}
