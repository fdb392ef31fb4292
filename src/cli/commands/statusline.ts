import { Command, Option } from 'clipanion';
import { SEGMENTS, STYLES } from '../../statusline/line.ts';
import { Ben10Command, EXIT, type Exit } from '../command.ts';

/** Only for its help: the program prints the line without loading the command line. */
export class StatuslineCommand extends Ben10Command {
  static override paths = [['statusline']];
  static override exits = {
    0: 'always, with a line, whatever comes',
    1: 'never',
    2: 'never: the client would blank the line',
  };
  static override busy = '';
  static override choices = { STYLE: STYLES, LIST: SEGMENTS };
  static override usage = Command.Usage({
    category: 'Run by the client',
    description: 'Print one status line from stdin.',
    details: `
      Claude Code runs this at every message; \`ben10 init\` sets it up. How full the context is comes from the client, else from its
      transcript; \`~\` stands before what is only near. The rest is what ben10 knows of the session. It prints before it records, reads
      no journal, and never fails. What has no room goes, from the right.

      With NO_COLOR, TERM=dumb or \`--ascii\`: no colours, and only plain characters.

      With \`--json\`: {"percent", "level", "source", "window", "tokens", "compactAt", "forecast": {"to", "minutes", "low", "high"},
      "issue", "phase", "checkpoint", "text"}; what is not known is null.
    `,
    examples: [
      ['Try it', `echo '{"context_window":{"used_percentage":72}}' | $0 statusline`],
      ['Keep your own line, too', '$0 statusline --with "npx -y ccstatusline@latest"'],
    ],
  });

  segments = Option.String('--segments', {
    description: `<LIST> Only these, in this order, with commas: ${SEGMENTS.join(' ')}.`,
  });
  columns = Option.String('--width', { description: '<N> Columns. Default: COLUMNS.' });
  style = Option.String('--style', { description: `<STYLE> ${STYLES.join(' or ')}.` });
  ascii = Option.Boolean('--ascii', false, { description: 'Only plain characters, no colours.' });
  with = Option.String('--with', {
    description: '<COMMAND> Another status line, which gets the same input and a row of its own.',
  });

  async execute(): Promise<Exit> {
    return EXIT.ok;
  }
}
