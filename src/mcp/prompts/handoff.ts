import { allHandoffs, findHandoff, nameOf } from '../../handoff/of-project.ts';
import { orient } from '../../handoff/orient.ts';
import type { Prompt } from './prompt.ts';

const CREATE =
  'Call create_handoff: next_steps in the order in which they are to be done, each so that somebody who knows nothing of this session can do it; rejected with what was tried and dropped, and why.';

export const handoffPrompt: Prompt = {
  name: 'handoff',
  title: 'Hand the work off',
  description: 'Writes a handoff with your next steps, then stops.',
  arguments: [],
  get: () =>
    `Hand the work off to the next session. ${CREATE} Then say where the handoff is, and stop: do nothing more.`,
};

export const checkpointPrompt: Prompt = {
  name: 'checkpoint',
  title: 'Take a checkpoint',
  description: 'Commits work in progress, writes a handoff, and goes on.',
  arguments: [],
  get: () => `Take a checkpoint of the work. ${CREATE} Then go on.`,
};

export const orientPrompt: Prompt = {
  name: 'orient',
  title: 'Go on from a handoff',
  description: 'The last handoff with what has changed since, to go on from.',
  arguments: [
    {
      name: 'handoff',
      description: 'Its name. Default: the newest of this worktree and branch.',
      values: ({ project }) => allHandoffs(project).map(nameOf),
    },
  ],
  get({ handoff }, { project }) {
    const { text } = orient(project, findHandoff(project, process.cwd(), handoff));
    return `Go on from the handoff below: do not start over, and do not rely on what has changed since. Say in a few sentences where the work stands, then do the first of its next steps.\n\n${text}`;
  },
};
