import { Command, Option } from 'clipanion';
import { keptData, renderedData } from '../../packs/as-data.ts';
import { payloadOrAnew } from '../../packs/kept/anew.ts';
import { type About, findSnapshot, takeSnapshot } from '../../packs/kept/snapshots.ts';
import { isPack, packsAt } from '../../packs/of-project.ts';
import type { Rendered } from '../../packs/render/render.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { bytes } from '../ui/format.ts';
import { writeOutput } from '../ui/output-file.ts';
import { sumLines } from '../ui/rendered.ts';
import { RENDER_JSON, RenderingCommand, type Shown } from './rendering.ts';

export class PackRenderCommand extends RenderingCommand {
  static override paths = [['pack', 'render']];
  static override words = ['packSnapshots', 'packs', 'packs', 'packs'] as const;
  static override exits = {
    0: 'rendered',
    1: 'there is no such pack, the write failed, or it does not fit and its fill is fail',
  };
  static override usage = Command.Usage({
    description: 'Print what a pack renders, for a model.',
    details: `
      PACK is a name, or a source for once; or a snapshot's label or id, whose stored bytes are given. The same packs and files give
      the same bytes, on any machine. It runs no program of yours: outputs of commands are those that were kept. What is left out
      stands in the last lines, and on stderr.

      With \`--json\`: ${RENDER_JSON}.
    `,
    examples: [
      ['Into a file', '$0 pack render auth -o prompt.txt'],
      ['Two packs under one limit', '$0 pack render auth --with-pack styles --budget 60000'],
      ['What was kept', '$0 pack render v1.0'],
      ['What a prompt cache holds comes first', '$0 pack render auth --stable-with last'],
      ['In parts', '$0 pack render auth --page-tokens 8000 --page 2'],
    ],
  });

  file = Option.String('-o,--output', { description: '<FILE> Write it there.' });

  protected override show(rendered: Rendered, { names, project, ...shown }: Shown): void {
    const payload = shown.payload();
    const { file, colours } = this;
    if (file !== undefined) writeOutput(this.context, project, file, payload);
    if (this.json) {
      this.printJson(renderedData(rendered, payload));
      return;
    }
    for (const line of sumLines(rendered, names)) this.note(colours.dim(line));
    if (file === undefined) this.context.stdout.write(payload);
    else this.note(`Written to ${file}: ${bytes(payload.length)}.`);
  }

  /** A word that is no pack but a snapshot: the bytes that were kept. */
  protected override async gave(project: Project): Promise<boolean> {
    const [word, ...more] = [...this.names, ...this.withPack];
    const { budget, at, pageTokens, page, stableWith, file } = this;
    const isPlain = [budget, at, pageTokens, page, stableWith].every((one) => one === undefined);
    if (more.length > 0 || !isPlain || isPack(project, word!)) return false;
    const record = findSnapshot(project, word!, Object.keys(packsAt(project).packs));
    const kept = await payloadOrAnew(project, record);
    if (file !== undefined) writeOutput(this.context, project, file, kept.payload);
    if (this.json) this.printJson(keptData(record, kept));
    else if (file === undefined) this.context.stdout.write(kept.payload);
    else this.note(`Written to ${file}: ${bytes(kept.payload.length)}.`);
    return true;
  }

  /** So that the next one can be stable with this one. */
  protected override after(project: Project, rendered: Rendered, about: Omit<About, 'auto'>): void {
    if (this.stableWith === undefined || rendered.payload.length === 0) return;
    try {
      takeSnapshot(project, rendered, { ...about, auto: true }, 'cli');
    } catch (error) {
      if (!(error instanceof Ben10Error)) throw error;
      this.note(`This render is not kept for the next one: ${error.message}`);
    }
  }
}
