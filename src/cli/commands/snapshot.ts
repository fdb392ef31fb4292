import { Command, Option } from 'clipanion';
import { Ben10Error } from '../../platform/errors.ts';
import { takeInbox } from '../../project/inbox.ts';
import type { Project } from '../../project/open.ts';
import {
  type Annotation,
  annotateSnapshot,
  deleteSnapshot,
} from '../../timetravel/snapshots/change.ts';
import {
  listSnapshots,
  PAGE_DEFAULT,
  type SnapshotListed,
  showSnapshot,
} from '../../timetravel/snapshots/indexed.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal, withWriting } from '../open.ts';
import { oneOf, optionalNumber } from '../ui/arguments.ts';
import { pageNote } from '../ui/format.ts';
import { snapshotLines, snapshotTable } from '../ui/snapshots.ts';

/** The arguments of each action, as in usage errors. */
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
  static override exits = { 0: 'done', 1: 'the snapshot does not exist, or the action failed' };
  static override words = [SNAPSHOT_ACTIONS, 'snapshots'] as const;
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'Before each compaction ben10 stores the state: list or pin these.',
    details: `
      Before each compaction ben10 stores the session's state. The settings under \`context.compactionSnapshots\` say how many
      are kept; pinned ones are never removed automatically.

      - list: the newest ${PAGE_DEFAULT}; \`--limit\` for more
      - show ID: all details of one
      - restore ID: print it as text, like \`ben10 restore\`
      - pin ID, unpin ID: keep it, or no longer
      - tag ID TAG..., untag ID TAG..., note ID TEXT: annotate it
      - delete ID: remove it (a pinned one only with \`--force\`); its events stay in the journal

      The start of an id is enough if it is unique. As a point, for \`ben10 replay\` and others, it is \`@snapshot:ID\`.

      The counts before a compaction are those of the stored state; after it, the context is one message, the summary. The
      ratio is tokens after / tokens before.
    `,
    examples: [
      ['List them', '$0 snapshot list'],
      ['What did the agent know before the compaction?', '$0 snapshot restore 5f3a9c'],
      [
        'Keep one, and note why',
        '$0 snapshot pin 5f3a9c && $0 snapshot note 5f3a9c "before the rewrite"',
      ],
      [
        'Find one by a tag',
        `$0 snapshot list --json | jq '.snapshots[]|select(.tags|index("rewrite"))'`,
      ],
      ['What happened since one?', '$0 log @snapshot:5f3a9c..'],
    ],
  });

  action = Option.String({ name: 'action' });
  args = Option.Rest({ name: 'arguments' });
  limit = Option.String('--limit', {
    description: `<N> For list: only the newest N; 0 is all. Default: ${PAGE_DEFAULT}.`,
  });
  force = Option.Boolean('--force', false, { description: 'Delete a pinned one.' });
  full = Option.Boolean('--full', false, { description: 'For restore: everything, in pages.' });
  budget = Option.String('--budget', {
    description: '<TOKENS> For restore: size of the summary or of a page.',
  });
  page = Option.String('--page', {
    description: '<N> For restore --full: the page; by default 1.',
  });

  async execute(): Promise<Exit> {
    const action = oneOf('snapshot', this.action, SNAPSHOT_ACTIONS);
    const [id = '', ...rest] = this.#arguments(action);
    if (action === 'list') return withJournal(this.context, (project) => this.#list(project));
    if (action === 'show')
      return withJournal(this.context, (project) => this.#show(showSnapshot(project, id)));
    return withWriting(this.context, (project) => {
      takeInbox(project); // it may hold a snapshot
      if (action === 'restore') return this.#restore(project, id);
      if (action === 'delete') return this.#delete(project, id);
      return this.#show(annotateSnapshot(project, id, annotationOf(action, rest), 'cli'));
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
    const limit = optionalNumber('--limit', this.limit, 0) ?? PAGE_DEFAULT;
    const page = listSnapshots(project, { count: limit || Number.POSITIVE_INFINITY });
    return this.answer(page, () => snapshotTable(page, this.context.now()));
  }

  #show(found: SnapshotListed): Exit {
    return this.answer(found, () => snapshotLines(found));
  }

  #delete(project: Project, id: string): Exit {
    const { id: deleted, upto } = deleteSnapshot(project, id, { force: this.force, source: 'cli' });
    return this.answer({ deleted, upto }, () => [
      `Snapshot ${deleted} was deleted. Its events stay: ben10 restore @${upto}`,
    ]);
  }

  async #restore(project: Project, id: string): Promise<Exit> {
    const { restore, BUDGET_TOKENS_MIN, BUDGET_TOKENS_MAX } = await import(
      '../../timetravel/restore.ts'
    );
    const given = restore(project, {
      point: `@snapshot:${id}`,
      mode: this.full ? 'full' : 'summary',
      budgetTokens: optionalNumber('--budget', this.budget, BUDGET_TOKENS_MIN, BUDGET_TOKENS_MAX),
      page: optionalNumber('--page', this.page, 1),
      source: 'cli',
    });
    return this.answer(given, () => {
      this.note(this.colours.dim(pageNote(given)));
      return [given.text];
    });
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
