import {
  findSnapshot,
  nameOfSnapshot,
  payloadOf,
  snapshotsOf,
} from '../../packs/kept/snapshots.ts';
import { packNamed, packsAt, renderWords } from '../../packs/of-project.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import type { ResourceTemplate } from './resource.ts';

/** A client puts a resource into the context as a whole. */
const BYTES_MAX = 1024 * 1024;
const LISTED_MAX = 50;

const PACK = {
  title: 'Context pack',
  description: 'What a context pack renders now.',
  mimeType: 'text/plain',
} as const;

export const packTemplate: ResourceTemplate = {
  uriTemplate: 'ben10://packs/{name}',
  name: 'pack',
  ...PACK,
  read: ({ project }, name) => packNow(project, name),
  ids: ({ project }) => Object.keys(packsAt(project).packs),
  list: ({ project }) =>
    Object.keys(packsAt(project).packs)
      .slice(0, LISTED_MAX)
      .map((name) => ({ ...PACK, uri: `ben10://packs/${name}`, name: `pack ${name}` })),
};

const SNAPSHOT = {
  title: 'Snapshot of context packs',
  description: 'What context packs rendered when the snapshot was taken.',
  mimeType: 'text/plain',
} as const;

export const packSnapshotTemplate: ResourceTemplate = {
  uriTemplate: 'ben10://pack-snapshots/{id}',
  name: 'pack-snapshot',
  ...SNAPSHOT,
  read: ({ project }, id) => bounded(payloadOf(project, findSnapshot(project, id)).payload),
  ids: ({ project }) =>
    snapshotsOf(project)
      .map(({ id }) => id)
      .reverse(),
  list: ({ project }) =>
    snapshotsOf(project)
      .filter(({ label }) => label !== undefined)
      .slice(-LISTED_MAX)
      .reverse()
      .map((one) => ({
        ...SNAPSHOT,
        uri: `ben10://pack-snapshots/${one.id}`,
        name: `pack snapshot ${nameOfSnapshot(one)}`,
      })),
};

/** What a pack renders now, whole. @throws Ben10Error PACK_NOT_FOUND, LIMIT_EXCEEDED */
export async function packNow(project: Project, name: string): Promise<string> {
  packNamed(packsAt(project), name);
  const { payload } = (await renderWords(project, [name])).rendered;
  if (payload.length > 0) return bounded(Buffer.concat(payload));
  throw new Ben10Error('LIMIT_EXCEEDED', `not everything in pack "${name}" fits its budget`, {
    next: `ben10 pack preview ${name} shows what does not`,
  });
}

function bounded(payload: Buffer): string {
  if (payload.length <= BYTES_MAX) return payload.toString('utf8');
  throw new Ben10Error(
    'LIMIT_EXCEEDED',
    `it has ${payload.length} bytes, a resource at most ${BYTES_MAX}`,
    {
      next: 'Give the pack a budget: ben10 pack set NAME --budget 60000; or call ctx_packs_render',
    },
  );
}
