import { Command, Option } from 'clipanion';
import { nearName } from '../../platform/config/nearest.ts';
import { ERROR_GUIDE } from '../../platform/error-guide.ts';
import { Ben10Error, type ErrorCode } from '../../platform/errors.ts';
import { oneLine } from '../../projections/safe-text.ts';
import { Ben10Command } from '../command.ts';
import { table } from '../ui/table.ts';
import { wrap } from '../ui/wrap.ts';

const CODES = Object.keys(ERROR_GUIDE) as ErrorCode[];

export class ExplainCommand extends Ben10Command {
  static override paths = [['explain']];
  static override words = [CODES];
  static override usage = Command.Usage({
    category: 'Maintain',
    description: 'Explain an error code, and what to do about it.',
    details: `
      Without a code it lists all codes. With \`--json\`: {"code", "means", "next"}, or a list of these.
    `,
    examples: [
      ['Explain a code', '$0 explain CONTEXT_LOCKED'],
      ['List all codes', '$0 explain'],
    ],
  });

  code = Option.String({ required: false, name: 'code' });

  async execute() {
    if (this.code === undefined) return this.#list();
    const code = codeOf(this.code);
    const { means, next } = ERROR_GUIDE[code];
    const steps = next.map((step) => wrap(`- ${step}`));
    return this.answer({ code, means, next }, () => [
      this.colours.bold(code),
      wrap(means),
      '',
      ...steps,
    ]);
  }

  #list() {
    const all = CODES.map((code) => ({ code, ...ERROR_GUIDE[code] }));
    const rows = all.map(({ code, means }) => [code, means]);
    return this.answer(all, () => table(['code', 'means'], rows));
  }
}

/** @throws Ben10Error USAGE */
function codeOf(given: string): ErrorCode {
  const code = CODES.find((one) => one === given.trim().toUpperCase());
  if (code !== undefined) return code;
  const near = nearName(given.trim().toUpperCase(), CODES);
  throw new Ben10Error('USAGE', `there is no code "${oneLine(given).slice(0, 60)}"`, {
    next: `${near === undefined ? '' : `Did you mean ${near}? `}All codes: ben10 explain`,
  });
}
