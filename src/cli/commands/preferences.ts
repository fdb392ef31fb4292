import { Command, Option } from 'clipanion';
import { Ben10Error } from '../../platform/errors.ts';
import { type KnownPreference, preferences, retract } from '../../timetravel/preferences.ts';
import { shown } from '../../timetravel/text.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal, withWriting } from '../open.ts';
import { plural } from '../ui/format.ts';
import { rows } from '../ui/preferences.ts';

const ACTIONS = 'list, retract';

export class PreferencesCommand extends Ben10Command {
  static override paths = [['preferences']];
  static override exits = { 0: 'listed, or taken back', 1: 'it cannot be noted' };
  static override usage = Command.Usage({
    category: 'Look at what was recorded',
    description: 'List what the user keeps asking for, and retract a preference that was misread.',
    details: `
      list: the user's rules, tools to use or avoid, and corrections, from recent sessions; each with its key (the event that stated
      it first, and a number), how often it was said, and the events that show it.

      retract KEY: it is not listed, given back or restored any more, unless it is said again. The event alone will do where it
      states one thing. Points of the past stay as they were.

      With \`--json\` it is a list of {"key", "kind", "text", "count", "seqs", "at", "sessions"}, of \`retract\` the one.
    `,
    examples: [
      ['What does ben10 take for my rules?', '$0 preferences list'],
      ['That was none', '$0 preferences retract 12.1'],
    ],
  });

  given = Option.Rest({ name: 'list | retract KEY' });
  session = Option.String('--session', {
    description: '<ID> Of list: of this session alone; the start of its id will do.',
  });

  async execute() {
    const [action = 'list', ...args] = this.given;
    if (action === 'list' && args.length === 0) return this.#list();
    if (action === 'retract' && args.length === 1 && this.session === undefined)
      return this.#retract(args[0]!);
    throw new Ben10Error(
      'USAGE',
      `preferences takes ${ACTIONS} KEY, not "${shown(this.given.join(' '), 80)}"`,
      {
        next: 'Run: ben10 preferences --help',
      },
    );
  }

  async #list() {
    return withJournal(this.context, (project) => {
      const known = preferences(project, { session: this.session });
      if (this.json) this.printJson(known);
      else if (known.length === 0) this.note('Nothing was stated so far.');
      else for (const line of rows(known)) this.print(line);
      return EXIT.ok;
    });
  }

  async #retract(key: string) {
    return withWriting(this.context, (project) => {
      const { sessions, ...one }: KnownPreference = retract(project, key);
      if (this.json) this.printJson({ ...one, sessions });
      else
        this.print(`Taken back in ${plural(sessions.length, 'session')}: ${shown(one.text, 400)}`);
      return EXIT.ok;
    });
  }
}
