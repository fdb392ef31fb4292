import { lstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Place } from '../platform/place.ts';
import type { Project } from '../project/open.ts';
import { fieldOf } from '../projections/bounds.ts';
import { NAME_CHARS, STATE_CHARS, workspace } from '../projections/folds/workspace.ts';
import { type Clean, cleaner } from './clean.ts';
import { withKnownDetail } from './things.ts';

const BYTES_MAX = 4096;

/**
 * The checked-out branch as a look would name it, from two small files: a hook asks for it at every prompt.
 * @returns undefined outside of a repository; no branch if its files do not say
 */
export function headOfRepository(from: string): Head | undefined {
  for (let dir = from; ; dir = path.dirname(dir)) {
    const git = path.join(dir, '.git');
    const stat = lstatSync(git, { throwIfNoEntry: false });
    if (stat !== undefined) {
      const folder = stat.isFile() ? linkedFolder(dir, git) : git;
      const branch = folder && branchIn(small(path.join(folder, 'HEAD')) ?? '');
      return { dir, branch };
    }
    if (dir === path.dirname(dir)) return undefined;
  }
}

interface Head {
  dir: string;
  branch: string | undefined;
}

/** In worktrees and submodules `.git` is a file with the path of git's folder. */
function linkedFolder(dir: string, file: string): string | undefined {
  const [, folder] = /^gitdir: (.+)\s*$/.exec(small(file) ?? '') ?? [];
  return folder && path.resolve(dir, folder.trimEnd());
}

function branchIn(head: string): string | undefined {
  const [, commit] = /^([0-9a-f]{40}(?:[0-9a-f]{24})?)\s*$/.exec(head) ?? [];
  if (commit !== undefined) return `detached at ${commit.slice(0, 9)}`;
  // With reference tables, HEAD names a branch that cannot exist.
  return /^ref: refs\/heads\/((?!\.)\S+)\s*$/.exec(head)?.[1];
}

function small(file: string): string | undefined {
  try {
    const stat = statSync(file);
    return stat.isFile() && stat.size <= BYTES_MAX ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** The place's repository, named as by a look; undefined if there is none. */
export function ownRepository(
  place: Place,
  clean: Clean,
): { name: string; branch: string | undefined } | undefined {
  const head = headOfRepository(place.dir);
  return head && { name: clean(path.basename(head.dir), NAME_CHARS), branch: head.branch };
}

/** Records a branch that differs from the last look, if there was one. */
export function lookAtHead(project: Project, place: Place, session: string): void {
  const { worktrees } = project.states.at(workspace, null).state;
  const { things: all = [], cut = [] } = fieldOf(worktrees, place.worktree) ?? {};
  const repositories = all.filter(({ kind }) => kind === 'repository');
  const clean = cleaner(project.redact);
  const own = repositories.length === 0 ? undefined : ownRepository(place, clean);
  if (own?.branch === undefined) return;
  const { name } = own;
  const state = clean(own.branch, STATE_CHARS);
  const known = repositories.find((one) => one.name === name);
  if (known === undefined || known.state === state) return;
  const things = repositories.map((one) =>
    one === known ? withKnownDetail(one, { kind: one.kind, name, state }) : one,
  );
  const { recorder } = project;
  const kinds = ['repository'];
  const isCut = cut.includes('repository');
  const data = { worktree: place.worktree, kinds, things, ...(isCut && { cut: kinds }) };
  recorder.append([recorder.ownEvent('environment.observed', session, data, 'hook')]);
}
