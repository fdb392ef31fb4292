import type { Durability } from '../journal/format/durability.ts';

/** What a field may hold, as plain data. Types, checks and schemas are derived from it. */
export type Kind =
  | { is: 'text' | 'words' | 'name' | 'number' | 'flag' | 'anything' }
  | { is: 'oneOf'; values: readonly (string | number | true)[] }
  | { is: 'optional' | 'nullable' | 'list' | 'record'; of: Kind }
  | { is: 'pair'; of: readonly [Kind, Kind] }
  | { is: 'object'; fields: Fields };
export type Fields = Readonly<Record<string, Kind>>;

/** A kind and the TypeScript type of its values; `type` exists only for the compiler. */
type Field<T> = Kind & { type?: T };
type Optional<T> = Field<T> & { is: 'optional' };
export type TypeOf<F> = F extends { type?: infer T } ? T : never;
type OptionalKeys<F> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];
/** What data with these fields looks like. Optional fields are absent, never null. */
export type DataOf<F> = { [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]> } & {
  [K in OptionalKeys<F>]?: TypeOf<F[K]>;
} extends infer D
  ? { [K in keyof D]: D[K] }
  : never;

/** Replaces a text or field that is too large for its event. */
export interface BlobReference {
  /** The blob's name, 64 hex digits; empty when only the head was kept. */
  $blob: string;
  bytes: number;
  /** Its beginning. */
  head: string;
}
/** Text of any length: above 64 KiB it is kept as a blob. */
export type Text = string | BlobReference;

export const text: Field<Text> = { is: 'text' };
/** A short text that somebody else chose: a note, a path, the name of a tool or model. */
export const words: Field<string> = { is: 'words' };
/** An id, a digest or a name given by ben10 or its client: erasure does not search it for patterns. */
export const name: Field<string> = { is: 'name' };
export const number: Field<number> = { is: 'number' };
export const flag: Field<boolean> = { is: 'flag' };
export const anything: Field<unknown> = { is: 'anything' };
export const oneOf = <const V extends readonly (string | number | true)[]>(
  ...values: V
): Field<V[number]> => ({ is: 'oneOf', values });
export const optional = <F extends Kind>(of: F) => ({ is: 'optional', of }) as Optional<TypeOf<F>>;
export const nullable = <F extends Kind>(of: F): Field<TypeOf<F> | null> => ({
  is: 'nullable',
  of,
});
export const list = <F extends Kind>(of: F): Field<TypeOf<F>[]> => ({ is: 'list', of });
export const record = <F extends Kind>(of: F): Field<Record<string, TypeOf<F>>> => ({
  is: 'record',
  of,
});
export const pair = <A extends Kind, B extends Kind>(
  ...of: [A, B]
): Field<[TypeOf<A>, TypeOf<B>]> => ({ is: 'pair', of });
export const object = <F extends Fields>(fields: F): Field<DataOf<F>> => ({ is: 'object', fields });

/** Whether a field may hold free text: everything but names, numbers, flags and fixed values. */
export function holdsText(kind: Kind): boolean {
  switch (kind.is) {
    case 'name':
    case 'number':
    case 'flag':
    case 'oneOf':
      return false;
    case 'optional':
    case 'nullable':
    case 'list':
      return holdsText(kind.of);
    case 'pair':
      return kind.of.some(holdsText);
    case 'object':
      return Object.values(kind.fields).some(holdsText);
    default:
      return true; // the keys of a record are somebody's, too
  }
}

/** Names of all fields, nested ones included. */
export function namesIn(kind: Kind): string[] {
  if (kind.is === 'object') return fieldNames(kind.fields);
  if (kind.is === 'pair') return kind.of.flatMap(namesIn);
  return 'of' in kind ? namesIn(kind.of) : [];
}

export const fieldNames = (fields: Fields): string[] =>
  Object.entries(fields).flatMap(([name, kind]) => [name, ...namesIn(kind)]);

/** Turns data of version n into n + 1. Pure; applied on reading, stored bytes stay. */
export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

/** One event type. */
export interface EventKind<F extends Fields = Fields> {
  /** Version of the data as it is written today. */
  version: number;
  /** What an acknowledgement promises; see `Durability`. */
  durability: Durability;
  /** One line for people. */
  about: string;
  fields: F;
  upcasters: readonly Upcaster[];
  /** Whether a listing for people leaves it out, unless they ask for all. */
  isQuiet?: (data: () => unknown) => boolean;
}

/** @param upcasters from version 1 upwards */
export const event = <F extends Fields>(
  durability: Durability,
  about: string,
  fields: F,
  ...upcasters: Upcaster[]
): EventKind<F> => ({ version: upcasters.length + 1, durability, about, fields, upcasters });

/** The same for what people seldom look for: ben10's own notes, and what another event says as well. */
export const quiet = <F extends Fields>(
  durability: Durability,
  about: string,
  fields: F,
  ...upcasters: Upcaster[]
): EventKind<F> => ({ ...event(durability, about, fields, ...upcasters), isQuiet: () => true });

/** The same for some of a type. */
export const quietIf =
  (isQuiet: (data: Readonly<Record<string, unknown>>) => boolean): typeof event =>
  (...given) => ({ ...event(...given), isQuiet: (data) => isQuiet(Object(data())) });

/** The data of one event type of a family. */
export type EventDataOf<E> = E extends EventKind<infer F> ? DataOf<F> : never;

/** Where a fact stands in the client's transcript; known once that was read. */
export const trace = object({
  /** The client's order: byte offset of the record in its thread's transcript, plus the number of the part in it. */
  pos: number,
  /** Of its record. */
  uuid: optional(name),
  /** Latest time in the transcript up to there, milliseconds, if the record's own is earlier or missing. */
  time: optional(number),
  /** Only after a rewind: the last byte offset on the live branch. What lies between is an abandoned branch. */
  rewoundTo: optional(number),
});
export type Trace = TypeOf<typeof trace>;
