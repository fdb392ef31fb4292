import { blobPath, listBlobs } from '../journal/append/blobs.ts';
import { refusalOf } from '../journal/read/refused.ts';
import { type Finding, fail, warn } from '../platform/finding.ts';
import type { Project } from '../project/open.ts';
import { touch } from './touch.ts';

const NAMED_MAX = 5;

/** Blobs that cannot be opened. `ben10 verify` checks their content. */
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
        fail('blobs', `${file} cannot be read (${why}): its events only have its beginning`, next),
      ),
    ...(more > 0 ? [warn('blobs', `and ${more} more`, 'To see all, run: ben10 verify')] : []),
  ];
}
