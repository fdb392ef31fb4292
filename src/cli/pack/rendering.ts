import { Option } from 'clipanion';
import { sharedPrefix } from '../../packs/compare.ts';
import { payloadOrAnew } from '../../packs/kept/anew.ts';
import type { KeptPayload } from '../../packs/kept/payload-file.ts';
import { type About, findSnapshot, snapshotsOf } from '../../packs/kept/snapshots.ts';
import { type Staleness, stalenessOf } from '../../packs/kept/stale.ts';
import { renderWords, sourcedWords } from '../../packs/of-project.ts';
import { pagesOf } from '../../packs/pages.ts';
import type { Rendered } from '../../packs/render/render.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { Ben10Command, type Choices, EXIT, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { optionalNumber } from '../ui/arguments.ts';
import { count, plural } from '../ui/format.ts';
import { budgetOf } from './policy.ts';

const PAGE_TOKENS_MIN = 100;

export const RENDER_JSON =
  '{"budget_tokens", "token_estimate", "included": [{"id", "kind", "source", "label", "path", "lines", "priority", "tokens", "bytes", "redactions", "changes", "filled", "events"}], "excluded": [{"id", "kind", "source", "label", "path", "lines", "priority", "tokens", "estimate", "events", "reason"}], "redactions", "render_hash", "payload_hash", "payload_text"}';

export interface Shown {
  project: Project;
  /** Of the packs. */
  names: string;
  /** All of it, or the page that is asked for. */
  payload(): Buffer;
  stale: Staleness | undefined;
}

/** What `preview` and `render` share: packs, or sources in their place, rendered. */
export abstract class RenderingCommand extends Ben10Command {
  static override words: readonly Choices[] = ['packs', 'packs', 'packs', 'packs'];
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
  stableWith = Option.String('--stable-with', {
    description:
      '<SNAPSHOT> Put what did not change since first, in that order, so that a prompt cache holds it; last is the newest of these packs.',
  });

  protected abstract show(rendered: Rendered, shown: Shown): void;

  /** Gives what a snapshot has, if that is what was asked for. */
  protected async gave(_project: Project): Promise<boolean> {
    return false;
  }

  /** @param about a snapshot of it */
  protected after(_project: Project, _rendered: Rendered, _about: Omit<About, 'auto'>): void {}

  protected get isExact(): boolean {
    return false;
  }

  async execute(): Promise<Exit> {
    const budgetTokens = budgetOf(this.budget);
    return withJournal(this.context, async (project) => {
      if (await this.gave(project)) return EXIT.ok;
      const words = [...this.names, ...this.withPack];
      const { at, isExact } = this;
      const earlier = await this.#earlier(project, sourcedWords(words));
      const stableWith = earlier?.manifest.map(({ sha256 }) => sha256);
      const how = { budgetTokens, at, isExact, stableWith };
      const { rendered, about } = await renderWords(project, words, how);
      const names = [...new Set(words.map((one) => (one.includes(':') ? 'sources' : one)))].join(
        ', ',
      );
      const stale = at === undefined ? stalenessOf(project, about.packs, rendered) : undefined;
      const page = this.#page(rendered);
      const payload = () => page ?? Buffer.concat(rendered.payload);
      this.show(rendered, { project, names, payload, stale });
      if (earlier !== undefined) this.note(this.colours.dim(this.#sharedLine(earlier, rendered)));
      this.after(project, rendered, about);
      return rendered.payload.length === 0 ? EXIT.notSo : EXIT.ok;
    });
  }

  /** @throws Ben10Error PACK_NOT_FOUND, CHECKSUM_MISMATCH */
  async #earlier(project: Project, words: readonly string[]): Promise<KeptPayload | undefined> {
    const { stableWith } = this;
    if (stableWith === undefined) return undefined;
    if (stableWith !== 'last') return payloadOrAnew(project, findSnapshot(project, stableWith));
    const last = snapshotsOf(project).findLast(({ packs }) => packs.join() === words.join());
    if (last !== undefined) return payloadOrAnew(project, last);
    this.note(this.colours.dim('No earlier render of these packs is kept.'));
    return undefined;
  }

  #sharedLine(earlier: KeptPayload, rendered: Rendered): string {
    const what = this.stableWith === 'last' ? 'the last render' : `snapshot ${this.stableWith}`;
    const shared = count(sharedPrefix(earlier, rendered));
    return `Prefix shared with ${what}: ${shared} of ${count(rendered.tokens)} tokens`;
  }

  /** Undefined where all of it is asked for. @throws Ben10Error USAGE */
  #page(rendered: Rendered): Buffer | undefined {
    const most = optionalNumber('--page-tokens', this.pageTokens, PAGE_TOKENS_MIN);
    const page = optionalNumber('--page', this.page, 1);
    if (most === undefined && page !== undefined) {
      throw new Ben10Error('USAGE', '--page needs --page-tokens', {
        next: `For example: --page-tokens 8000 --page ${page}`,
      });
    }
    if (most === undefined) return undefined;
    const pages = pagesOf(rendered, most);
    const found = pages[(page ?? 1) - 1];
    if (found === undefined) {
      throw new Ben10Error('USAGE', `there is no page ${page}`, {
        next: `There ${pages.length === 1 ? 'is' : 'are'} ${plural(pages.length, 'page')}.`,
      });
    }
    this.note(this.colours.dim(pageLine(page ?? 1, pages.length)));
    return found;
  }
}

const pageLine = (page: number, pages: number): string =>
  `page ${page} of ${pages}${page < pages ? `; next: --page ${page + 1}` : ''}`;
