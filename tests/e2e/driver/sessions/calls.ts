/**
 * Tool calls that the scripted sessions share.
 */
import { PROJECT } from '../scenario.ts';

export const TODO_FILE = `${PROJECT}/src/todo.js`;

/** Fails with exit code 3 until src/todo.js knows due dates. */
export const check = {
  name: 'Bash',
  input: { command: 'sh check.sh', description: 'Run the check' },
};

/** `path` is relative to the project. */
export const read = (path: string) => ({
  name: 'Read',
  input: { file_path: `${PROJECT}/${path}` },
});

export const createTask = (subject: string, description: string) => ({
  name: 'TaskCreate',
  input: { subject, description, activeForm: subject },
});

/** The client numbers tasks from 1. */
export const setTask = (taskId: string, status: string) => ({
  name: 'TaskUpdate',
  input: { taskId, status },
});
