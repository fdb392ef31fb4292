import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command, Option } from 'clipanion';
import { asWriteError } from '../../journal/append/write-errors.ts';
import { renderedData } from '../../packs/as-data.ts';
import type { Rendered } from '../../packs/render/render.ts';
import { bytes } from '../ui/format.ts';
import { sumLines } from '../ui/rendered.ts';
import { RENDER_JSON, RenderingCommand } from './rendering.ts';

export class PackRenderCommand extends RenderingCommand {
  static override paths = [['pack', 'render']];
  static override exits = {
    0: 'rendered',
    1: 'there is no such pack, the write failed, or it does not fit and its fill is fail',
  };
  static override usage = Command.Usage({
    description: 'Print what a pack renders, for a model.',
    details: `
      PACK is a name, or a source for once. The same packs and files give the same bytes, on any machine. It runs no program of yours:
      outputs of commands are those that were kept. What is left out stands in the last lines, and on stderr.

      With \`--json\`: ${RENDER_JSON}.
    `,
    examples: [
      ['Into a file', '$0 pack render auth -o prompt.txt'],
      ['Two packs under one limit', '$0 pack render auth --with-pack styles --budget 60000'],
      ['In parts', '$0 pack render auth --page-tokens 8000 --page 2'],
    ],
  });

  file = Option.String('-o,--output', { description: '<FILE> Write it there.' });

  protected override show(rendered: Rendered, names: string, payload: Buffer): void {
    const { file, colours } = this;
    if (file !== undefined) this.#write(file, payload);
    if (this.json) {
      this.printJson(renderedData(rendered, payload));
      return;
    }
    for (const line of sumLines(rendered, names)) this.note(colours.dim(line));
    if (file === undefined) this.context.stdout.write(payload);
    else this.note(`Written to ${file}: ${bytes(payload.length)}.`);
  }

  #write(file: string, payload: Buffer): void {
    const place = path.resolve(this.context.cwd, file);
    try {
      writeFileSync(place, payload);
    } catch (error) {
      throw asWriteError(error, place);
    }
  }
}
