import { ConfigError, loadConfig } from '../platform/config.ts';
import { type Finding, fail, warn } from '../platform/finding.ts';
import type { Check } from '../project/doors.ts';
import { compileRedaction, problemText, type RedactionConfig } from './redaction/index.ts';

/** Whether secrets are kept out as the configuration says. */
export const redactionCheck: Check = {
  name: 'redaction',
  isInside: true,
  run({ project, env, home }) {
    try {
      const { config } = loadConfig({ projectDir: project.dir, env, home });
      const found = checkRedaction(config.redaction);
      return config.context.sensitiveRedaction ? found : [...found, OFF];
    } catch (error) {
      // A mistake in the files is told of by the check of these.
      if (error instanceof ConfigError) return [];
      throw error;
    }
  },
};

const OFF = warn(
  'redaction',
  'context.sensitiveRedaction is off: secrets are recorded as they are',
  'Set it to true, and run ben10 scan --journal for what was recorded meanwhile',
);

/** A rule can be well written and yet be refused: it may take too long, or have the name of a built-in one. */
function checkRedaction(config: RedactionConfig): Finding[] {
  const mend = 'Correct it; the entries of all configuration files are counted together';
  return compileRedaction(config).problems.map((problem) => {
    const grade = problem.pattern.startsWith('patterns') ? fail : warn;
    return grade('redaction', problemText(problem), mend);
  });
}
