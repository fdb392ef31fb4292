import { Command } from 'clipanion';
import { PackListCommand } from '../pack/list.ts';

/** Alone it lists; `../pack/verbs.ts` has what else it does. */
export class PackCommand extends PackListCommand {
  static override paths = [['pack']];
  static override usage = Command.Usage({
    category: 'Memory',
    description: 'Packs: named sources, rendered within a token budget.',
    details: `
      A pack names what an agent should know for a kind of work: files, ranges, folders, globs, diffs, outputs of commands, texts, and
      what the journal knows. It renders to the same bytes every time, here and on another machine. Secrets are redacted.

      Packs are in the project's journal: run \`ben10 init\` once before. Each verb has a help: \`ben10 pack add --help\`. Alone it lists
      all packs.
    `,
    examples: [
      [
        'Make a pack, fill it, and look at it',
        "$0 pack create auth && $0 pack add auth 'glob:src/**/*.ts' && $0 pack preview auth",
      ],
      [
        'Keep it, and see later what differs and who changed it',
        '$0 pack snapshot auth --name v1 && $0 pack diff v1',
      ],
      ['Give it to a model', '$0 pack render auth > prompt.txt'],
      ['How many tokens has the source code?', "$0 pack preview 'glob:src/**' --count"],
    ],
  });
}
