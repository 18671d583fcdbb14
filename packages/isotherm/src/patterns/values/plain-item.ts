/**
 * A value of an item as JavaScript knows it, in the same mapping as the document client of `@aws-sdk/lib-dynamodb`: `Uint8Array` for
 * binary, `Set` for sets, `bigint` for whole numbers beyond 2^53.
 */
export type PlainValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | ReadonlySet<string>
  | ReadonlySet<number | bigint>
  | ReadonlySet<Uint8Array>
  | readonly PlainValue[]
  | { readonly [name: string]: PlainValue }

/** Attributes by name: an item or a key. */
export type PlainItem = { readonly [attribute: string]: PlainValue }
