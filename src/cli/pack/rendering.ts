import { Option } from 'clipanion';
import { packsOf, renderOf } from '../../packs/of-project.ts';
import { pagesOf } from '../../packs/pages.ts';
import type { Rendered } from '../../packs/render/render.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { resolvePoint } from '../../timetravel/resolve.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { optionalNumber } from '../ui/arguments.ts';
import { plural } from '../ui/format.ts';
import { budgetOf } from './policy.ts';

const PAGE_TOKENS_MIN = 100;

export const RENDER_JSON =
  '{"budget_tokens", "token_estimate", "included": [{"id", "kind", "source", "path", "lines", "priority", "tokens", "bytes", "redactions"}], "excluded": [{…, "reason"}], "redactions", "render_hash", "payload_hash", "payload_text"}';

/** What `preview` and `render` share: packs, or sources in their place, rendered. */
export abstract class RenderingCommand extends Ben10Command {
  static override words = ['packs', 'packs', 'packs', 'packs'] as const;
  static override choices = { PACK: 'packs' as const, FILE: 'files' as const };
  static override busy = 'rendering';

  names = Option.Rest({ name: 'pack', required: 1 });
  withPack = Option.Array('--with-pack', [], {
    description: '<PACK> This one, too, behind the others. May be repeated.',
  });
  budget = Option.String('--budget', {
    description: '<TOKENS> Another limit, for once; none for no limit.',
  });
  at = Option.String('--at', {
    description: '<POINT> Packs and files as they were then. For points, see: ben10 replay --help.',
  });
  pageTokens = Option.String('--page-tokens', {
    description: '<N> A page of at most N tokens, cut between items.',
  });
  page = Option.String('--page', { description: '<K> Which page; by default the first.' });

  /** @param names as they are shown @param payload all of it, or the page that is asked for */
  protected abstract show(rendered: Rendered, names: string, payload: Buffer): void;

  protected get isExact(): boolean {
    return false;
  }

  async execute(): Promise<Exit> {
    const budgetTokens = budgetOf(this.budget);
    return withJournal(this.context, async (project) => {
      const at = this.at === undefined ? undefined : resolvePoint(project, this.at);
      const packs = packsOf(project, [...this.names, ...this.withPack], at);
      const rendered = await renderOf(project, {
        packs,
        budgetTokens,
        isExact: this.isExact,
        at,
      });
      const names = packs.map(({ name }) => name ?? 'sources').join(', ');
      this.show(rendered, names, this.#page(rendered));
      return rendered.payload.length === 0 ? EXIT.notSo : EXIT.ok;
    });
  }

  /** @throws Ben10Error USAGE */
  #page(rendered: Rendered): Buffer {
    const most = optionalNumber('--page-tokens', this.pageTokens, PAGE_TOKENS_MIN);
    const page = optionalNumber('--page', this.page, 1);
    if (most === undefined && page !== undefined) {
      throw new Ben10Error('USAGE', '--page needs --page-tokens', {
        next: `For example: --page-tokens 8000 --page ${page}`,
      });
    }
    const pages = pagesOf(rendered, 'tokens', most ?? Number.POSITIVE_INFINITY);
    const found = pages[(page ?? 1) - 1];
    if (found === undefined) {
      throw new Ben10Error('USAGE', `there is no page ${page}`, {
        next: `There ${pages.length === 1 ? 'is' : 'are'} ${plural(pages.length, 'page')}.`,
      });
    }
    if (most !== undefined) this.note(this.colours.dim(pageLine(page ?? 1, pages.length)));
    return found;
  }
}

const pageLine = (page: number, pages: number): string =>
  `page ${page} of ${pages}${page < pages ? `; next: --page ${page + 1}` : ''}`;
