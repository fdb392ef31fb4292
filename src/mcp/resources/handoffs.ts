import { allHandoffs, findHandoff, nameOf, textOf } from '../../handoff/of-project.ts';
import type { ResourceTemplate } from './resource.ts';

const LISTED_MAX = 20;

const HANDOFF = {
  title: 'Handoff',
  description: 'A handoff document, as it was written.',
  mimeType: 'text/markdown',
} as const;

export const handoffTemplate: ResourceTemplate = {
  uriTemplate: 'ben10://handoffs/{id}',
  name: 'handoff',
  ...HANDOFF,
  read: ({ project }, id) => project.redact(textOf(project, findHandoff(project, undefined, id))),
  ids: ({ project }) => allHandoffs(project).map(nameOf),
  list: ({ project }) =>
    allHandoffs(project)
      .slice(0, LISTED_MAX)
      .map((one) => ({
        ...HANDOFF,
        uri: `ben10://handoffs/${nameOf(one)}`,
        name: `handoff ${nameOf(one)}`,
      })),
};
