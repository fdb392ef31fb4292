import { type Captured, captureCommand } from '../../packs/capture.ts';
import { restIn } from '../../packs/render/source.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import type { ArtifactRecord } from '../../projections/folds/packs.ts';
import { withVisible } from '../../projections/safe-text.ts';
import type { Ben10Context } from '../context.ts';
import { optionalNumber } from '../ui/arguments.ts';
import { confirmed } from '../ui/confirm.ts';
import { count, duration, plural } from '../ui/format.ts';

const TIMEOUT_S_MAX = 600;

export const YES = { description: 'Run the commands without asking.' };
export const TIMEOUT = {
  description: `<SECONDS> The most that each command may take, up to ${TIMEOUT_S_MAX}; by default packs.commandTimeoutS.`,
};

export const timeoutOf = ({ packs }: Project, given: string | undefined): number =>
  optionalNumber('--timeout', given, 1, TIMEOUT_S_MAX) ?? packs.commandTimeoutS;

type Command = Pick<ArtifactRecord, 'source' | 'options'>;

/** Whether a person agrees that commands are run. @throws Ben10Error USAGE where nobody can be asked */
export async function areAgreed(
  { stdin, stderr }: Pick<Ben10Context, 'stdin' | 'stderr'>,
  commands: readonly Command[],
  timeoutS: number,
): Promise<boolean> {
  if ((stdin as { isTTY?: boolean }).isTTY !== true) {
    throw new Ben10Error('USAGE', 'commands need a yes, and nobody can be asked here', {
      next: 'Read what they do, and run it again with --yes.',
    });
  }
  const told = commands.map(
    (one) => `\`${withVisible(restIn(one))}\` in ${withVisible(one.options.cwd ?? '.')}`,
  );
  const [one, ...more] = told;
  const question =
    more.length === 0
      ? `Run ${one} now, for at most ${timeoutS} s, and keep what it prints?`
      : `Run these ${told.length} now, each for at most ${timeoutS} s, and keep what they print?`;
  if (more.length > 0) stderr.write(`${told.join('\n')}\n`);
  // stdout is for the answer, which may be JSON.
  return confirmed({ stdin, stdout: stderr }, question);
}

/** Runs them, one after the other. Ctrl-C ends the one that runs, and keeps those before. */
export async function captureAll(
  { interruption, env }: Pick<Ben10Context, 'interruption' | 'env'>,
  project: Project,
  pack: string,
  artifacts: readonly ArtifactRecord[],
  timeoutS: number,
): Promise<Captured[]> {
  const signal = interruption();
  const all: Captured[] = [];
  for (const one of artifacts)
    all.push(await captureCommand(project, pack, one, { timeoutS, signal, env }));
  return all;
}

/** `exit 1, 14.2 s, 212 lines, 1 secret redacted` */
export function capturedText({ exit, signal, ms, lines, cut, secrets }: Captured): string {
  const how = exit !== null ? `exit ${exit}` : (signal ?? 'stopped at the time limit');
  return [
    how,
    duration(ms),
    plural(lines, 'line'),
    ...(cut > 0 ? [`${count(cut)} bytes left out`] : []),
    ...(secrets > 0 ? [`${plural(secrets, 'secret')} redacted`] : []),
  ].join(', ');
}
