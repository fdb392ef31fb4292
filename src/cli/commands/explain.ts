import { Command, Option } from 'clipanion';
import { nearName } from '../../platform/config/nearest.ts';
import { ERROR_GUIDE } from '../../platform/error-guide.ts';
import { Ben10Error, type ErrorCode } from '../../platform/errors.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command, EXIT } from '../command.ts';
import { table } from '../ui/table.ts';
import { TEXT_WIDTH, wrap } from '../ui/wrap.ts';

const CODES = Object.keys(ERROR_GUIDE) as ErrorCode[];

export class ExplainCommand extends Ben10Command {
  static override paths = [['explain']];
  static override usage = Command.Usage({
    category: 'Keep it in order',
    description: 'Say what an error’s code means, and what to do.',
    details: `
      Without a code it lists all. With \`--json\` it is {"code", "means", "next"}, or a list of these.
    `,
    examples: [
      ['What is wrong?', '$0 explain CONTEXT_LOCKED'],
      ['Which codes are there?', '$0 explain'],
    ],
  });

  code = Option.String({ required: false, name: 'code' });

  async execute() {
    if (this.code === undefined) return this.#list();
    const code = codeOf(this.code);
    const { means, next } = ERROR_GUIDE[code];
    if (this.json) this.printJson({ code, means, next });
    else {
      const steps = next.map((step) => wrap(`- ${step}`, TEXT_WIDTH));
      this.print(this.colours.bold(code), wrap(means, TEXT_WIDTH), '', ...steps);
    }
    return EXIT.ok;
  }

  #list() {
    if (this.json) this.printJson(CODES.map((code) => ({ code, ...ERROR_GUIDE[code] })));
    else
      this.print(
        ...table(
          ['code', 'means'],
          CODES.map((code) => [code, ERROR_GUIDE[code].means]),
        ),
      );
    return EXIT.ok;
  }
}

/** @throws Ben10Error USAGE naming the nearest */
function codeOf(given: string): ErrorCode {
  const code = CODES.find((one) => one === given.trim().toUpperCase());
  if (code !== undefined) return code;
  const near = nearName(given.trim().toUpperCase(), CODES);
  throw new Ben10Error('USAGE', `there is no code "${oneLine(given).slice(0, 60)}"`, {
    next: `${near === undefined ? '' : `The nearest is ${near}. `}All: ben10 explain`,
  });
}
