import { Command, Option } from 'clipanion';
import { setPack } from '../../packs/change.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { policyLine } from '../ui/packs.ts';
import { PolicyCommand } from './policy.ts';

export class PackSetCommand extends PolicyCommand {
  static override paths = [['pack', 'set']];
  static override exits = { 0: 'changed', 1: 'there is no such pack, or the write failed' };
  static override words = ['packs'] as const;
  static override usage = Command.Usage({
    description: 'Change a pack’s budget, and how it is rendered.',
    details: `
      What is not given stays. To change the priority of a source, add it again: \`ben10 pack add\`.

      With \`--json\`: {"name", "policy": {"budgetTokens", "fill", "tokenizer", "layout"}}.
    `,
    examples: [
      ['Another limit', '$0 pack set auth --budget 40000'],
      ['No limit', '$0 pack set auth --budget none'],
      ['Keep a prompt cache warm', '$0 pack set auth --layout stable'],
    ],
  });

  name = Option.String({ name: 'name' });

  async execute(): Promise<Exit> {
    const { name, asked } = this;
    if (Object.keys(asked).length === 0) {
      throw new Ben10Error('USAGE', 'nothing to change is given', {
        next: `For example: ben10 pack set ${name} --budget 24000`,
      });
    }
    return withWriting(this.context, (project) => {
      const policy = setPack(project, name, asked, 'cli');
      return this.answer({ name, policy }, () => [policyLine(name, policy)]);
    });
  }
}
