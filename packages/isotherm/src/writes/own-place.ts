import { canonicalNumber, type KeyValue } from '@isotherm/semantics'
import { IsothermError } from '../errors/isotherm-error.js'
import type { OwnPlace } from '../options/sharded-table.js'

/** The primary key of an item, as an application's placement function gets it. */
export interface HandMadeItem {
  /** The logical partition key. */
  readonly partitionKey: string | Uint8Array
  /** The sort key. A number that JavaScript cannot represent exactly is the text of its digits. */
  readonly sortKey: string | number | Uint8Array
  /** The number of shards of the table. */
  readonly shards: number
}

/** Returns the shard of an item as its stored key names it. A `bigint` is accepted in place of a number. */
export type ShardOf = (item: HandMadeItem) => number | bigint | string

/** The shards as the stored keys name them: the number of the first shard, or the label of each. */
export type ShardLabels = number | readonly string[]

/** Calls the application's placement function and checks its result. */
export function ownPlaceOf(scheme: string, shardOf: ShardOf, labels: ShardLabels): OwnPlace {
  return (logical, sort, shards) => {
    const partitionKey = textOrBytes(logical)
    const sortKey = sort === undefined ? '' : plainValue(sort)
    const broken = (value: unknown, what: string, cause?: unknown) =>
      new IsothermError(
        'scheme.placement',
        `shardOf of handMade "${scheme}" ${what} for the key ${shown(partitionKey)} with the sort key ${shown(sortKey)}; ` +
          `it must return ${ruleOf(labels, shards)}. Correct the function, and check it with checkHandMade.`,
        { scheme, logicalKey: partitionKey, value },
        { cause },
      )
    let value: unknown
    try {
      value = shardOf({ partitionKey, sortKey, shards })
    } catch (cause) {
      throw broken(undefined, `threw ${String(cause)}`, cause)
    }
    const shard = shardIn(labels, value)
    if (Number.isInteger(shard) && shard >= 1 && shard <= shards) return shard
    throw broken(value, `returned ${shown(value)}`)
  }
}

function shardIn(labels: ShardLabels, value: unknown): number {
  if (typeof labels !== 'number') return labels.indexOf(String(value)) + 1
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) - labels + 1 : Number.NaN
}

function ruleOf(labels: ShardLabels, shards: number): string {
  if (typeof labels === 'number') return `a whole number from ${labels} to ${labels + shards - 1}`
  return `one of the labels ${labels.slice(0, 5).join(', ')}${labels.length > 5 ? ', ...' : ''}`
}

function textOrBytes(value: KeyValue): string | Uint8Array {
  if ('B' in value) return value.B
  return 'S' in value ? value.S : value.N
}

/** A number, as the document client returns it, where that is exact: applications have hashed that. */
function plainValue(value: KeyValue): string | number | Uint8Array {
  if (!('N' in value)) return textOrBytes(value)
  const number = Number(value.N)
  return canonicalNumber(String(number)) === value.N ? number : value.N
}

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return `${Buffer.from(value).toString('base64')} (base64)`
  if (value instanceof Promise) return 'a promise'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return JSON.stringify(value) ?? String(value)
}
