import * as z from 'zod';

const todo = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
});

export const workSaved = z.object({
  worktree: z.string(),
  trigger: z.string(),
  taskSummary: z.string().exactOptional(),
  workingFiles: z.array(z.string()).exactOptional(),
  notes: z.string().exactOptional(),
  todos: z.array(todo).exactOptional(),
});

export const environmentObserved = z.object({
  worktree: z.string(),
  kinds: z.array(z.string()),
  things: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      state: z.string(),
      detail: z.string().exactOptional(),
      unseen: z.literal(true).exactOptional(),
    }),
  ),
  asked: z.record(z.string(), z.string()).exactOptional(),
  cut: z.array(z.string()).exactOptional(),
});

export const environmentTold = z.object({
  worktree: z.string(),
  upto: z.number(),
  chars: z.number(),
});
