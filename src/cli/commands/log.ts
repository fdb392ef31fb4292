import { Command, Option } from 'clipanion';
import { followLog } from '../../log/follow.ts';
import { inOrder, type ListQuery } from '../../log/in-order.ts';
import type { LogLine } from '../../log/joined.ts';
import type { LogEvent } from '../../log/query.ts';
import { EVENT_TYPES, expandTypes, parseTime } from '../../log/typed.ts';
import { Unread, type Unreadable, unreadableIn } from '../../log/unreadable.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { rangeQuery } from '../range.ts';
import { wholeNumber } from '../ui/arguments.ts';
import { eventJson } from '../ui/event-json.ts';
import { eventLine } from '../ui/event-line.ts';
import { count } from '../ui/format.ts';
import { LineWriter } from '../ui/output.ts';
import { unreadableLine } from '../ui/unreadable.ts';

/** About a screen. */
const LIMIT_DEFAULT = 40;

export class LogCommand extends Ben10Command {
  static override paths = [['log']];
  static override words = ['points'] as const;
  static override choices = { TYPE: EVENT_TYPES };
  static override usage = Command.Usage({
    category: 'Look',
    description: 'List what happened, oldest first.',
    details: `
      Shows the newest ${LIMIT_DEFAULT} events in the order in which they happened, whenever ben10 learned of them: prompts, answers,
      calls, compactions, saves, restores, erasures, damage, starts and ends of sessions. A call and its outcome are one line;
      an end of a turn that repeats the answer is left out. ben10's own notes (readings of transcripts, additions to known
      events, tokens, thoughts) are listed with \`--all\`, and by \`--type\` if asked for; the last line says how many there are
      among those shown. \`--follow\` continues with new events as they arrive.

      A range is FROM..TO; either point may be left out: \`@prompt:-1..\` is everything since the last prompt. A single
      point means everything up to it, and a day, a week or a month alone what happened in it. For points, see
      \`ben10 replay --help\`.

      With \`--json\` every event is listed, as with \`--all --limit 0\`, and each line is one: seq, id, at (milliseconds since 1970), type, version, session, agent, client,
      source, data. An event that waits in the inbox has seq null and \`"waiting": true\`. If events could not be read, one
      more line says so (the last one, with \`--follow\` the first): {"unreadable": {"events", "segments", "before",
      "atEnd"}}; unknown numbers are null.
    `,
    examples: [
      ['The newest events', '$0 log'],
      ["With ben10's own notes", '$0 log --all'],
      [
        'All failed tool calls of the last two days',
        '$0 log --type tool.failed --since 2d --limit 0',
      ],
      ['What happened yesterday', '$0 log yesterday'],
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
    description: '<TIME> Only events since a time: 2h, 3d, yesterday, monday, 2026-11-21T10:00.',
  });
  until = Option.String('--until', {
    description: '<TIME> Only events up to a time, or to the end of a day.',
  });
  limit = Option.String('--limit', {
    description: `<N> Only the newest N; 0 is all. Default: ${LIMIT_DEFAULT}, with --json all.`,
  });
  all = Option.Boolean('--all,-a', false, { description: "List ben10's own notes, too." });
  follow = Option.Boolean('--follow,-f', false, {
    description: 'Continue with new events until Ctrl-C.',
  });

  async execute() {
    const { types, since, until } = this;
    const now = this.context.now();
    const limit = this.#limit();
    return withJournal(this.context, async (project) => {
      const unread = new Unread();
      const { said, ...range } = this.#range(project);
      if (said !== undefined && !this.json) this.note(this.colours.dim(said));
      const query: ListQuery = {
        isAll: this.all || this.json,
        isJoined: !this.json && !this.follow,
        unread,
        ...range,
        ...(types.length > 0 && { types: expandTypes(types) }),
        ...(since !== undefined && { since: parseTime(since, now, 'from') }),
        ...(until !== undefined && { until: parseTime(until, now, 'to') }),
        ...(limit !== undefined && { limit }),
      };
      if (this.follow) {
        this.#sayUnreadable(unreadableIn(project));
        const events = followLog(project, query, this.context.interruption());
        await this.#write(linesOf(events));
        return EXIT.ok;
      }
      const { lines, quiet, isCut } = inOrder(project, query);
      const { dim } = this.colours;
      // To who said how many there is nothing to say.
      if (isCut && this.limit === undefined)
        this.note(dim('… earlier events are not shown; to see all: --limit 0'));
      const isEmpty = await this.#write(lines);
      if (quiet > 0) this.note(dim(`${count(quiet)} more with --all`));
      const unreadable = unread.of(project, query.to);
      this.#sayUnreadable(unreadable);
      if (isEmpty && quiet === 0 && unreadable === null && !this.json) this.note(this.#nothing());
      return EXIT.ok;
    });
  }

  #sayUnreadable(unreadable: Unreadable | null): void {
    if (unreadable === null) return;
    if (this.json) this.printJson({ unreadable });
    else this.note(unreadableLine(unreadable));
  }

  /** Who gives words here wants to search. */
  #range(project: Project) {
    try {
      return rangeQuery(project, this.range, this.session);
    } catch (error) {
      if (!(error instanceof Ben10Error) || error.code !== 'POINT_INVALID') throw error;
      const next = `To look for words: ben10 search ${oneLine(this.range!).slice(0, 80)}`;
      throw new Ben10Error(error.code, error.message, { next: `${next}. ${error.next}` });
    }
  }

  /** Undefined for all. */
  #limit(): number | undefined {
    if (this.limit === undefined) return this.json ? undefined : LIMIT_DEFAULT;
    return wholeNumber('--limit', this.limit, 0) || undefined;
  }

  /** Returns whether there were no events. */
  async #write(lines: Iterable<LogLine> | AsyncIterable<LogLine>): Promise<boolean> {
    const writer = new LineWriter(this.context.stdout);
    const layout = { width: this.width, now: this.context.now(), colours: this.colours };
    let isEmpty = true;
    for await (const line of lines) {
      isEmpty = false;
      await writer.line(this.json ? eventJson(line.event) : eventLine(line, layout));
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

async function* linesOf(
  events: Iterable<LogEvent> | AsyncIterable<LogEvent>,
): AsyncGenerator<LogLine> {
  for await (const event of events) yield { event };
}
