import { SHARD_MAP_NAMES } from '../stored-state/shard-map-attributes.js'
import { CARD_ATTRIBUTES } from './card-item.js'

/** Names that the partition key of a shard map cannot have: those of the other attributes of its items, the card among them. */
export const TAKEN_KEY_NAMES: readonly string[] = [...SHARD_MAP_NAMES, ...Object.values(CARD_ATTRIBUTES)]
