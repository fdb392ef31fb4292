import { Command, Option } from 'clipanion';
import { Ben10Command, EXIT } from '../command.ts';
import { oneOf } from '../ui/arguments.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export class CompletionCommand extends Ben10Command {
  static override paths = [['completion']];
  static override exits = { 0: 'printed', 1: 'not used' };
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Print a script that completes commands and options in your shell.',
    details: `
      - bash: add \`source <(ben10 completion bash)\` to ~/.bashrc
      - zsh: add \`source <(ben10 completion zsh)\` to ~/.zshrc, after compinit
      - fish: ben10 completion fish > ~/.config/fish/completions/ben10.fish
    `,
    examples: [
      ['In the current bash', 'source <($0 completion bash)'],
      ['For fish', '$0 completion fish > ~/.config/fish/completions/ben10.fish'],
    ],
  });

  shell = Option.String({ name: 'shell' });

  async execute() {
    const shell = oneOf('SHELL', this.shell, SHELLS);
    const { completionFor, describeCommands } = await import('../ui/completion.ts');
    const script = completionFor(shell, await describeCommands());
    if (this.json) this.printJson({ shell, script });
    else this.context.stdout.write(script);
    return EXIT.ok;
  }
}
