import { Command, Option } from 'clipanion';
import { Ben10Error } from '../../platform/errors.ts';
import { takeInbox } from '../../project/inbox.ts';
import type { Project } from '../../project/open.ts';
import {
  type Annotation,
  annotateSnapshot,
  deleteSnapshot,
} from '../../timetravel/snapshots/change.ts';
import { listSnapshots, PAGE_DEFAULT, showSnapshot } from '../../timetravel/snapshots/indexed.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withJournal, withWriting } from '../open.ts';
import { oneOf, wholeNumber } from '../ui/arguments.ts';
import { plural } from '../ui/format.ts';
import { snapshotLines, snapshotTable } from '../ui/snapshots.ts';

/** What each takes behind it, as usage errors say it. */
const ACTIONS = {
  list: '',
  show: 'ID',
  restore: 'ID',
  pin: 'ID',
  unpin: 'ID',
  tag: 'ID TAG...',
  untag: 'ID TAG...',
  note: 'ID TEXT',
  delete: 'ID',
} as const;
type Action = keyof typeof ACTIONS;
export const SNAPSHOT_ACTIONS = Object.keys(ACTIONS) as Action[];

export class SnapshotCommand extends Ben10Command {
  static override paths = [['snapshot']];
  static override exits = { 0: 'done', 1: 'there is no such snapshot, or it could not be done' };
  static override usage = Command.Usage({
    category: 'Save and go back',
    description:
      'List the states that were stored before compactions, look after them, go back to one.',
    details: `
      Before the client compacts a context, the whole state is stored. The newest few are kept, as the settings under
      \`context.compactionSnapshots\` say; one that is pinned stays for good.

      - list: the newest ${PAGE_DEFAULT}, newest first; \`--limit\` for more
      - show ID: all that is known of one
      - restore ID: print the context as text, for an agent or a person to go on from, as \`ben10 restore\` does
      - pin ID, unpin ID: keep it for good, or no longer
      - tag ID TAG..., untag ID TAG..., note ID TEXT: what you want to remember of it
      - delete ID: remove it; a pinned one only with \`--force\`. The journal keeps the events that it was made of

      An id may be shortened as long as it is unique. As a point it is \`@snapshot:ID\`, for \`ben10 replay\` and others.

      Messages, files and tool calls before the compaction are those that the stored state counts; behind it the model's
      context holds one message, the summary. The ratio is tokens after through tokens before.
    `,
    examples: [
      ['What is there?', '$0 snapshot list'],
      ['What did the agent know before it forgot?', '$0 snapshot restore 5f3a9c'],
      [
        'Keep one for good, and say why',
        '$0 snapshot pin 5f3a9c && $0 snapshot note 5f3a9c "before the rewrite"',
      ],
      [
        'Find it by a tag',
        `$0 snapshot list --json | jq '.snapshots[]|select(.tags|index("rewrite"))'`,
      ],
      ['What happened since?', '$0 log @snapshot:5f3a9c..'],
    ],
  });

  action = Option.String({ name: 'action' });
  args = Option.Rest({ name: 'arguments' });
  limit = Option.String('--limit', {
    description: `<N> Of a list: only the newest N; 0 is all. ${PAGE_DEFAULT} by default.`,
  });
  force = Option.Boolean('--force', false, { description: 'Delete it although it is pinned.' });
  full = Option.Boolean('--full', false, { description: 'Restore everything, in pages.' });
  budget = Option.String('--budget', {
    description: '<TOKENS> Of a restored summary, or of each page.',
  });
  page = Option.String('--page', {
    description: '<N> Which page of a full restore; 1 by default.',
  });

  async execute(): Promise<Exit> {
    const action = oneOf('snapshot', this.action, SNAPSHOT_ACTIONS);
    const [id = '', ...rest] = this.#arguments(action);
    if (action === 'list') return withJournal(this.context, (project) => this.#list(project));
    if (action === 'show') return withJournal(this.context, (project) => this.#show(project, id));
    return withWriting(this.context, (project) => {
      takeInbox(project); // a snapshot may wait there for its place
      if (action === 'restore') return this.#restore(project, id);
      if (action === 'delete') return this.#delete(project, id);
      return this.#annotate(project, id, annotationOf(action, rest));
    });
  }

  /** @throws Ben10Error USAGE for one too many or missing */
  #arguments(action: Action): string[] {
    const takes = ACTIONS[action];
    const least = takes === '' ? 0 : takes.split(' ').length;
    const most = takes.endsWith('...') ? Number.POSITIVE_INFINITY : least;
    const { length } = this.args;
    if (length >= least && length <= most) return this.args;
    throw new Ben10Error('USAGE', `snapshot ${action} takes ${takes === '' ? 'nothing' : takes}`, {
      next: `For example: ben10 snapshot ${action} ${takes.toLowerCase().replace('id', '5f3a9c')}`.trim(),
    });
  }

  #list(project: Project): Exit {
    const asked = this.limit === undefined ? PAGE_DEFAULT : wholeNumber('--limit', this.limit, 0);
    const count = asked === 0 ? Number.POSITIVE_INFINITY : asked;
    const page = listSnapshots(project, { count });
    if (this.json) this.printJson(page);
    else this.print(...snapshotTable(page, this.context.now()));
    return EXIT.ok;
  }

  #show(project: Project, id: string): Exit {
    const found = showSnapshot(project, id);
    if (this.json) this.printJson(found);
    else this.print(...snapshotLines(found));
    return EXIT.ok;
  }

  #annotate(project: Project, id: string, annotation: Annotation): Exit {
    const changed = annotateSnapshot(project, id, annotation, 'cli');
    if (this.json) this.printJson(changed);
    else this.print(...snapshotLines(changed));
    return EXIT.ok;
  }

  #delete(project: Project, id: string): Exit {
    const { id: deleted, upto } = deleteSnapshot(project, id, { force: this.force, source: 'cli' });
    if (this.json) this.printJson({ deleted, upto });
    else this.print(`Snapshot ${deleted} is deleted. Its events stay: ben10 restore @${upto}`);
    return EXIT.ok;
  }

  async #restore(project: Project, id: string): Promise<Exit> {
    const { restore, BUDGET_TOKENS_MIN, BUDGET_TOKENS_MAX } = await import(
      '../../timetravel/restore.ts'
    );
    const number = (option: string, text: string | undefined, min = 1, max?: number) =>
      text === undefined ? undefined : wholeNumber(option, text, min, max);
    const given = restore(project, {
      point: `@snapshot:${id}`,
      mode: this.full ? 'full' : 'summary',
      budgetTokens: number('--budget', this.budget, BUDGET_TOKENS_MIN, BUDGET_TOKENS_MAX),
      page: number('--page', this.page),
      source: 'cli',
    });
    if (this.json) {
      this.printJson(given);
      return EXIT.ok;
    }
    this.print(given.text);
    const { page, pages, tokens } = given;
    const more = page < pages ? `; the next: --page ${page + 1}` : '';
    const which = pages > 1 ? `page ${page} of ${pages}${more}; ` : '';
    this.note(this.colours.dim(`${which}about ${plural(tokens, 'token')}`));
    return EXIT.ok;
  }
}

function annotationOf(
  action: Exclude<Action, 'list' | 'show' | 'restore' | 'delete'>,
  words: readonly string[],
): Annotation {
  if (action === 'tag') return { addTags: words };
  if (action === 'untag') return { removeTags: words };
  if (action === 'note') return { note: words[0] ?? '' };
  return { pinned: action === 'pin' };
}
