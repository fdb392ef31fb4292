import { Command, Option } from 'clipanion';
import { unreadableIn } from '../../log/unreadable.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { renderAccount } from '../../timetravel/account.ts';
import { isEmpty, lostData, lostTo } from '../../timetravel/lost-states.ts';
import { eventsUpto, PROJECTIONS, replayAt, shownReplay } from '../../timetravel/replay.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { oneOf } from '../ui/arguments.ts';
import { eventJson } from '../ui/event-json.ts';
import { eventLine } from '../ui/event-line.ts';
import { LineWriter } from '../ui/output.ts';
import { unreadableLine } from '../ui/unreadable.ts';

export class ReplayCommand extends Ben10Command {
  static override paths = [['replay']];
  static override exits = { 0: 'replayed', 1: 'there is no such point or session' };
  static override usage = Command.Usage({
    category: 'Look at what was recorded',
    description: 'Show what the agent knew, did and had open at a point of the past.',
    details: `
      Without a point it is now. Points are @1234 (an event's number), @-10 (ten events ago), @head,
      @2026-11-21T10:00, @prompt:-2 (just before the last prompt but one), @compaction:-1 (just before the last
      compaction), @session:ID (before the session began), @session:ID:end, @checkpoint:-1, @save:NAME, @snapshot:ID. The @
      may be left out, but not before a minus.

      What is shown is worked out from the journal alone, each time anew. With \`--json\` it is
      {"point": {"seq", "at"}, "projection", "version", "session", "state", "unreadable", "lost"}. "unreadable" is null, or says
      that events of the journal could not be read: {"events", "segments", "before"}; a number that is not known is null. With
      \`--events\` it is then a last line of its own. "lost" is null, or says that the state may lack what was dropped for its
      age: {"code", "message", "next"}.

      Projections: ${Object.keys(PROJECTIONS).join(', ')}.
    `,
    examples: [
      ['What did the agent know before its last compaction?', '$0 replay @compaction:-1'],
      ['Which files had it changed ten events ago?', '$0 replay @-10 --projection files'],
      ['What had led up to there?', '$0 replay @compaction:-1 --events'],
    ],
  });

  point = Option.String({ required: false, name: 'point' });
  projection = Option.String('--projection', {
    description: '<NAME> What to show: context (all of it) or a part.',
  });
  session = Option.String('--session', {
    description:
      '<ID> Of this session; the start of its id will do. By default the last active one.',
  });
  events = Option.Boolean('--events', false, {
    description: 'List the events up to the point instead.',
  });

  async execute() {
    const names = Object.keys(PROJECTIONS);
    const projection = oneOf('--projection', this.projection ?? 'context', names);
    if (this.events && this.projection !== undefined) {
      throw new Ben10Error('USAGE', '--events lists what happened, and has no --projection', {
        next: 'Give one of the two.',
      });
    }
    return withJournal(this.context, async (project) => {
      // Of the whole journal: points are found by what can be read.
      const unreadable = unreadableIn(project);
      if (unreadable !== null && !this.json) this.note(unreadableLine(unreadable));
      const given = this.session === undefined ? {} : { session: this.session };
      const point = resolvePoint(project, this.point, given);
      if (this.events) {
        await this.#list(eventsUpto(project, point));
        if (unreadable !== null && this.json) this.printJson({ unreadable });
      } else {
        const replayed = replayAt(project, point, projection);
        const lost = lostTo(project, replayed);
        if (lost !== undefined && !this.json)
          this.note(`${lost.code}: ${lost.message}. ${lost.next}`);
        const told = { unreadable, lost: lost === undefined ? null : lostData(lost) };
        if (this.json) this.printJson({ ...shownReplay(replayed), ...told });
        // Before anything that could be read nobody knows what had happened.
        else if (
          (unreadable === null || point.seq > 0) &&
          (lost === undefined || !isEmpty(replayed))
        )
          this.print(renderAccount(replayed).trimEnd());
      }
      return EXIT.ok;
    });
  }

  async #list(events: ReturnType<typeof eventsUpto>): Promise<void> {
    const writer = new LineWriter(this.context.stdout);
    const layout = { width: this.width, now: this.context.now(), colours: this.colours };
    for (const event of events) {
      await writer.line(this.json ? eventJson(event) : eventLine(event, layout));
    }
    await writer.flush();
  }
}
