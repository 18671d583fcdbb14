import type { PlainValue } from '../../values/plain-item.js'
import type { FieldOptions, StoredField } from './field-options.js'

/** The fields that a directory declares, by name. */
export type FieldMap = Readonly<Record<string, FieldOptions | StoredField<PlainValue>>>

/** The kinds of links that a directory declares, by name. */
export type LinkMap = Readonly<Record<string, object>>

/** The type of a field's value. */
export type FieldValueOf<Field> = Field extends StoredField<infer Value> ? Value : string

/** The names of the fields that each item has. */
export type RequiredNames<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly required: true } ? Name : never
}[keyof Fields]

/** The values of an item's fields, as the definition types them. */
export type FieldValues<Fields> = {
  readonly [Name in RequiredNames<Fields>]: FieldValueOf<Fields[Name]>
} & {
  readonly [Name in Exclude<keyof Fields, RequiredNames<Fields>>]?: FieldValueOf<Fields[Name]>
}

/** New values of some fields. `null` removes the value of a field that is not required. */
export type FieldChanges<Fields> = {
  readonly [Name in RequiredNames<Fields>]?: FieldValueOf<Fields[Name]>
} & {
  readonly [Name in Exclude<keyof Fields, RequiredNames<Fields>>]?: FieldValueOf<Fields[Name]> | null
}

/** An item that another one is linked to, such as the category of a contact. */
export interface LinkedTarget {
  readonly id: string
  readonly name: string
}

/** An item of a directory. */
export type DirectoryItem<Fields, Links> = FieldValues<Fields> & {
  readonly id: string
  /** Milliseconds since the Unix epoch. Lists and searches are ordered by it. */
  readonly createdAt: number
  /** Another text after each change of the item. */
  readonly version: string
  /** What the item is linked to, by kind, in the order of ids. */
  readonly links: { readonly [Kind in keyof Links]: readonly LinkedTarget[] }
}
