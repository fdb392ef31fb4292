import { Command, Option } from 'clipanion';
import { createPack } from '../../packs/change.ts';
import type { Exit } from '../command.ts';
import { withWriting } from '../open.ts';
import { policyLine } from '../ui/packs.ts';
import { PolicyCommand } from './policy.ts';

export class PackCreateCommand extends PolicyCommand {
  static override paths = [['pack', 'create']];
  static override exits = { 0: 'made', 1: 'there is a pack of that name, or the write failed' };
  static override usage = Command.Usage({
    description: 'Make an empty pack.',
    details: `
      A name has up to 60 of a-z, 0-9, ".", "_" and "-". What is not given is as the settings \`packs.*\` have it.

      With \`--json\`: {"name", "policy": {"budgetTokens", "fill", "tokenizer", "layout"}}.
    `,
    examples: [
      ['A pack with a limit', '$0 pack create auth --budget 24000'],
      ['Then say what belongs in it', "$0 pack add auth 'glob:src/auth/**/*.ts'"],
    ],
  });

  name = Option.String({ name: 'name' });

  async execute(): Promise<Exit> {
    const { name, asked } = this;
    return withWriting(this.context, (project) => {
      const policy = createPack(project, name, asked, 'cli');
      return this.answer({ name, policy }, () => [policyLine(name, policy)]);
    });
  }
}
