import { Command, Option } from 'clipanion';
import { renderedData } from '../../packs/as-data.ts';
import type { Rendered } from '../../packs/render/render.ts';
import { measuredFactor } from '../../packs/use/factor.ts';
import type { Project } from '../../project/open.ts';
import { staleJson } from '../ui/pack-diff.ts';
import { aboutLine } from '../ui/pack-report.ts';
import { previewLines } from '../ui/rendered.ts';
import { RENDER_JSON, RenderingCommand, type Shown } from './rendering.ts';

export class PackPreviewCommand extends RenderingCommand {
  static override paths = [['pack', 'preview']];
  static override exits = {
    0: 'shown',
    1: 'there is no such pack, or it does not fit and its fill is fail',
  };
  static override usage = Command.Usage({
    description: 'Show what a pack renders now, what is left out, and why.',
    details: `
      PACK is a name, or a source such as \`'glob:src/**'\` or git:diff for once. Packs are rendered together, under the budget of the
      first. Nothing is recorded. Estimates have a ~: what is behind the cut is not counted.

      With \`--json\`: ${RENDER_JSON}; the text is null without \`--show-payload\`. If there is a
      snapshot, also "stale": {"snapshot", "items", "tokens"}, how much differs from it.
    `,
    examples: [
      ['What is in it?', '$0 pack preview auth'],
      ['What takes the room?', '$0 pack preview auth --tokens'],
      ['Only the number', "$0 pack preview 'glob:src/**/*.ts' git:diff --count"],
    ],
  });

  tokens = Option.Boolean('--tokens', false, { description: 'Show the largest files, and bars.' });
  exact = Option.Boolean('--exact', false, { description: 'Count what is left out, too.' });
  count = Option.Boolean('--count', false, { description: 'Print the number of tokens alone.' });
  showPayload = Option.Boolean('--show-payload', false, {
    description: 'Print what is rendered, as render does, and the table on stderr.',
  });

  protected override get isExact(): boolean {
    return this.exact;
  }

  protected override show(rendered: Rendered, { names, payload, stale }: Shown): void {
    const { colours, width } = this;
    const lines = previewLines(rendered, names, { isLong: this.tokens, colours, width, stale });
    if (this.json)
      this.printJson({
        ...renderedData(rendered, this.showPayload ? payload() : undefined),
        ...(stale && { stale: staleJson(stale) }),
      });
    else if (this.count) this.print(String(rendered.tokens));
    else if (this.showPayload) {
      for (const line of lines) this.note(line);
      this.context.stdout.write(payload());
    } else this.print(...lines);
  }

  protected override after(project: Project, { tokens, policy }: Rendered): void {
    if (this.json || this.count || this.showPayload || policy.tokenizer !== 'cl100k') return;
    const factor = measuredFactor(project);
    if (factor !== undefined) this.print(this.colours.dim(aboutLine(factor, tokens)));
  }
}
