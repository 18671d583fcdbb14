import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { LogicalKey } from '../../keys/key.js'

/** The key of the card in the shard map. No logical key may be the same. */
export const CARD_KEY = 'isotherm:card'

/** How the keys of all items of the shard map begin that belong to no logical key. */
export const OWN_KEYS = 'isotherm:'

/** A name of the library's own, of the type that the table's keys have. */
export function keyLike(like: LogicalKey, name: string): AttributeValue {
  return 'S' in like ? { S: name } : { B: Buffer.from(name) }
}
