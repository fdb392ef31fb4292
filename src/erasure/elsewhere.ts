import { realpathSync } from 'node:fs';
import path from 'node:path';
import { HANDOFFS_DIR } from '../handoff/document.ts';
import { STATE_FILE } from '../handoff/exported.ts';
import { layoutOf } from '../journal/format/layout.ts';
import { configPair, userConfigDir } from '../platform/config/files.ts';
import { earlierPlaces } from '../platform/earlier-places.ts';
import { unlessRefused } from '../platform/errors.ts';
import { readdirIfThere, readFile } from '../platform/files.ts';
import { homeOrTop } from '../platform/home.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { Project } from '../project/open.ts';
import { LOCAL_SETTINGS_FILE, MCP_FILE, SETTINGS_FILE } from '../setup/plan-edit.ts';
import { SEED_FILES } from '../workspace/settings.ts';
import type { Finder } from './finder.ts';
import { findLeft, isHeld, type Left } from './left.ts';

/**
 * What remains outside of the journal's folder: settings in `.ben10`, of the user, of another program and of the
 * client; handoff documents; and journals that were left behind when their place was changed.
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
    ...documents(project)
      .filter((file) => isHeld(project, behindLinks(project.dir, file), finder.isIn))
      .map((file): Left => ({ file, what: 'document' })),
  ];
}

/** They are the user's, who may have written into them. */
const documents = ({ ports, dir }: Project): string[] => [
  ...readdirIfThere(ports.fs, path.join(dir, HANDOFFS_DIR)).map(
    (name) => `${HANDOFFS_DIR}/${name}`,
  ),
  STATE_FILE,
];

/** Follows a link to the real file, if there is one. */
function behindLinks(dir: string, file: string): string {
  const named = path.resolve(dir, file);
  try {
    return realpathSync(named);
  } catch {
    return named;
  }
}

/** Relative to the project, or absolute. */
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

/** Git's index; the largest repositories have about as much. */
const INDEX_BYTES_MAX = 256 * 1024 * 1024;

/** Whether git has the journal: then its history and every clone keep what is erased here. */
export function isInGit({ ports, dir, root }: Project): boolean {
  const journal = Buffer.from(`${path.relative(dir, root).replaceAll(path.sep, '/')}/journal/`);
  for (let at = dir; ; at = path.dirname(at)) {
    const index = path.join(at, '.git/index');
    const bytes = unlessRefused(() => readFile(ports.fs, index, INDEX_BYTES_MAX), undefined);
    if (bytes !== undefined) return bytes.includes(journal);
    if (at === path.dirname(at)) return false;
  }
}
