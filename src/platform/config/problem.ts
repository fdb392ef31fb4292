import { Ben10Error } from '../errors.ts';

export interface ConfigProblem {
  /** `redaction.patterns[0].id`, or a variable: `BEN10_LOG_LEVEL`. */
  path: string;
  /** What was expected and what was found, without a full stop. */
  message: string;
  /** Absent for variables. */
  file?: string;
  /** 1-based. */
  line?: number;
  column?: number;
}

/** All problems of a configuration; `message` has the first. */
export class ConfigError extends Ben10Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly [ConfigProblem, ...ConfigProblem[]]) {
    const [first, ...others] = problems;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    const { file, line, column } = first;
    super('CONFIG_INVALID', `${first.message}${more}`, {
      place: {
        ...(file !== undefined && { file }),
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
      },
      next: file === undefined ? 'Correct it and try again.' : `Correct it in ${file}.`,
    });
    this.problems = problems;
  }
}
