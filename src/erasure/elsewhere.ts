import { realpathSync } from 'node:fs';
import path from 'node:path';
import { layoutOf } from '../journal/format/layout.ts';
import { configPair, userConfigDir } from '../platform/config/files.ts';
import { earlierPlaces } from '../platform/earlier-places.ts';
import { errno } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import { homeOrTop } from '../platform/home.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { Project } from '../project/open.ts';
import { LOCAL_SETTINGS_FILE, MCP_FILE, SETTINGS_FILE } from '../setup/plan-edit.ts';
import { SEED_FILES } from '../workspace/settings.ts';
import type { Finder } from './finder.ts';
import { findLeft, isHeld, type Left } from './left.ts';

/**
 * What still holds it outside of the folder with the journal: settings, in `.ben10`, of the user for all projects, of another
 * program that ben10 reads and of the client for this project; and journals that were left where they were when their place was
 * changed, which nobody reads any more.
 */
export function findElsewhere(project: Project, finder: Finder): Left[] {
  const now = project.root.slice(project.dir.length + 1);
  const places = new Set([BEN10_DIR, ...earlierPlaces(project.dir, now)]);
  places.delete(now);
  return [
    ...[...places].flatMap((place) => findIn(project, finder, place)),
    ...settingsBeside()
      .filter((file) => isHeld(project, behindLinks(project.dir, file), finder.isIn))
      .map((file): Left => ({ file, what: 'settings' })),
  ];
}

/** Where a file is that people may have put behind a link; what is not there stays what it is. */
function behindLinks(dir: string, file: string): string {
  const named = path.resolve(dir, file);
  try {
    return realpathSync(named);
  } catch {
    return named;
  }
}

/** Below the project's folder, or absolute. */
const settingsBeside = (): string[] => [
  ...Object.values(configPair(userConfigDir(process.env, homeOrTop()))),
  ...SEED_FILES,
  SETTINGS_FILE,
  LOCAL_SETTINGS_FILE,
  MCP_FILE,
];

function findIn(
  { dir, root: own, ports, decoders }: Project,
  finder: Finder,
  place: string,
): Left[] {
  const root = `${dir}/${place}`;
  const there = { root, ports, decoders, layout: layoutOf(root) };
  const isOwn = (file: string) => `${root}/${file}`.startsWith(`${own}/`);
  return findLeft(there, finder)
    .filter(({ file }) => !isOwn(file))
    .map(({ file, what }) => ({
      file: `${place}/${file}`,
      what: what === 'settings' ? what : 'abandoned',
    }));
}

/** Git's list of the files that it has; those of the largest repositories are about as large. */
const INDEX_BYTES_MAX = 256 * 1024 * 1024;

/** Whether git has the journal of this project: then its history, and every clone, holds what is erased here. */
export function isInGit({ ports, dir, root }: Project): boolean {
  const journal = Buffer.from(`${path.relative(dir, root).replaceAll(path.sep, '/')}/journal/`);
  for (let at = dir; ; at = path.dirname(at)) {
    try {
      return readFile(ports.fs, path.join(at, '.git/index'), INDEX_BYTES_MAX).includes(journal);
    } catch (error) {
      if (errno(error) === undefined) throw error;
    }
    if (at === path.dirname(at)) return false;
  }
}
