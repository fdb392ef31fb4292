import { Command, Option } from 'clipanion';
import { followLog } from '../../log/follow.ts';
import { type LogEvent, type LogQuery, queryLog } from '../../log/query.ts';
import { expandTypes, parseTime } from '../../log/typed.ts';
import { Unread, type Unreadable, unreadableIn } from '../../log/unreadable.ts';
import type { Project } from '../../project/open.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { rangeQuery } from '../range.ts';
import { wholeNumber } from '../ui/arguments.ts';
import { eventJson } from '../ui/event-json.ts';
import { eventLine } from '../ui/event-line.ts';
import { LineWriter } from '../ui/output.ts';
import { unreadableLine } from '../ui/unreadable.ts';

/** About a screen. */
const LIMIT_DEFAULT = 40;

export class LogCommand extends Ben10Command {
  static override paths = [['log']];
  static override usage = Command.Usage({
    category: 'See what was recorded',
    description: 'List recorded events, oldest first.',
    details: `
      Shows the newest ${LIMIT_DEFAULT} matching events, or all of them with \`--json\`.

      A range is FROM..TO; either point may be left out: \`@prompt:-1..\` is everything since the last prompt. A single
      point means everything up to it. Points are @1234 (an event's number), @-10, @head, @2026-11-21T10:00, @prompt:-2,
      @compaction:-1 (just before it), @session:ID, @session:ID:end, @checkpoint:-1, @save:NAME, @snapshot:ID.

      With \`--json\` each line is an event: seq, id, at (milliseconds since 1970), type, version, session, agent, client,
      source, data. An event that waits in the inbox has seq null and \`"waiting": true\`. If events could not be read, one
      more line says so (the last one, with \`--follow\` the first): {"unreadable": {"events", "segments", "before",
      "atEnd"}}; unknown numbers are null.
    `,
    examples: [
      ['The newest events', '$0 log'],
      [
        'All failed tool calls of the last two days',
        '$0 log --type tool.failed --since 2d --limit 0',
      ],
      ['Everything since the last prompt', '$0 log @prompt:-1..'],
      ['Follow a session', '$0 log --follow'],
      [
        'All shell commands',
        `$0 log --type tool.called --json | jq -r 'select(.data.name=="Bash").data.input.command'`,
      ],
    ],
  });

  range = Option.String({ required: false, name: 'range' });
  types = Option.Array('--type', [], {
    description: '<TYPE> Only events of this type (tool.failed) or family (tool). May be repeated.',
  });
  session = Option.String('--session', {
    description: '<ID> Only events of this session; the start of its id is enough.',
  });
  since = Option.String('--since', {
    description: '<TIME> Only events since an age (15m, 2h, 3d) or a date (2026-11-21T10:00).',
  });
  until = Option.String('--until', { description: '<TIME> Only events up to an age or a date.' });
  limit = Option.String('--limit', {
    description: `<N> Only the newest N; 0 is all. Default: ${LIMIT_DEFAULT}, with --json all.`,
  });
  follow = Option.Boolean('--follow,-f', false, {
    description: 'Continue with new events until Ctrl-C.',
  });

  async execute() {
    const { types, since, until } = this;
    const now = this.context.now();
    const limit = this.#limit();
    return withJournal(this.context, async (project) => {
      const unread = new Unread();
      const query: LogQuery = {
        unread,
        ...rangeQuery(project, this.range, this.session),
        ...(types.length > 0 && { types: expandTypes(types) }),
        ...(since !== undefined && { since: parseTime(since, now) }),
        ...(until !== undefined && { until: parseTime(until, now) }),
        ...(limit !== undefined && { limit }),
      };
      if (this.follow) {
        this.#sayUnreadable(unreadableIn(project));
        await this.#write(this.#following(project, query));
        return EXIT.ok;
      }
      const isEmpty = await this.#write(this.#newest(project, query));
      const unreadable = unread.of(project, query.to);
      this.#sayUnreadable(unreadable);
      if (isEmpty && unreadable === null && !this.json) this.note(this.#nothing());
      return EXIT.ok;
    });
  }

  #sayUnreadable(unreadable: Unreadable | null): void {
    if (unreadable === null) return;
    if (this.json) this.printJson({ unreadable });
    else this.note(unreadableLine(unreadable));
  }

  /** Undefined for all. */
  #limit(): number | undefined {
    if (this.limit === undefined) return this.json ? undefined : LIMIT_DEFAULT;
    return wholeNumber('--limit', this.limit, 0) || undefined;
  }

  #following(project: Project, query: LogQuery): AsyncIterable<LogEvent> {
    return followLog(project, query, this.context.interruption());
  }

  /** Without --limit, a note says if there are more. */
  #newest(project: Project, query: LogQuery): Iterable<LogEvent> {
    if (this.limit !== undefined || query.limit === undefined) return queryLog(project, query);
    const events = [...queryLog(project, { ...query, limit: query.limit + 1 })];
    if (events.length <= query.limit) return events;
    this.note(this.colours.dim('… earlier events are not shown; to see all: --limit 0'));
    return events.slice(1);
  }

  /** Returns whether there were no events. */
  async #write(events: Iterable<LogEvent> | AsyncIterable<LogEvent>): Promise<boolean> {
    const writer = new LineWriter(this.context.stdout);
    const layout = { width: this.width, now: this.context.now(), colours: this.colours };
    let isEmpty = true;
    for await (const event of events) {
      isEmpty = false;
      await writer.line(this.json ? eventJson(event) : eventLine(event, layout));
      if (this.follow) await writer.flush();
    }
    await writer.flush();
    return isEmpty;
  }

  #nothing(): string {
    const { range, types, session, since, until } = this;
    const isAsked =
      types.length > 0 || [range, session, since, until].some((one) => one !== undefined);
    return isAsked
      ? 'no event matches; to see all: ben10 log --limit 0'
      : 'nothing was recorded here yet; see: ben10 status';
  }
}
