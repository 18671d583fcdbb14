import type { PlainValue } from '../../values/plain-item.js'
import type { Normalizer } from '../text/normalizer.js'

/** By which searches a field is found. `substring` includes `prefix`. */
export type SearchKind = 'none' | 'prefix' | 'substring'

/** How a text is searched. */
export interface SearchOptions {
  /** `prefix`: by its beginning. `substring`: by any part, too, at the cost of a posting for each gram. The default is `'prefix'`. */
  readonly search?: SearchKind | undefined
  /** Brings values and queries into a common form. The default is `plainText`. */
  readonly normalize?: Normalizer | undefined
  /** Whether a prefix may begin at each word of the text. The default is `false`: it begins at the beginning. */
  readonly words?: boolean | undefined
}

/** A field of text. */
export interface FieldOptions extends SearchOptions {
  /** Whether each item has it. The default is `false`. */
  readonly required?: boolean | undefined
}

declare const VALUE: unique symbol

/** A field that is stored and never searched, with values of any type that DynamoDB stores. */
export interface StoredField<Value extends PlainValue> {
  readonly search: 'none'
  readonly required?: boolean
  readonly stored: true
  readonly [VALUE]?: Value
}

/**
 * Declares a field that is stored and never searched.
 *
 * @example
 * const people = defineDirectory({ table: 'people', fields: { name: { required: true }, age: stored<number>() } })
 */
export function stored<Value extends PlainValue>(): StoredField<Value> {
  return { search: 'none', stored: true }
}
