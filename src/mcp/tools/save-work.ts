import * as z from 'zod';
import { placeOf } from '../../platform/place.ts';
import { OWN_PART } from '../../setup/own-part.ts';
import { parseTodos } from '../../workspace/todos.ts';
import { saveWork } from '../../workspace/work.ts';
import { workingFiles } from '../../workspace/working-files.ts';
import { textAnswer } from '../answer.ts';
import { defineTool, WRITES } from '../tool.ts';

export const saveWorkTool = defineTool({
  name: 'save_work_state',
  title: 'Save the current work',
  description:
    'Saves the current task: get_dev_context and compactions give it back. Call it when the task changes or a stage is done.',
  annotations: WRITES,
  input: z.strictObject({
    task_summary: z.string(),
    working_files: z.array(z.string()).optional().describe('Default: from git status.'),
    notes: z.string().optional(),
    todos: z
      .union([z.string(), z.array(z.any())])
      .optional()
      .describe('Lines, or a list. Default: your task list.'),
  }),
  async run({ task_summary, working_files, notes, todos }, context) {
    const { project } = context;
    const cwd = process.cwd();
    const place = placeOf(project.dir, cwd);
    const saved = saveWork(project, {
      taskSummary: task_summary,
      workingFiles: working_files ?? (await workingFiles(place.dir, OWN_PART)),
      notes,
      todos: todos === undefined ? undefined : parseTodos(todos),
      trigger: 'manual',
      cwd,
      session: project.states.activeSession() ?? undefined,
      source: 'tool',
    });
    if (saved === undefined) return textAnswer('There is nothing to save.');
    context.touched();
    const { workingFiles: files = [], todos: list = [] } = saved;
    const parts = [counted(files, 'file'), counted(list, 'todo')].filter(Boolean).join(', ');
    return textAnswer(`Work state saved successfully${parts === '' ? '' : `: ${parts}`}.`);
  },
});

/** `2 files`; empty for none. */
const counted = ({ length }: readonly unknown[], one: string): string =>
  length === 0 ? '' : `${length} ${one}${length === 1 ? '' : 's'}`;
