import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardState } from '../states/shard-state.js'
import { SHARD_MAP_ATTRIBUTES } from '../stored-state/shard-map-attributes.js'
import { toAttributes } from '../stored-state/shard-map-item.js'
import { CARD_ATTRIBUTES } from './card-item.js'
import { FORMAT_WITH_STATE } from './card-settings.js'
import type { Migration, TableCard } from './table-card.js'

/** What an update does with the card, without the card's key. Each raises the version. */
export type CardUpdate = Omit<UpdateItemCommandInput, 'TableName' | 'Key'>

/** Each process reads the whole card again and again. So many keys of 40 bytes are 40 KB, or ten read units. */
const MAX_LISTED = 1_000
const MAX_LISTED_BYTES = 64 * 1_024

const VERSION = { '#version': CARD_ATTRIBUTES.version }
const ONE = { ':one': { N: '1' } }

/** Whether another key may be listed, by the size of the list. */
export function mayHold(listed: TableCard['listed']): boolean {
  if (listed === 'all') return true
  let bytes = 0
  for (const key of listed) bytes += key.length
  return bytes <= MAX_LISTED_BYTES && listed.size <= MAX_LISTED
}

/** Lists a key, if the card lists keys, or all of them, as was read. */
export function listing(
  key: LogicalKey,
  listed: TableCard['listed'],
  initialAsOf: number | undefined,
): CardUpdate {
  const initial = hasInitial(initialAsOf)
  const names = { ...VERSION, '#all': CARD_ATTRIBUTES.all, ...initial.names }
  const values = { ...ONE, ...initial.values }
  if (listed === 'all') {
    return {
      UpdateExpression: 'ADD #version :one',
      ConditionExpression: `attribute_exists(#all)${initial.condition}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    }
  }
  return {
    UpdateExpression: 'ADD #keys :keys, #version :one',
    ConditionExpression:
      'attribute_exists(#settings) AND attribute_not_exists(#all) AND ' +
      `(attribute_not_exists(#keys) OR contains(#keys, :key) OR size(#keys) < :max)${initial.condition}`,
    ExpressionAttributeNames: {
      ...names,
      '#keys': CARD_ATTRIBUTES.keys,
      '#settings': CARD_ATTRIBUTES.settings,
    },
    ExpressionAttributeValues: {
      ...values,
      ':keys': setOf(key),
      ':key': plainValue(key),
      ':max': { N: String(MAX_LISTED) },
    },
  }
}

export function listingAll(initialAsOf: number | undefined): CardUpdate {
  const initial = hasInitial(initialAsOf)
  return {
    UpdateExpression: 'SET #all = :true REMOVE #keys ADD #version :one',
    ConditionExpression: `attribute_exists(#settings)${initial.condition}`,
    ExpressionAttributeNames: {
      ...VERSION,
      '#all': CARD_ATTRIBUTES.all,
      '#keys': CARD_ATTRIBUTES.keys,
      '#settings': CARD_ATTRIBUTES.settings,
      ...initial.names,
    },
    ExpressionAttributeValues: { ...ONE, ':true': { BOOL: true }, ...initial.values },
  }
}

/** Lists these keys and no others, if the card was not changed after that version was read. */
export function listingOnly(keys: readonly LogicalKey[], version: number): CardUpdate {
  const [first] = keys
  const set = first === undefined ? undefined : setOf(first, ...keys.slice(1))
  return {
    UpdateExpression: `${set === undefined ? 'REMOVE #keys, #all' : 'SET #keys = :keys REMOVE #all'} ADD #version :one`,
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: { ...VERSION, '#keys': CARD_ATTRIBUTES.keys, '#all': CARD_ATTRIBUTES.all },
    ExpressionAttributeValues: {
      ...ONE,
      ':version': { N: String(version) },
      ...(set === undefined ? {} : { ':keys': set }),
    },
  }
}

export function unlisting(key: LogicalKey, version: number): CardUpdate {
  return {
    UpdateExpression: 'DELETE #keys :keys ADD #version :one',
    ConditionExpression: '#version = :version',
    ExpressionAttributeNames: { ...VERSION, '#keys': CARD_ATTRIBUTES.keys },
    ExpressionAttributeValues: { ...ONE, ':keys': setOf(key), ':version': { N: String(version) } },
  }
}

/** What is written together with an initial state. */
export interface InitialChange {
  /** The initial counts that processes may have in their options. */
  readonly accepted: ReadonlySet<string>
  /** `undefined` once the migration has ended. */
  readonly migration: Migration | undefined
}

/** @param write the name of this write */
export function replacingInitial(
  seen: ShardState,
  next: ShardState,
  { accepted, migration }: InitialChange,
  write: string,
): CardUpdate {
  const attributes: Record<string, AttributeValue> = {
    ...toAttributes(next),
    [SHARD_MAP_ATTRIBUTES.lastWrite]: { S: write },
    [CARD_ATTRIBUTES.format]: { N: String(FORMAT_WITH_STATE) },
    [CARD_ATTRIBUTES.acceptedInitials]: { SS: [...accepted] },
    ...(migration === undefined ? {} : { [CARD_ATTRIBUTES.migratingTo]: { N: String(migration.to) } }),
    ...(migration?.position === undefined
      ? {}
      : { [CARD_ATTRIBUTES.migratedKey]: { M: { ...migration.position } } }),
  }
  const sets = Object.keys(attributes)
  const known = [
    ...Object.values(SHARD_MAP_ATTRIBUTES),
    CARD_ATTRIBUTES.migratingTo,
    CARD_ATTRIBUTES.migratedKey,
  ]
  const removes = known.filter((name) => !(name in attributes))
  const initial = hasInitial(seen.lastUpdated)
  return {
    UpdateExpression:
      `SET ${[...sets.map((name) => `#${name} = :${name}`), '#settings.#initial = :initial'].join(', ')} ` +
      `REMOVE ${removes.map((name) => `#${name}`).join(', ')} ADD #version :one`,
    // mark: initial-state-is-locked
    ConditionExpression: `attribute_exists(#settings)${initial.condition}`,
    ExpressionAttributeNames: {
      ...Object.fromEntries([...sets, ...removes].map((name) => [`#${name}`, name])),
      ...VERSION,
      '#settings': CARD_ATTRIBUTES.settings,
      '#initial': 'initial',
      ...initial.names,
    },
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value])),
      ...ONE,
      ':initial': { S: String(next.shards) },
      ...initial.values,
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  }
}

/** The condition that the card has the initial state of this time, to be joined to another one. */
function hasInitial(asOf: number | undefined): {
  readonly condition: string
  readonly names: Record<string, string>
  readonly values: Record<string, AttributeValue>
} {
  if (asOf === undefined) return { condition: '', names: {}, values: {} }
  const names = { '#last_updated': SHARD_MAP_ATTRIBUTES.lastUpdated }
  // A card that was never migrated has only settings.
  if (asOf === 0) return { condition: ' AND attribute_not_exists(#last_updated)', names, values: {} }
  return { condition: ' AND #last_updated = :as_of', names, values: { ':as_of': { N: String(asOf) } } }
}

/** All keys of a table have the same type. */
export function setOf(first: LogicalKey, ...others: readonly LogicalKey[]): AttributeValue {
  return 'S' in first
    ? { SS: [first, ...others].flatMap((key) => ('S' in key ? [key.S] : [])) }
    : { BS: [first, ...others].flatMap((key) => ('B' in key ? [key.B] : [])) }
}

function plainValue(key: LogicalKey): AttributeValue {
  return 'S' in key ? { S: key.S } : { B: key.B }
}
