import * as z from 'zod';

export const contextMetrics = z.object({
  tokens: z.number().exactOptional(),
  messages: z.number(),
  files: z.number(),
  toolExecutions: z.number(),
});

export const snapshotCreated = z.object({
  snapshot: z.string(),
  trigger: z.enum(['threshold', 'manual', 'memory_pressure']),
  upto: z.number(),
  file: z.string(),
  before: contextMetrics,
  contentHash: z.string(),
  plainBytes: z.number(),
  bytes: z.number(),
});

export const snapshotCompleted = z.object({ snapshot: z.string(), after: contextMetrics });

export const snapshotAnnotated = z.object({
  snapshot: z.string(),
  contentHash: z.string().exactOptional(),
  pinned: z.boolean().exactOptional(),
  tags: z.array(z.string()).exactOptional(),
  note: z.string().exactOptional(),
});

export const snapshotRemoved = z.object({
  snapshot: z.string(),
  why: z.enum(['asked', 'count', 'age', 'size']),
});
