/** The attributes of an item of a shard map, by the SDK or in the JSON form of the API. Bytes are not among those read here. */
export type StoredAttributes = Readonly<Record<string, StoredValue | undefined>>

interface StoredValue {
  readonly S?: string
  readonly N?: string
  readonly BOOL?: boolean
  readonly SS?: readonly string[]
  readonly M?: StoredAttributes
}

/** Items of the shard map that are not the state of a key begin with this text. */
export const OWN_KEYS = 'isotherm:'

/** The key of the item that belongs to the whole table. */
export const CARD_KEY = 'isotherm:card'
