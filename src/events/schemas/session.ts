import * as z from 'zod';
import { text } from './common.ts';

export const sessionStarted = z.object({
  source: z.string(),
  cwd: z.string().exactOptional(),
  transcriptPath: z.string().exactOptional(),
  model: z.string().exactOptional(),
  worktree: z.string(),
});

export const sessionEnded = z.object({ reason: z.string() });

export const turnEnded = z.object({
  lastMessage: text.exactOptional(),
  error: z.string().exactOptional(),
});

export const hookReceived = z.object({ event: z.string(), payload: z.unknown() });
