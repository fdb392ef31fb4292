import { packsAt } from '../../packs/of-project.ts';
import { Ben10Error } from '../../platform/errors.ts';
import { packNow } from '../resources/packs.ts';
import type { Prompt } from './prompt.ts';

export const usePackPrompt: Prompt = {
  name: 'use-pack',
  title: 'Use a context pack',
  description: 'Gives the contents of a context pack.',
  arguments: [
    {
      name: 'pack',
      description: 'Its name.',
      values: ({ project }) => Object.keys(packsAt(project).packs),
    },
  ],
  async get({ pack }, { project }) {
    if (pack === undefined) {
      throw new Ben10Error('USAGE', 'the prompt use-pack needs a pack', {
        next: `There are: ${Object.keys(packsAt(project).packs).join(', ') || 'none yet'}`,
      });
    }
    return `Use this for what comes next; files may have changed since.\n\n${await packNow(project, pack)}`;
  },
};
