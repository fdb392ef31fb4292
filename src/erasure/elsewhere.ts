import { layoutOf } from '../journal/layout.ts';
import { BEN10_DIR } from '../platform/storage-location.ts';
import type { Project } from '../project/open.ts';
import type { Finder } from './finder.ts';
import { findInFiles, findLeft, type Left } from './left.ts';

/**
 * What still holds it in `.ben10` where the journal is kept elsewhere: the settings, and a journal that was left there when its
 * place was changed, which nobody reads any more.
 */
export function findElsewhere(project: Project, finder: Finder): Left[] {
  const { dir, ports, decoders } = project;
  const root = `${dir}/${BEN10_DIR}`;
  if (project.root === root) return [];
  const there = { root, ports, decoders, layout: layoutOf(root) };
  const isOwn = (file: string) => `${root}/${file}`.startsWith(`${project.root}/`);
  const left = [...findLeft(there, finder), ...findInFiles(there, finder)];
  const what = new Map(left.map((one) => [one.file, one.what]));
  return [...what]
    .filter(([file]) => !isOwn(file))
    .map(([file, is]) => ({
      file: `${BEN10_DIR}/${file}`,
      what: is === 'settings' ? is : 'abandoned',
    }));
}
