import { Command } from 'clipanion';
import { Ben10Command, EXIT } from '../command.ts';

declare const BEN10_VERSION: string;

/** Set by the build; a checkout that was not built has none. */
export const VERSION = typeof BEN10_VERSION === 'string' ? BEN10_VERSION : '0.0.0';

export class VersionCommand extends Ben10Command {
  static override paths = [['version']];
  static override usage = Command.Usage({
    category: 'More',
    description: 'Print the version of ben10.',
    details:
      'With `--json` also the versions of Node and of the system, as a report of a problem needs them.',
    examples: [
      ['The version', '$0 version'],
      ['What to put into a report of a problem', '$0 version --json'],
    ],
  });

  async execute() {
    const { platform, arch, version } = process;
    if (this.json) this.printJson({ version: VERSION, node: version.slice(1), platform, arch });
    else this.print(VERSION);
    return EXIT.ok;
  }
}
