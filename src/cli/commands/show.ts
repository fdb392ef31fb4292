import { Command, Option } from 'clipanion';
import { aboutType } from '../../events/catalogue.ts';
import { withBlobs } from '../../log/blobs.ts';
import { findEvent } from '../../log/find.ts';
import { outcomeOf } from '../../log/joined.ts';
import type { LogEvent } from '../../log/query.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { dataLines } from '../ui/data.ts';
import { eventFields } from '../ui/event-json.ts';
import { facts } from '../ui/facts.ts';
import { dateTime } from '../ui/format.ts';

export class ShowCommand extends Ben10Command {
  static override paths = [['show']];
  static override exits = { 0: 'printed', 1: 'the event does not exist' };
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Show one event with all its data, or a call and its outcome.',
    details: `
      Give its number, as \`ben10 log\` shows it, or the start of its id. Long texts are cut; \`--full\` shows them completely.
      With \`--json\`, what came of a call is in "outcome".
    `,
    examples: [
      ['By its number', '$0 show 1234'],
      ['With the complete output of a tool', '$0 show 1234 --full'],
      ['By its id', '$0 show 5f3a9c'],
    ],
  });

  event = Option.String({ name: 'event' });
  full = Option.Boolean('--full', false, { description: 'Show long texts completely.' });

  async execute() {
    return withJournal(this.context, (project) => {
      const found = findEvent(project, this.event);
      const outcome = outcomeOf(project, found);
      const [shown, after] = [found, outcome].map(
        (event) =>
          event && (this.full ? { ...event, data: withBlobs(project, event.data) } : event),
      );
      if (this.json) {
        const fields = eventFields(shown!);
        this.printJson(after === undefined ? fields : { ...fields, outcome: eventFields(after) });
      } else {
        this.print(...this.#lines(shown!));
        if (after !== undefined) this.print('', ...this.#lines(after));
      }
      return EXIT.ok;
    });
  }

  #lines(event: LogEvent): string[] {
    const { seq, id, type, version, session, agent, client, source, at } = event;
    const { bold, dim } = this.colours;
    const about = aboutType(type);
    const where = event.waiting === true ? 'in the inbox' : `@${seq}`;
    const rows: [string, string | null][] = [
      ['time', dateTime(at)],
      ['session', session],
      ['agent', agent],
      ['source', [source, client].filter(Boolean).join(', ')],
      ['version', String(version)],
      ['id', id],
    ];
    const known = rows.flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, oneLine(value)]],
    );
    return [
      `${bold(`${where} ${oneLine(type)}`)}  ${dim(about)}`,
      ...facts(known),
      '',
      ...dataLines(event.data, this.colours, this.full),
    ];
  }
}
