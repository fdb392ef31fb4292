import { Command } from 'clipanion';
import { Ben10Command } from '../command.ts';

declare const BEN10_VERSION: string;

/** Set by the build. */
export const VERSION = typeof BEN10_VERSION === 'string' ? BEN10_VERSION : '0.0.0';

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
