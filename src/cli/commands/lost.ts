import { Command, Option } from 'clipanion';
import { type Fate, fateLine, lostAccount, lostHead } from '../../recall/lost.ts';
import {
  compactionNumber,
  type FoundCompaction,
  findCompaction,
} from '../../timetravel/compactions.ts';
import { findSession } from '../../timetravel/sessions.ts';
import { Ben10Command, EXIT, SESSION } from '../command.ts';
import { withJournal } from '../open.ts';
import { optionalNumber } from '../ui/arguments.ts';
import { dateTime, plural } from '../ui/format.ts';

const SHOWN_DEFAULT = 40;

export class LostCommand extends Ben10Command {
  static override paths = [['lost']];
  static override exits = {
    0: 'printed, also if nothing was lost',
    1: 'the compaction or session does not exist',
  };
  static override words = ['points'] as const;
  static override usage = Command.Usage({
    category: 'Memory',
    description: 'Show what a compaction dropped, and what ben10 gave back.',
    details: `
      Compares what the journal held before a compaction with its summary, item by item, the most important first. It
      compares words: something that the summary rephrases counts as lost. For an item that was kept "in part", the missing
      paths, names and numbers are listed.

      "Given back" names the event with which a hook gave an item to the model. "Used" lists its paths, names and numbers
      that the agent mentioned or used until the next compaction.

      With \`--json\`: {"compaction": {"point", "session", "seq", "at", "trigger", "summaryChars"}, "kept", "lost",
      "givenBack", "used", "items": [{"fate", "kind", "text", "seq", "worth", "missing", "givenBack", "used"}]}, with all
      items.
    `,
    examples: [
      ['The last compaction', '$0 lost'],
      ['The one before', '$0 lost @compaction:-2'],
      [
        'Only what was lost and not given back',
        `$0 lost --json | jq '.items[] | select(.fate!="kept" and .givenBack==null)'`,
      ],
    ],
  });

  point = Option.String({ name: 'compaction', required: false });
  session = Option.String('--session', SESSION);
  limit = Option.String('--limit', {
    description: `<N> Only the N most important items; 0 is all. Default: ${SHOWN_DEFAULT}.`,
  });

  async execute() {
    const n = compactionNumber(this.point ?? '-1');
    const limit = optionalNumber('--limit', this.limit, 0) ?? SHOWN_DEFAULT;
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
      if (summary === '') this.note('Its summary is not known: everything counts as lost.');
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
