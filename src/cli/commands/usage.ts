import { Command, Option } from 'clipanion';
import { queryLog } from '../../log/query.ts';
import { loadUsableConfig } from '../../platform/config.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { sessionsAt } from '../../timetravel/sessions.ts';
import { PRICES_AS_OF, PRICES_SOURCE, type Price, Prices, priceIn } from '../../usage/prices.ts';
import { GROUPS, type Group, tally } from '../../usage/tally.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { withJournal } from '../open.ts';
import { rangeQuery } from '../range.ts';
import { oneOf, wholeNumber } from '../ui/arguments.ts';
import { usageLines } from '../ui/usage.ts';

const LIMIT_DEFAULT = 10;

export class UsageCommand extends Ben10Command {
  static override paths = [['usage']];
  static override exits = { 0: 'printed', 1: 'the point or session does not exist' };
  static override words = ['points'] as const;
  static override choices = { GROUP: GROUPS };
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Show tokens and their cost by day, session and model.',
    details: `
      Each API message counts once, with its sub-agents' and without copies in resumed sessions. Costs are list prices of the
      API as of ${PRICES_AS_OF} (${PRICES_SOURCE}), whatever your plan. A model without a price has tokens and "no price", and
      totals say what they leave out. Your own prices come first: \`ben10 config set usage.prices "claude-opus-5* 5 25 6.25
      0.5"\`, which is a model and dollars per million tokens of input, output, cache write, cache read, and if you like of
      what is cached for an hour (else twice the input's).

      A range is FROM..TO, or a day, a week or a month; days are local. For points, see \`ben10 replay --help\`.

      With \`--json\`: {"total": {"messages", "tokens": {"input", "output", "cacheWrite", "cacheHour", "cacheRead"}, "cost",
      "unpriced"}, "by": {"day": [{"key", "sum"}], "session", "model"}, "unpriced": [MODEL], "prices": {"asOf", "source", "own"},
      "removedUpto"}. "cost" is in dollars, or null; "unpriced" are tokens without a price; of "removedUpto" and before,
      events were removed for their age (null: none).
    `,
    examples: [
      ['All that was used', '$0 usage'],
      ['The last week, day by day', '$0 usage "last week" --by day'],
      ['What yesterday cost, in dollars', '$0 usage yesterday --json | jq .total.cost'],
    ],
  });

  range = Option.String({ required: false, name: 'range' });
  by = Option.String('--by', { description: `<GROUP> Only one table: ${GROUPS.join(', ')}.` });
  session = Option.String('--session', {
    description: '<ID> Only this session; the start of its id is enough.',
  });
  limit = Option.String('--limit', {
    description: `<N> Rows of each table; 0 is all. Default: ${LIMIT_DEFAULT}, with --by all.`,
  });

  async execute() {
    const by = this.by === undefined ? undefined : oneOf('--by', this.by, GROUPS);
    const groups: readonly Group[] = by === undefined ? GROUPS : [by];
    const rows = by === undefined ? LIMIT_DEFAULT : 0;
    const limit = this.limit === undefined ? rows : wholeNumber('--limit', this.limit, 0);
    return withJournal(this.context, (project) => {
      const { said, ...query } = rangeQuery(project, this.range, this.session);
      const own = this.#ownPrices(project);
      const found = tally(
        queryLog(project, { ...query, types: ['usage.sampled'] }),
        new Prices(own),
      );
      const removedUpto = project.states.dropped()?.upto ?? null;
      if (this.json) {
        const kept = Object.fromEntries(groups.map((group) => [group, found.by[group]]));
        const prices = {
          asOf: PRICES_AS_OF,
          source: PRICES_SOURCE,
          own: own.map(({ model }) => model),
        };
        this.printJson({ ...found, by: kept, prices, removedUpto });
        return EXIT.ok;
      }
      if (said !== undefined) this.note(this.colours.dim(said));
      if (removedUpto !== null)
        this.note(
          `Events up to @${removedUpto} were removed for their age; what they used is not counted.`,
        );
      if (found.total.messages === 0) this.note('No API message is recorded there.');
      else this.print(...usageLines(found, groups, this.#layout(project, limit)));
      return EXIT.ok;
    });
  }

  #layout(project: Project, limit: number) {
    const titles = new Map(sessionsAt(project).map(({ session, title }) => [session, title]));
    const { width, colours } = this;
    return { width, colours, titles, limit: limit || Number.POSITIVE_INFINITY };
  }

  #ownPrices({ dir }: Project): Price[] {
    const { env } = this.context;
    return loadUsableConfig({ projectDir: dir, env }).config.usage.prices.map((text) => {
      const price = priceIn(text);
      if (price !== undefined) return price;
      throw new Ben10Error('CONFIG_INVALID', `usage.prices: "${text}" is not a price`, {
        next: 'Write a model and four prices: claude-opus-5* 5 25 6.25 0.5',
      });
    });
  }
}
