import { Command, Option } from 'clipanion';
import { type Fate, lostAccount } from '../../recall/lost.ts';
import { fateLine, lostHead } from '../../recall/lost-text.ts';
import {
  compactionNumber,
  type FoundCompaction,
  findCompaction,
} from '../../timetravel/compactions.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { wholeNumber } from '../ui/arguments.ts';
import { dateTime, plural } from '../ui/format.ts';

const SHOWN_DEFAULT = 40;

export class LostCommand extends Ben10Command {
  static override paths = [['lost']];
  static override exits = {
    0: 'printed, also when nothing was lost',
    1: 'there is no such compaction or session',
  };
  static override usage = Command.Usage({
    category: 'Look at what was recorded',
    description: 'Show what a compaction kept, what it dropped, and what of that ben10 gave back.',
    details: `
      Compares what the journal held before a compaction with the summary that took its place, item by item, the most
      valuable first. By words alone: what the summary says in quite other words counts as lost. Of one that is told
      "in part", the paths, names and numbers that the summary does not have are listed.

      Given back names the event by which a hook put it before the model; used are the paths, names and numbers of it that
      the agent said or used from then on, until the next compaction.

      With \`--json\` it is {"compaction": {"point", "session", "seq", "at", "trigger", "summaryChars"}, "kept", "lost",
      "givenBack", "used", "items": [{"fate", "kind", "text", "seq", "worth", "missing", "givenBack", "used"}]}, with
      every item.
    `,
    examples: [
      ['What did the last compaction drop?', '$0 lost'],
      ['And the one before?', '$0 lost @compaction:-2'],
      [
        'Only what was not given back',
        `$0 lost --json | jq '.items[] | select(.fate!="kept" and .givenBack==null)'`,
      ],
    ],
  });

  point = Option.String({ name: 'compaction', required: false });
  session = Option.String('--session', {
    description: '<ID> By default the last active one; the start of an id will do.',
  });
  limit = Option.String('--limit', {
    description: `<N> Only the N most valuable items; 0 is all. ${SHOWN_DEFAULT} by default.`,
  });

  async execute() {
    const n = compactionNumber(this.point ?? '-1');
    const limit = this.limit === undefined ? SHOWN_DEFAULT : wholeNumber('--limit', this.limit, 0);
    return withJournal(this.context, (project) => {
      const session = this.session === undefined ? undefined : findSession(project, this.session);
      const found = findCompaction(project, n, session);
      const { point, until, summary } = found;
      const asked = { session: found.session, cut: point.cut, summary };
      const account = lostAccount(project, { ...asked, ...(until && { until }) });
      const { fates, upto: _, ...counts } = account;
      if (this.json) {
        this.printJson({ compaction: aboutOf(found), ...counts, items: fates.map(asData) });
        return EXIT.ok;
      }
      const shown = limit === 0 ? fates : fates.slice(0, limit);
      this.print(`Compaction of ${dateTime(found.at)}, ${point.text}: ${lostHead(account)}`);
      if (summary === '') this.note('Its summary is not known, so that everything counts as lost.');
      this.print('', ...shown.map((fate) => fateLine(fate, project.ports.clock.now())));
      const more = fates.length - shown.length;
      if (more > 0) this.note(`${plural(more, 'item')} more: --limit 0 shows all.`);
      return EXIT.ok;
    });
  }
}

const aboutOf = ({ point, session, seq, at, trigger, summary }: FoundCompaction) => ({
  point: point.text,
  session,
  seq,
  at,
  trigger,
  summaryChars: summary.length,
});

const asData = ({ item, fate, missing, givenBack, used }: Fate) => {
  const { kind, text, seq, worth } = item;
  return { fate, kind, text, seq, worth: Math.round(worth * 10) / 10, missing, givenBack, used };
};
