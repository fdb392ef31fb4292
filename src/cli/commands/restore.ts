import { Command, Option } from 'clipanion';
import { RESTORE_PARTS, type RestorePart } from '../../timetravel/give.ts';
import {
  BUDGET_TOKENS_MAX,
  BUDGET_TOKENS_MIN,
  PAGE_TOKENS_DEFAULT,
  RESTORE_MODES,
  restore,
  SUMMARY_TOKENS_DEFAULT,
} from '../../timetravel/restore.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { oneOf, wholeNumber } from '../ui/arguments.ts';
import { plural } from '../ui/format.ts';

const PARTS = Object.keys(RESTORE_PARTS) as RestorePart[];

export class RestoreCommand extends Ben10Command {
  static override paths = [['restore']];
  static override exits = { 0: 'printed', 1: 'there is no such point, save or session' };
  static override usage = Command.Usage({
    category: 'Save and go back',
    description: 'Print a context of the past as text, for an agent or a person to go on from.',
    details: `
      Without a point it is the newest state with work in it: where the newest session has only begun, that of the one
      before. It changes no files and deletes nothing; that it was asked for is noted in
      the journal. Where the context was cleared, restoring a point before that undoes it,
      unless only some parts were asked for.

      A summary keeps to its budget (${SUMMARY_TOKENS_DEFAULT} tokens by default) and says what it left out; tokens are ben10's
      estimate (3.1 bytes each), and the client's own count differs. \`--full\` gives everything in pages of
      ${PAGE_TOKENS_DEFAULT} tokens, \`--only\` some parts of it: ${PARTS.join(', ')}.

      Points are those of \`ben10 replay\`; a save is \`@save:NAME\`, or its bare name
      where that is no other point.

      With \`--json\` it is {"point": {"seq", "at"}, "session", "text", "page", "pages", "tokens", "recorded", "notes"}.
    `,
    examples: [
      ['What matters of the newest state', '$0 restore'],
      ['All of a save', '$0 restore @save:before-refactoring --full'],
      [
        'Only files and decisions before the last compaction',
        '$0 restore @compaction:-1 --only files,decisions',
      ],
      ['Hand it to the client', 'claude "$($0 restore)"'],
    ],
  });

  point = Option.String({ required: false, name: 'point' });
  full = Option.Boolean('--full', false, { description: 'Everything, in pages.' });
  only = Option.String('--only', {
    description: `<PARTS> Some of ${PARTS.join(', ')}, separated by commas.`,
  });
  budget = Option.String('--budget', {
    description: `<TOKENS> As ben10 estimates them, of the summary or of each page; ${BUDGET_TOKENS_MIN} to ${BUDGET_TOKENS_MAX}.`,
  });
  page = Option.String('--page', { description: '<N> Which page; 1 by default.' });
  session = Option.String('--session', {
    description:
      '<ID> Of this session; the start of its id will do. By default the last active one.',
  });

  async execute() {
    const options = this.#options();
    return withJournal(this.context, (project) => {
      const given = restore(project, options);
      if (this.json) {
        this.printJson(given);
        return EXIT.ok;
      }
      this.print(given.text);
      const { page, pages, tokens } = given;
      const more = page < pages ? `; the next: --page ${page + 1}` : '';
      const which = pages > 1 ? `page ${page} of ${pages}${more}; ` : '';
      this.note(this.colours.dim(`${which}about ${plural(tokens, 'token')} by ben10's estimate`));
      return EXIT.ok;
    });
  }

  #options() {
    const number = (option: string, text: string | undefined, min = 1, max?: number) =>
      text === undefined ? undefined : wholeNumber(option, text, min, max);
    const parts = this.only?.split(',').map((part) => oneOf('--only', part.trim(), PARTS));
    const mode = parts !== undefined ? 'selective' : this.full ? 'full' : 'summary';
    return {
      mode: oneOf('--mode', mode, RESTORE_MODES),
      point: this.point,
      parts,
      budgetTokens: number('--budget', this.budget, BUDGET_TOKENS_MIN, BUDGET_TOKENS_MAX),
      page: number('--page', this.page),
      session: this.session,
      source: 'cli' as const,
    };
  }
}
