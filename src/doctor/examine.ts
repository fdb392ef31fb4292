import path from 'node:path';
import { blockedLocks } from '../journal/append/locking.ts';
import { DENIED, nextWhenDenied } from '../platform/denied.ts';
import { type Ben10Error, errno } from '../platform/errors.ts';
import { nodeFs } from '../platform/fs.ts';
import type { Project } from '../project/open.ts';
import { inspectSetup } from '../setup/inspect.ts';
import { type Finding, fail } from './finding.ts';
import { checkFolder } from './folder.ts';
import { checkGaps, checkUnknownSessions } from './gaps.ts';
import { checkInstallation, checkPrograms } from './installation.ts';
import { checkJournal } from './journal.ts';
import { checkCertificates, checkDisk, checkLock, checkNode } from './machine.ts';
import { checkHookTime, type HookTime, measureHook } from './measure.ts';
import { findProgram } from './programs.ts';
import { checkSettings } from './settings.ts';
import { withoutStoring } from './states.ts';

export interface ExamineOptions {
  project: Project;
  env: NodeJS.ProcessEnv;
  home: string;
  /** The real path of the program that is running. */
  program: string;
}

export interface Examination {
  /** False when any finding is a failure. */
  ok: boolean;
  findings: Finding[];
  /** Null when the hook could not be run. */
  hook: HookTime | null;
}

/** Looks at everything. A check that fails itself is a finding, too. Takes about a second, for the hook's time. */
export function examine({ project: given, env, home, program }: ExamineOptions): Examination {
  const project = withoutStoring(given);
  const { dir, root, ports, layout } = project;
  const clientDir = env.CLAUDE_CONFIG_DIR || path.join(home, '.claude');
  const hook = timeOf(program, env);
  // A file or a link in its place has been told of; what is behind it is nobody's journal.
  const isReal = ports.fs.statIfThere(root)?.isDirectory !== false;
  const inside = (check: string, look: () => Finding[]) => (isReal ? attempt(check, look) : []);
  const findings = [
    ...attempt('node', () => [checkNode(process.versions.node), checkCertificates(env)]),
    ...attempt('lock', () => [
      checkLock(ports.lock !== undefined, isReal ? blockedLocks(ports, layout) : []),
    ]),
    ...attempt('disk', () =>
      checkDisk(isReal && ports.fs.statIfThere(root) !== undefined ? root : dir),
    ),
    ...attempt('folder', () => checkFolder(root)),
    ...inside('configuration', () => checkSettings(dir, env, home)),
    ...attempt('hooks', () => checkSetup(dir, clientDir, program, env)),
    ...inside('journal', () => checkJournal(project)),
    ...inside('gaps', () => [...checkGaps(project), ...checkUnknownSessions(project, clientDir)]),
    checkHookTime(hook),
  ];
  const isOk = findings.every(({ verdict }) => verdict !== 'fail');
  return { ok: isOk, findings, hook: typeof hook === 'string' ? null : hook };
}

function checkSetup(
  dir: string,
  clientDir: string,
  program: string,
  env: NodeJS.ProcessEnv,
): Finding[] {
  const report = inspectSetup(dir, clientDir);
  const programs = report.programs.map((name) => findProgram(name, env.PATH ?? ''));
  return [...checkInstallation(report), ...checkPrograms(programs, program)];
}

function timeOf(program: string, env: NodeJS.ProcessEnv): HookTime | string {
  try {
    return measureHook(program, env);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The file of ben10's that was denied: the client's are somebody else's business. */
function deniedFile(error: unknown): string | undefined {
  if (!DENIED.has(errno(error))) return undefined;
  const { path: file } = error as { path?: unknown };
  return typeof file === 'string' && /[\\/]\.ben10[\\/]/.test(file) ? file : undefined;
}

function attempt(check: string, look: () => Finding[]): Finding[] {
  try {
    return look();
  } catch (error) {
    const denied = deniedFile(error);
    const told = denied ? nextWhenDenied(nodeFs, denied) : (error as Partial<Ben10Error>).next;
    // The doctor is what is running.
    const mend =
      told?.endsWith('ben10 doctor') === false
        ? told
        : 'Run ben10 verify, and see whether you may read and write .ben10';
    return [fail(check, `it could not be looked at: ${(error as Error).message}`, mend)];
  }
}
