import { Command, Option } from 'clipanion';
import { Ben10Error } from '../../platform/errors.ts';
import { type KnownPreference, preferences, retract } from '../../timetravel/preferences.ts';
import { columns, shown } from '../../timetravel/text.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal, withWriting } from '../open.ts';
import { plural } from '../ui/format.ts';

export class PreferencesCommand extends Ben10Command {
  static override paths = [['preferences']];
  static override exits = { 0: 'listed, or retracted', 1: 'the write failed' };
  static override words = [['list', 'retract']];
  static override usage = Command.Usage({
    category: 'Memory',
    description: 'List the user’s preferences as recognised, or retract one.',
    details: `
      - list: rules, tools to use or avoid, and corrections from recent sessions, each with its key (the event that stated
        it first, and a number), how often it was stated, and the events that show it
      - retract KEY: it is no longer listed, given back or restored, unless it is stated again. If the event states only one
        preference, its number is enough. Points of the past do not change.

      With \`--json\`: a list of {"key", "kind", "text", "count", "seqs", "at", "sessions"}; for \`retract\` that one.
    `,
    examples: [
      ['List all', '$0 preferences list'],
      ['Retract one', '$0 preferences retract 12.1'],
    ],
  });

  given = Option.Rest({ name: 'list | retract KEY' });
  session = Option.String('--session', {
    description: '<ID> For list: only this session; the start of its id is enough.',
  });

  async execute() {
    const [action = 'list', ...args] = this.given;
    if (action === 'list' && args.length === 0) return this.#list();
    if (action === 'retract' && args.length === 1 && this.session === undefined)
      return this.#retract(args[0]!);
    throw new Ben10Error(
      'USAGE',
      `preferences takes "list" or "retract KEY", not "${shown(this.given.join(' '), 80)}"`,
      { next: 'See: ben10 preferences --help' },
    );
  }

  async #list() {
    return withJournal(this.context, (project) => {
      const known = preferences(project, { session: this.session });
      if (this.json) this.printJson(known);
      else if (known.length === 0) this.note('No preference was recognised so far.');
      else this.print(...rows(known));
      return EXIT.ok;
    });
  }

  async #retract(key: string) {
    return withWriting(this.context, (project) => {
      const one = retract(project, key);
      const where = plural(one.sessions.length, 'session');
      return this.answer(one, () => [`Retracted in ${where}: ${shown(one.text, 400)}`]);
    });
  }
}

/** One line each: `12.1  rule  2 times  Never use globals.  @12 @40` */
const rows = (known: readonly KnownPreference[]): string[] =>
  columns(
    known.map(({ key, kind, count, text, seqs }) => [
      key,
      kind,
      count === 1 ? 'once' : `${count} times`,
      `${shown(text, 400)}  ${seqs.map((seq) => `@${seq}`).join(' ')}`,
    ]),
  );
