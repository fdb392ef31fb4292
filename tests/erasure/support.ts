import { loadZstd } from '../../src/platform/codecs/zstd-write.ts';
import type { Project } from '../../src/project/open.ts';
import { decoders, openTestProject, scratch } from '../support.ts';
import { leakInto } from './leaky.ts';

export * from './leaky.ts';

export const codecs = { zstd: await loadZstd(), decoders };

/** A journal that has the secret in every class of file. */
export function leakyProject(dir: string = scratch()): Project {
  const project = openTestProject(dir);
  leakInto(project, codecs);
  return project;
}
