import * as z from 'zod';
import { findHandoff } from '../../handoff/of-project.ts';
import { orient } from '../../handoff/orient.ts';
import { textAnswer } from '../answer.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

export const HANDOFF = z.string().max(1000).optional().describe('Name, id or file.');

export const orientTool = defineTool({
  name: 'orient',
  title: 'Where to go on',
  description:
    'The last handoff of this branch: next steps, what changed since, what still holds. Call it when you go on from earlier work.',
  annotations: READ_ONLY,
  input: z.strictObject({ handoff: HANDOFF }),
  run: ({ handoff }, { project }) =>
    textAnswer(orient(project, findHandoff(project, process.cwd(), handoff)).text),
});
