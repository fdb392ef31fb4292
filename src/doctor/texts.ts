import { blobPath, listBlobs } from '../journal/append/blobs.ts';
import { refusalOf } from '../journal/read/refused.ts';
import { type Finding, fail, warn } from '../platform/finding.ts';
import type { Project } from '../project/open.ts';
import { touch } from './touch.ts';

/** Files that are named; the others are counted. */
const NAMED_MAX = 5;

/**
 * Texts beside the journal that the system does not give: each is opened, and its first byte read. Whether they are what was stored
 * is for `ben10 verify` to say.
 */
export function checkTexts(project: Project): Finding[] {
  const { ports, layout } = project;
  const files = listBlobs(ports, layout).map((name) => blobPath(layout, name));
  for (const file of files) touch(project, file);
  const refused = [...(ports.refused?.keys() ?? [])]
    .filter((file) => file.startsWith(`${layout.blobs}/`))
    .flatMap((file) => refusalOf(ports, file) ?? []);
  const more = refused.length - NAMED_MAX;
  return [
    ...refused
      .slice(0, NAMED_MAX)
      .map(({ file, why, next }) =>
        fail('texts', `${file} cannot be read (${why}): its events keep how it starts`, next),
      ),
    ...(more > 0 ? [warn('texts', `and ${more} more`, 'See all: ben10 verify')] : []),
  ];
}
