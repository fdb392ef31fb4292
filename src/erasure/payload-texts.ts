import { keptFiles } from '../journal/erase/derived.ts';
import { CONTAINER_FILE_BYTES_MAX, decodeContainer } from '../journal/format/container.ts';
import { type KeptPayload, payloadIn } from '../packs/kept/payload-file.ts';
import { unlessRefused } from '../platform/errors.ts';
import { readFile } from '../platform/files.ts';
import type { Project } from '../project/open.ts';
import { nameOfFile, type Searched } from './searched.ts';

/** All that a payload of packs says. */
export function textsOf({ manifest, payload }: KeptPayload): string[] {
  const said = manifest.flatMap(({ source, label, path = '' }) => [source, label, path]);
  return [payload.toString('utf8'), ...new Set(said)];
}

/** To match a pattern or rule with. */
export function* saidInPayloads(
  project: Project,
  searched: Searched,
): Generator<{ texts: string[]; data: null }> {
  for (const path of keptFiles(project.ports, project.layout)) {
    const name = nameOfFile(project, path);
    if (name === undefined || !searched.isNew(name)) continue;
    const found = readPayload(project, path);
    if (found !== undefined) yield { texts: textsOf(found), data: null };
  }
}

export function readPayload({ ports, decoders }: Project, path: string): KeptPayload | undefined {
  const bytes = unlessRefused(() => readFile(ports.fs, path, CONTAINER_FILE_BYTES_MAX), undefined);
  const plain = bytes && decodeContainer(bytes, decoders, ports.xxh64);
  return plain && payloadIn(plain);
}
