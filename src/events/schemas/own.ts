import * as z from 'zod';

export const recallInjected = z.object({
  event: z.string(),
  source: z.string(),
  chars: z.number(),
  items: z.array(z.object({ kind: z.string(), seq: z.number(), key: z.string() })),
});

export const contextSaved = z.object({ name: z.string(), upto: z.number(), file: z.string() });

export const contextRestored = z.object({
  point: z.string(),
  mode: z.string(),
  chars: z.number(),
  upto: z.number().exactOptional(),
});

export const checkpointCreated = z.object({ upto: z.number(), projections: z.array(z.string()) });

export const contextCleared = z.object({ upto: z.number() });

export const contextMerged = z.object({
  strategy: z.enum(['journal', 'disk', 'newest']),
  files: z.array(
    z.object({
      path: z.string(),
      believed: z.enum(['journal', 'disk']),
      hash: z.string().exactOptional(),
      bytes: z.number().exactOptional(),
      movedTo: z.string().exactOptional(),
    }),
  ),
});

export const preferenceRetracted = z.object({
  key: z.string(),
  text: z.string().exactOptional(),
});
