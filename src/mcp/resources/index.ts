import { Ben10Error, errno } from '../../platform/errors.ts';
import type { ServerContext } from '../context.ts';
import { idIn } from './resource.ts';

/** The resources and the newest of each template; if the journal cannot be read, only the former. */
export function listResources(context: ServerContext) {
  const { resources, templates } = context.offer;
  const own = resources.map(({ read, ...about }) => about);
  try {
    return [...own, ...templates.flatMap((template) => template.list(context))];
  } catch (error) {
    if (!(error instanceof Ben10Error) && errno(error) === undefined) throw error;
    return own;
  }
}

/** @returns undefined for an unknown address */
export async function readUri(
  uri: string,
  context: ServerContext,
): Promise<{ data: object | string; mimeType: string } | undefined> {
  const { resources, templates } = context.offer;
  const resource = resources.find((one) => one.uri === uri);
  if (resource !== undefined) return { data: resource.read(context), mimeType: resource.mimeType };
  for (const template of templates) {
    const id = idIn(template, uri);
    if (id !== undefined)
      return { data: await template.read(context, id), mimeType: template.mimeType };
  }
  return undefined;
}

/** Values for the part of a template that is to be filled in. */
export function templateValues(uri: string, name: string, context: ServerContext): string[] {
  const template = context.offer.templates.find(({ uriTemplate }) => uriTemplate === uri);
  return template?.uriTemplate.endsWith(`{${name}}`) ? template.ids(context) : [];
}
