import { layoutOf } from '../journal/layout.ts';
import { earlierPlaces } from '../platform/earlier-places.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { Project } from '../project/open.ts';
import type { Finder } from './finder.ts';
import { findInFiles, findLeft, type Left } from './left.ts';

/**
 * What still holds it outside of the folder with the journal: the settings in `.ben10`, and journals that were left where they
 * were when their place was changed, which nobody reads any more.
 */
export function findElsewhere(project: Project, finder: Finder): Left[] {
  const now = project.root.slice(project.dir.length + 1);
  const places = new Set([BEN10_DIR, ...earlierPlaces(project.dir, now)]);
  places.delete(now);
  return [...places].flatMap((place) => findIn(project, finder, place));
}

function findIn(
  { dir, root: own, ports, decoders }: Project,
  finder: Finder,
  place: string,
): Left[] {
  const root = `${dir}/${place}`;
  const there = { root, ports, decoders, layout: layoutOf(root) };
  const isOwn = (file: string) => `${root}/${file}`.startsWith(`${own}/`);
  const left = [...findLeft(there, finder), ...findInFiles(there, finder)];
  const what = new Map(left.map((one) => [one.file, one.what]));
  return [...what]
    .filter(([file]) => !isOwn(file))
    .map(([file, is]) => ({
      file: `${place}/${file}`,
      what: is === 'settings' ? is : 'abandoned',
    }));
}
