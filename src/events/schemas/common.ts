import * as z from 'zod';

export const blobReference = z.object({ $blob: z.string(), bytes: z.number(), head: z.string() });

/** Text of any length; a long one is a reference to a blob. */
export const text = z.union([z.string(), blobReference]);

export const trace = z.object({
  pos: z.number(),
  uuid: z.string().exactOptional(),
  time: z.number().exactOptional(),
  rewoundTo: z.number().exactOptional(),
});
