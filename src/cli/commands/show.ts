import { Command, Option } from 'clipanion';
import { aboutType } from '../../events/catalogue.ts';
import { withBlobs } from '../../log/blobs.ts';
import { findEvent } from '../../log/find.ts';
import type { LogEvent } from '../../log/query.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { dataLines } from '../ui/data.ts';
import { eventJson } from '../ui/event-json.ts';
import { facts } from '../ui/facts.ts';
import { dateTime } from '../ui/format.ts';

export class ShowCommand extends Ben10Command {
  static override paths = [['show']];
  static override exits = { 0: 'shown', 1: 'there is no such event' };
  static override usage = Command.Usage({
    category: 'Look at what was recorded',
    description: 'Show one event whole.',
    details: `
      The event is named by its number, as \`ben10 log\` shows it, or by its id or the first digits of that. Texts over
      64 KiB are kept beside the journal, and long ones are cut for the screen; \`--full\` shows them all.
    `,
    examples: [
      ['An event of the log', '$0 show 1234'],
      ['With everything that the tool answered', '$0 show 1234 --full'],
      ['By its id', '$0 show 5f3a9c'],
    ],
  });

  event = Option.String({ name: 'event' });
  full = Option.Boolean('--full', false, { description: 'Show long texts to their end.' });

  async execute() {
    return withJournal(this.context, (project) => {
      const found = findEvent(project, this.event);
      const data = this.full ? withBlobs(project, found.data) : found.data;
      if (this.json) this.print(eventJson({ ...found, version: found.version, data }));
      else this.print(...this.#lines(found), '', ...dataLines(data, this.colours, this.full));
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
      ['told by', [source, client].filter(Boolean).join(', ')],
      ['version', String(version)],
      ['id', id],
    ];
    const known = rows.flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, oneLine(value)]],
    );
    return [`${bold(`${where} ${oneLine(type)}`)}  ${dim(about)}`, ...facts(known)];
  }
}
