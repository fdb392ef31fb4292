import { Ben10Error } from '../errors.ts';

/** One thing that is wrong in a configuration. */
export interface ConfigProblem {
  /** The setting, the place in it, or the variable: `redaction.patterns[0].id`, `BEN10_LOG_LEVEL`. */
  path: string;
  /** A whole sentence without its full stop: what was expected, what was found. */
  message: string;
  /** Absent for variables and flags. */
  file?: string;
  /** 1-based. */
  line?: number;
  column?: number;
}

/** Everything that is wrong with the configuration, in one error: the first problem speaks for all in `message`. */
export class ConfigError extends Ben10Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly [ConfigProblem, ...ConfigProblem[]]) {
    const [first, ...others] = problems;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    const { file, line, column } = first;
    super('CONFIG_INVALID', `${first.message}${more}`, {
      place: {
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
      },
      next: file === undefined ? 'Correct it and try again.' : `Correct it in ${file}.`,
    });
    this.problems = problems;
  }
}
