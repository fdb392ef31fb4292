import { Command, Option } from 'clipanion';
import { unreadableIn } from '../../log/unreadable.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { renderAccount } from '../../timetravel/account.ts';
import { isEmpty, lostData, lostTo } from '../../timetravel/lost-states.ts';
import {
  eventsUpto,
  PROJECTIONS,
  replayAt,
  shownReplay,
  withoutExcludedFiles,
} from '../../timetravel/replay.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { Ben10Command, EXIT, SESSION } from '../command.ts';
import { withJournal } from '../open.ts';
import { oneOf } from '../ui/arguments.ts';
import { eventJson } from '../ui/event-json.ts';
import { eventLine } from '../ui/event-line.ts';
import { LineWriter } from '../ui/output.ts';
import { unreadableLine } from '../ui/unreadable.ts';

export class ReplayCommand extends Ben10Command {
  static override paths = [['replay']];
  static override exits = { 0: 'printed', 1: 'the point or session does not exist' };
  static override words = ['points'] as const;
  static override choices = { NAME: Object.keys(PROJECTIONS) };
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'To look only: what the agent knew, did and had open at a point.',
    details: `
      The default is now. Points are @1234 (an event's number), @-10 (ten events ago), @head, times (2h, 30m, 3d; yesterday,
      today, monday, "last week", "this month"; @2026-11-21, @2026-11-21T10:00; local, at the end of a day or week), @prompt:-2
      (just before the second last prompt), @compaction:-1 (just before the last compaction), @session:ID (before the
      session began), @session:ID:end, @checkpoint:-1, @save:NAME, @snapshot:ID. The @ may be left out, but not before a
      minus.

      The state is computed from the journal. With \`--json\`: {"point": {"seq", "at"}, "projection", "version", "session",
      "state", "unreadable", "lost"}. "unreadable" is null, or describes events that could not be read: {"events",
      "segments", "before"}, where unknown numbers are null; with \`--events\` it is a line at the end. "lost" is null, or
      says that the state may lack events that were dropped for their age: {"code", "message", "next"}.

      Projections: ${Object.keys(PROJECTIONS).join(', ')}.
    `,
    examples: [
      ['What did the agent know before its last compaction?', '$0 replay @compaction:-1'],
      ['Which files had it changed ten events ago?', '$0 replay @-10 --projection files'],
      ['Which events led there?', '$0 replay @compaction:-1 --events'],
    ],
  });

  point = Option.String({ required: false, name: 'point' });
  projection = Option.String('--projection', {
    description: '<NAME> What to show; by default context, which is everything.',
  });
  session = Option.String('--session', SESSION);
  events = Option.Boolean('--events', false, {
    description: 'List the events up to the point instead.',
  });

  async execute() {
    const names = Object.keys(PROJECTIONS);
    const projection = oneOf('--projection', this.projection ?? 'context', names);
    if (this.events && this.projection !== undefined) {
      throw new Ben10Error('USAGE', '--events and --projection exclude each other', {
        next: 'Give one of the two.',
      });
    }
    return withJournal(this.context, async (project) => {
      // In the whole journal, because unreadable events may also change what a point means.
      const unreadable = unreadableIn(project);
      if (unreadable !== null && !this.json) this.note(unreadableLine(unreadable));
      const point = resolvePoint(project, this.point, { session: this.session });
      if (this.events) {
        await this.#list(eventsUpto(project, point));
        if (unreadable !== null && this.json) this.printJson({ unreadable });
      } else {
        const replayed = replayAt(project, point, projection);
        const lost = lostTo(project, replayed);
        if (lost !== undefined && !this.json)
          this.note(`${lost.code}: ${lost.message}. ${lost.next}`);
        const gaps = { unreadable, lost: lost === undefined ? null : lostData(lost) };
        if (this.json) this.printJson({ ...shownReplay(project, replayed), ...gaps });
        // An empty state says nothing if events before it are unreadable or lost.
        else if (
          (unreadable === null || point.seq > 0) &&
          (lost === undefined || !isEmpty(replayed))
        )
          this.print(renderAccount(withoutExcludedFiles(replayed, project.excludedBy)).trimEnd());
      }
      return EXIT.ok;
    });
  }

  async #list(events: ReturnType<typeof eventsUpto>): Promise<void> {
    const writer = new LineWriter(this.context.stdout);
    const layout = { width: this.width, now: this.context.now(), colours: this.colours };
    for (const event of events) {
      await writer.line(this.json ? eventJson(event) : eventLine({ event }, layout));
    }
    await writer.flush();
  }
}
