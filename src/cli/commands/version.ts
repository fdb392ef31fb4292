import { Command } from 'clipanion';
import { VERSION } from '../../platform/version.ts';
import { Ben10Command } from '../command.ts';

export class VersionCommand extends Ben10Command {
  static override paths = [['version']];
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Print the version of ben10.',
    details: 'With `--json` also the versions of Node and of the system, for bug reports.',
    examples: [
      ['The version', '$0 version'],
      ['For a bug report', '$0 version --json'],
    ],
  });

  async execute() {
    const { platform, arch, version } = process;
    const data = { version: VERSION, node: version.slice(1), platform, arch };
    return this.answer(data, () => [VERSION]);
  }
}
