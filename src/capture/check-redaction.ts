import { ConfigError, loadConfig } from '../platform/config.ts';
import { type Finding, fail, warn } from '../platform/finding.ts';
import type { Check } from '../project/doors.ts';
import { compileRedaction, problemText, type RedactionConfig } from './redaction/index.ts';

/** Whether redaction works as configured. */
export const redactionCheck: Check = {
  name: 'redaction',
  isInside: true,
  run({ project, env, home }) {
    try {
      const { config } = loadConfig({ projectDir: project.dir, env, home });
      const found = checkRedaction(config.redaction);
      return config.context.sensitiveRedaction ? found : [...found, OFF];
    } catch (error) {
      // Mistakes in the files are reported by their own check.
      if (error instanceof ConfigError) return [];
      throw error;
    }
  },
};

const OFF = warn(
  'redaction',
  'context.sensitiveRedaction is off: secrets are recorded as they are',
  'Set it to true, then run ben10 scan --journal to check what was recorded',
);

/** A well-written rule may still be refused: it is too slow, or named like a built-in one. */
function checkRedaction(config: RedactionConfig): Finding[] {
  const mend = 'Correct it. Entries are numbered through all configuration files';
  return compileRedaction(config).problems.map((problem) => {
    const grade = problem.pattern.startsWith('patterns') ? fail : warn;
    return grade('redaction', problemText(problem), mend);
  });
}
