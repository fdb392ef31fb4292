import * as z from 'zod';

export const eventSuperseded = z.object({
  seq: z.number(),
  event: z.object({
    type: z.string(),
    version: z.number(),
    session: z.string().nullable(),
    agent: z.string().nullable(),
    client: z.string().nullable(),
    source: z.string(),
    at: z.number().nullable(),
    data: z.unknown(),
  }),
});

export const erasureRequested = z.object({
  by: z.enum(['event', 'pattern', 'rule']),
  rule: z.string().exactOptional(),
  targets: z.array(z.number()),
  origin: z.string().exactOptional(),
});

export const erasureDone = z.object({
  request: z.number(),
  events: z.number(),
  segments: z.number(),
  blobs: z.number(),
});
