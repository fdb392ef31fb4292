import * as z from 'zod';
import { CATALOGUE, type EventType } from './catalogue.ts';
import type { Fields, Kind } from './fields.ts';

/** The zod schema of an event's data; never loaded by a hook. Unknown fields pass. */
export const schemaOf = (type: EventType): z.ZodObject => objectOf(CATALOGUE[type].fields);

type MakeObject = (fields: Record<string, z.ZodType>) => z.ZodObject;

const objectOf = (fields: Fields, object: MakeObject = z.object): z.ZodObject =>
  object(
    Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, zodOf(kind, object)])),
  );

/** @param object `z.strictObject`, for what people write */
export function zodOf(kind: Kind, object?: MakeObject): z.ZodType {
  switch (kind.is) {
    case 'words':
    case 'name':
      return z.string();
    case 'text':
      return z.union([
        z.string(),
        z.object({ $blob: z.string(), bytes: z.number(), head: z.string() }),
      ]);
    case 'number':
      return z.number();
    case 'flag':
      return z.boolean();
    case 'anything':
      return z.unknown();
    case 'oneOf':
      return z.literal([...kind.values]);
    case 'optional':
      return z.exactOptional(zodOf(kind.of, object));
    case 'nullable':
      return zodOf(kind.of, object).nullable();
    case 'list':
      return z.array(zodOf(kind.of, object));
    case 'record':
      return z.record(z.string(), zodOf(kind.of, object));
    case 'pair':
      return z.tuple([zodOf(kind.of[0], object), zodOf(kind.of[1], object)]);
    case 'object':
      return objectOf(kind.fields, object);
  }
}
