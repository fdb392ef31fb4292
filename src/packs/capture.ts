import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { PackCaptured } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';
import { isOutside } from '../platform/inside.ts';
import { Ends } from '../platform/programs/ends.ts';
import { runShell } from '../platform/programs/shell.ts';
import type { Project } from '../project/open.ts';
import type { ArtifactRecord } from '../projections/folds/packs.ts';
import { keptOf } from './output-ends.ts';
import { restIn } from './render/source.ts';

/** What is kept of an output: its beginning and its end, cut at lines. */
const LIMITS = { first: 64 * 1024, last: 192 * 1024 };
/** Of what is cut off beside them, so that a secret that goes over a cut is known. */
const BESIDE_BYTES = 64 * 1024;

export interface Captured extends Omit<PackCaptured, 'output'> {
  lines: number;
  secrets: number;
}

interface How {
  timeoutS: number;
  /** Ends the command; then nothing is kept. */
  signal: AbortSignal;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a command of a pack, and keeps what it prints: the only place where one is run. A person has agreed to it.
 * @throws Ben10Error USAGE for a folder outside of the project, or after an interruption; FS_NOT_FOUND
 */
export async function captureCommand(
  project: Project,
  pack: string,
  artifact: Pick<ArtifactRecord, 'id' | 'source' | 'options'>,
  { timeoutS, signal, env }: How,
): Promise<Captured> {
  const command = restIn(artifact);
  const { cwd = '.' } = artifact.options;
  const ends = new Ends(LIMITS.first + BESIDE_BYTES, LIMITS.last + BESIDE_BYTES);
  const ended = await runShell(command, {
    cwd: folderOf(project.dir, cwd),
    env,
    timeoutMs: timeoutS * 1000,
    signal,
    printed: (chunk) => ends.add(chunk),
  });
  if (signal.aborted) throw new Ben10Error('USAGE', 'interrupted; nothing was kept');
  const { output, cut, secrets } = keptOf(ends, project.redaction, LIMITS);
  const what = { name: pack, artifact: artifact.id, command, cwd };
  const captured = { ...what, ...ended, bytes: ends.bytes, cut };
  const { recorder } = project;
  recorder.append([recorder.ownEvent('pack.captured', null, { ...captured, output }, 'cli')]);
  return { ...captured, secrets, lines: output.split('\n').length - 1 };
}

/** A link must not lead out. */
function folderOf(top: string, cwd: string): string {
  const dir = realpathSync.native(path.join(top, cwd));
  if (!isOutside(realpathSync.native(top), dir)) return dir;
  throw new Ben10Error('USAGE', `${cwd} leads out of the project`, {
    next: 'Give a folder of the project: --cwd src',
  });
}
