import type { Durability } from '../journal/format/durability.ts';

/** What a field may hold, as plain data: types, checks and schemas are all made of it. */
export type Kind =
  | { is: 'text' | 'words' | 'name' | 'number' | 'flag' | 'anything' }
  | { is: 'oneOf'; values: readonly (string | number | true)[] }
  | { is: 'optional' | 'nullable' | 'list' | 'record'; of: Kind }
  | { is: 'pair'; of: readonly [Kind, Kind] }
  | { is: 'object'; fields: Fields };
export type Fields = Readonly<Record<string, Kind>>;

/** A kind and the TypeScript type of its values; `type` is never there at run time. */
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

/** Replaces a text, or a whole field, that is too large for its event. */
export interface BlobReference {
  /** The blob's name, 64 hex digits; empty when only the head was kept. */
  $blob: string;
  bytes: number;
  /** How it starts. */
  head: string;
}
/** Text of any length: above 64 KiB it is kept as a blob. */
export type Text = string | BlobReference;

export const text: Field<Text> = { is: 'text' };
/** A short text that somebody else chose: a note, a path, the name of a tool or a model. */
export const words: Field<string> = { is: 'words' };
/** An id, a digest or a name that ben10 or its client gave: nobody's words, so erasure does not search it for patterns. */
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

/** Turns data of version n into version n + 1. Pure; applied on read, stored bytes are never rewritten. */
export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

/** One event type. */
export interface EventKind<F extends Fields = Fields> {
  /** Of the data as it is written today: one more than there are upcasters. */
  version: number;
  /** What an acknowledgement of it promises; see `Durability`. */
  durability: Durability;
  /** What it tells, for people. */
  about: string;
  fields: F;
  upcasters: readonly Upcaster[];
}

/** @param upcasters from version 1 upwards */
export const event = <F extends Fields>(
  durability: Durability,
  about: string,
  fields: F,
  ...upcasters: Upcaster[]
): EventKind<F> => ({ version: upcasters.length + 1, durability, about, fields, upcasters });

/** The data of one event type of a family. */
export type EventDataOf<E> = E extends EventKind<infer F> ? DataOf<F> : never;

/** Where a fact stands in the client's own transcript: known once the transcript has been read. */
export const trace = object({
  /** Byte offset of its record in the transcript of its thread, plus the number of the part in it: the client's order. */
  pos: number,
  /** Of its record. */
  uuid: optional(name),
  /** The latest time in the transcript up to there, milliseconds, where its own is earlier or not known. */
  time: optional(number),
  /**
   * Only where the conversation was rewound: the last byte offset that is still on the live branch. What stands
   * between there and here is an abandoned branch.
   */
  rewoundTo: optional(number),
});
export type Trace = TypeOf<typeof trace>;
