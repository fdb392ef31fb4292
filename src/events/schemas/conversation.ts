import * as z from 'zod';
import { text, trace } from './common.ts';

export const promptSubmitted = z.object({
  text,
  promptId: z.string().exactOptional(),
  cwd: z.string().exactOptional(),
  trace: trace.exactOptional(),
});

export const messageRecorded = z.object({
  role: z.enum(['assistant', 'user']),
  kind: z.enum(['text', 'thinking', 'command']),
  text,
  messageId: z.string().exactOptional(),
  model: z.string().exactOptional(),
  trace: trace.exactOptional(),
});

export const subagentStarted = z.object({ agentType: z.string() });

export const subagentStopped = z.object({
  agentType: z.string(),
  lastMessage: text.exactOptional(),
  transcriptPath: z.string().exactOptional(),
});

export const compactionStarted = z.object({
  trigger: z.string(),
  customInstructions: text.exactOptional(),
});

export const compactionFinished = z.object({
  trigger: z.string(),
  summary: text,
  promptId: z.string().exactOptional(),
  preTokens: z.number().exactOptional(),
  postTokens: z.number().exactOptional(),
  kept: z.object({ uuids: z.array(z.string()), files: z.number() }).exactOptional(),
  trace: trace.exactOptional(),
});

export const usageSampled = z.object({
  messageId: z.string(),
  model: z.string().exactOptional(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheCreationTokens: z.number(),
  cacheReadTokens: z.number(),
  copied: z.literal(true).exactOptional(),
  trace: trace.exactOptional(),
});
