import * as z from 'zod';
import { text, trace } from './common.ts';

export const toolCalled = z.object({
  toolUseId: z.string(),
  name: z.string(),
  input: z.unknown(),
  promptId: z.string().exactOptional(),
  trace: trace.exactOptional(),
});

export const toolSucceeded = z.object({
  toolUseId: z.string(),
  name: z.string().exactOptional(),
  response: z.unknown().optional(),
  durationMs: z.number().exactOptional(),
  trace: trace.exactOptional(),
});

export const toolFailed = z.object({
  toolUseId: z.string(),
  name: z.string().exactOptional(),
  error: text,
  exitCode: z.number().exactOptional(),
  isInterrupt: z.boolean().exactOptional(),
  durationMs: z.number().exactOptional(),
  trace: trace.exactOptional(),
});
