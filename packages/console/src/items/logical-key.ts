import { type SuffixRule, splitKey } from '../shard-map/physical-key.js'
import { CARD_KEY, type StoredAttributes } from '../shard-map/stored-attributes.js'
import { readableShards, storedState } from '../shard-map/stored-state.js'
import { type StoredCard, storedCard, suffixRuleOf } from '../shard-map/table-card.js'
import type { Call, JsonItem } from './item.js'

/** A shard map, as far as its table's items need it. */
export interface ItemShardMap {
  readonly name: string
  /** The partition key of both tables. */
  readonly partitionKey: string
  /** `undefined` if there is none: then keys have the usual suffix. */
  readonly card: StoredCard | undefined
}

/** A logical key, and where its items may be. */
export interface LogicalKey {
  readonly logical: string
  readonly shards: number
  readonly rule: SuffixRule
}

/** Reads the card of a shard map. */
export async function itemShardMap(call: Call, name: string, partitionKey: string): Promise<ItemShardMap> {
  const item = await read(call, { name, partitionKey }, CARD_KEY)
  return { name, partitionKey, card: item === undefined ? undefined : storedCard(item) }
}

export function ruleOf({ card }: ItemShardMap): SuffixRule {
  return card === undefined ? { delimiter: '_', adopts: false } : suffixRuleOf(card)
}

/** The shards in which items of a key may be: those of its own counts, and those of the table's initial ones. */
export async function logicalKey(call: Call, map: ItemShardMap, logical: string): Promise<LogicalKey> {
  const item = await read(call, map, logical)
  const own = item === undefined ? 1 : readableShards(storedState(item))
  const initial = map.card === undefined ? 1 : readableShards(map.card.initial)
  return { logical, shards: Math.max(own, initial), rule: ruleOf(map) }
}

/** The logical key and the shard of an item. With `adopts`, a key without a suffix is in shard 1. */
export function placeOf(
  item: JsonItem,
  { partitionKey }: Pick<ItemShardMap, 'partitionKey'>,
  { delimiter, adopts }: SuffixRule,
): { readonly logical: string; readonly shard: number } | undefined {
  const key = item[partitionKey]?.S
  if (typeof key !== 'string') return undefined
  const { logical, shard } = splitKey(key, delimiter)
  if (shard !== undefined) return { logical, shard }
  return adopts ? { logical, shard: 1 } : undefined
}

async function read(
  call: Call,
  { name, partitionKey }: Pick<ItemShardMap, 'name' | 'partitionKey'>,
  key: string,
): Promise<StoredAttributes | undefined> {
  const input = { TableName: name, Key: { [partitionKey]: { S: key } }, ConsistentRead: true }
  const { Item } = await call<{ readonly Item?: StoredAttributes }>('GetItem', input)
  return Item
}
