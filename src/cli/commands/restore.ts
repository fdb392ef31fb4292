import { Command, Option } from 'clipanion';
import { RESTORE_PARTS, type RestorePart } from '../../timetravel/give.ts';
import {
  BUDGET_TOKENS_MAX,
  BUDGET_TOKENS_MIN,
  PAGE_TOKENS_DEFAULT,
  type RestoreMode,
  restore,
  SUMMARY_TOKENS_DEFAULT,
} from '../../timetravel/restore.ts';
import { Ben10Command, SESSION } from '../command.ts';
import { withJournal } from '../open.ts';
import { oneOf, optionalNumber } from '../ui/arguments.ts';
import { pageNote } from '../ui/format.ts';

const PARTS = Object.keys(RESTORE_PARTS) as RestorePart[];

export class RestoreCommand extends Ben10Command {
  static override paths = [['restore']];
  static override exits = { 0: 'printed', 1: 'the point, save or session does not exist' };
  static override words = ['points'] as const;
  static override choices = { PARTS };
  static override usage = Command.Usage({
    category: 'Save and go back: which one, when',
    description: 'To go on from any of these: print the context; no file changes.',
    details: `
      It gives back context, not files: no file of the project changes. To get files back: \`ben10 diff\` shows what changed
      since the agent last saw them, \`ben10 diff --unified | git apply -R\` undoes that, and git has what you committed.

      The default is the newest state with work in it; a session that only just began is skipped. Nothing is deleted; the
      journal records that it was restored. Restoring a point before a clear undoes the clear, unless
      \`--only\` is used.

      The default is a summary of at most ${SUMMARY_TOKENS_DEFAULT} tokens, which says what it left out. \`--full\` prints everything, in
      pages of ${PAGE_TOKENS_DEFAULT} tokens. \`--only\` prints some parts: ${PARTS.join(', ')}. Tokens are an estimate
      (3.1 bytes each); the client's count differs.

      For points, see \`ben10 replay --help\`. A save is \`@save:NAME\`, or just its name.

      With \`--json\`: {"point": {"seq", "at"}, "session", "text", "page", "pages", "tokens", "recorded", "notes"}.
    `,
    examples: [
      ['A summary of the newest state', '$0 restore'],
      ['A save, complete', '$0 restore @save:before-refactoring --full'],
      [
        'Files and decisions before the last compaction',
        '$0 restore @compaction:-1 --only files,decisions',
      ],
      ['Start the client with it', 'claude "$($0 restore)"'],
    ],
  });

  point = Option.String({ required: false, name: 'point' });
  full = Option.Boolean('--full', false, { description: 'Print everything, in pages.' });
  only = Option.String('--only', {
    description: `<PARTS> Only these parts, separated by commas: ${PARTS.join(', ')}.`,
  });
  budget = Option.String('--budget', {
    description: `<TOKENS> Size of the summary or of a page; ${BUDGET_TOKENS_MIN} to ${BUDGET_TOKENS_MAX}.`,
  });
  page = Option.String('--page', { description: '<N> The page; by default 1.' });
  session = Option.String('--session', SESSION);

  async execute() {
    const options = this.#options();
    return withJournal(this.context, (project) => {
      const given = restore(project, options);
      return this.answer(given, () => {
        this.note(this.colours.dim(pageNote(given)));
        return [given.text];
      });
    });
  }

  #options() {
    const parts = this.only?.split(',').map((part) => oneOf('--only', part.trim(), PARTS));
    const mode: RestoreMode = parts !== undefined ? 'selective' : this.full ? 'full' : 'summary';
    return {
      mode,
      point: this.point,
      parts,
      budgetTokens: optionalNumber('--budget', this.budget, BUDGET_TOKENS_MIN, BUDGET_TOKENS_MAX),
      page: optionalNumber('--page', this.page, 1),
      session: this.session,
      source: 'cli' as const,
    };
  }
}
