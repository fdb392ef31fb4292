import * as z from 'zod';
import { text } from './common.ts';

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
  by: z.enum(['event', 'pattern', 'rule', 'age']),
  rule: z.string().exactOptional(),
  targets: z.array(z.number()),
  upto: z.number().exactOptional(),
  kept: z.array(z.number()).exactOptional(),
  bases: z.array(z.number()).exactOptional(),
  origin: z.string().exactOptional(),
});

export const erasureDone = z.object({
  request: z.number(),
  events: z.number(),
  segments: z.number(),
  blobs: z.number(),
});

export const journalBased = z.object({
  projection: z.string(),
  version: z.number(),
  upto: z.number(),
  state: text,
  frontier: z.object({
    seq: z.number(),
    folded: z.array(z.number()),
    place: z
      .object({
        time: z.number(),
        rank: z.union([z.literal(0), z.literal(1)]),
        thread: z.string(),
        position: z.number(),
      })
      .nullable(),
    reached: z.array(z.tuple([z.string(), z.number()])),
    recent: z.array(z.string()),
  }),
});
