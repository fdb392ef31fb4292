import { Ben10Error, errno } from '../../platform/errors.ts';
import type { ServerContext } from '../context.ts';
import { contextResource } from './context.ts';
import { preferencesResource } from './preferences.ts';
import { idIn, type Resource, type ResourceTemplate } from './resource.ts';
import { snapshotsResource, snapshotTemplate } from './snapshots.ts';
import { statusResource } from './status.ts';

export type { Resource, ResourceTemplate } from './resource.ts';

export const RESOURCES: readonly Resource[] = [
  statusResource,
  contextResource,
  preferencesResource,
  snapshotsResource,
];

/** Many of a kind, each named by a part of its address. */
export const TEMPLATES: readonly ResourceTemplate[] = [snapshotTemplate];

/** What a client can show: the resources, and the newest of each kind. Where no journal can be read, the former alone. */
export function listResources(context: ServerContext) {
  const own = RESOURCES.map(({ read, ...about }) => about);
  try {
    return [...own, ...TEMPLATES.flatMap((template) => template.list(context))];
  } catch (error) {
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
    return own;
  }
}

/** @returns undefined when nothing can have that address */
export function readUri(
  uri: string,
  context: ServerContext,
): { data: object; mimeType: string } | undefined {
  const resource = RESOURCES.find((one) => one.uri === uri);
  if (resource !== undefined) return { data: resource.read(context), mimeType: resource.mimeType };
  for (const template of TEMPLATES) {
    const id = idIn(template, uri);
    if (id !== undefined) return { data: template.read(context, id), mimeType: template.mimeType };
  }
  return undefined;
}

/** The ids that a template's `{id}` can be. */
export function templateValues(uri: string, name: string, context: ServerContext): string[] {
  const template = TEMPLATES.find(({ uriTemplate }) => uriTemplate === uri);
  return template === undefined || name !== 'id' ? [] : template.ids(context);
}
