import { blockedLocks } from '../journal/append/locking.ts';
import { DENIED, nextWhenDenied } from '../platform/denied.ts';
import { type Ben10Error, errno } from '../platform/errors.ts';
import { type Finding, fail } from '../platform/finding.ts';
import { nodeFs } from '../platform/fs.ts';
import type { Check, CheckAbout } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import { checkFolder } from './folder.ts';
import { checkJournal } from './journal.ts';
import { checkCertificates, checkDisk, checkLock, checkNode } from './machine.ts';
import { checkHookTime, type HookTime, measureHook } from './measure.ts';
import { checkSettings } from './settings.ts';
import { withoutStoring } from './states.ts';

interface Examination {
  /** False if any finding is a failure. */
  ok: boolean;
  findings: Finding[];
  /** Null if the hook could not be run. */
  hook: HookTime | null;
}

export const nodeCheck: Check = {
  name: 'node',
  isInside: false,
  run: ({ env }) => [checkNode(process.versions.node), checkCertificates(env)],
};

export const lockCheck: Check = {
  name: 'lock',
  isInside: false,
  run({ project: { ports, layout } }) {
    const blocked = isReal(ports, layout.root) ? blockedLocks(ports, layout) : [];
    return [checkLock(ports.lock !== undefined, blocked)];
  },
};

export const diskCheck: Check = {
  name: 'disk',
  isInside: false,
  run: ({ project: { dir, root, ports } }) =>
    checkDisk(ports.fs.statIfThere(root)?.isDirectory === true ? root : dir),
};

export const folderCheck: Check = {
  name: 'folder',
  isInside: false,
  run: ({ project }) => checkFolder(project.root),
};

export const settingsCheck: Check = {
  name: 'configuration',
  isInside: true,
  run: ({ project, env, home }) => checkSettings(project.dir, env, home),
};

export const journalCheck: Check = {
  name: 'journal',
  isInside: true,
  run: ({ project }) => checkJournal(project),
};

/** Runs all checks, in about a second: measuring the hook takes time. */
export function examine(given: CheckAbout, checks: readonly Check[]): Examination {
  const about = { ...given, project: withoutStoring(given.project) };
  const { ports, root } = about.project;
  const hook = timeOf(given.program, given.env);
  const isInReach = isReal(ports, root);
  const findings = checks
    .filter(({ isInside }) => isInReach || !isInside)
    .flatMap((check) => attempt(check.name, () => check.run(about)));
  findings.push(checkHookTime(hook));
  const isOk = findings.every(({ verdict }) => verdict !== 'fail');
  return { ok: isOk, findings, hook: typeof hook === 'string' ? null : hook };
}

/** A file or a link in its place is reported by another check. */
const isReal = ({ fs }: Project['ports'], root: string): boolean =>
  fs.statIfThere(root)?.isDirectory !== false;

function timeOf(program: string, env: NodeJS.ProcessEnv): HookTime | string {
  try {
    return measureHook(program, env);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The file below `.ben10` whose access was denied. */
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
    const next = denied ? nextWhenDenied(nodeFs, denied) : (error as Partial<Ben10Error>).next;
    // Not "run ben10 doctor", which is running.
    const mend =
      next?.endsWith('ben10 doctor') === false
        ? next
        : 'Run ben10 verify, and check your permissions for .ben10';
    return [fail(check, `the check failed: ${(error as Error).message}`, mend)];
  }
}
