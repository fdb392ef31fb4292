import * as z from 'zod';
import { CATALOGUE } from '../catalogue.ts';
import type { EventType } from '../types.ts';
import { trace } from './common.ts';

export const transcriptRead = z.object({
  path: z.string(),
  from: z.number(),
  to: z.number(),
  tail: z.string(),
  records: z.number(),
  malformed: z.number(),
  unknown: z.record(z.string(), z.number()),
  partial: z.literal(true).exactOptional(),
  overlapping: z.literal(true).exactOptional(),
  latest: z.number().exactOptional(),
  running: z
    .object({ promptId: z.string(), prompts: z.number(), compactions: z.number() })
    .exactOptional(),
});

export const factEnriched = z.object({
  of: z.string(),
  type: z.enum(Object.keys(CATALOGUE) as [EventType]),
  trace: trace.exactOptional(),
  more: z.record(z.string(), z.unknown()).exactOptional(),
});
