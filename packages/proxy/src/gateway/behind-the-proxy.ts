import { isJsonObject, ServiceError } from '@isotherm/local/service'
import type { IsothermOptions } from 'isotherm'
import { tableNameOf } from './table-names.js'

/** The item of a shard map that says how its table is sharded. A process of the library reads it before its first request of the table. */
const CARD_KEY = 'isotherm:card'

/** The names of shard maps, and the table of each. A table with a fixed count has no shard map, so nobody reads a card under its name. */
export function shardMapsOf(tables: IsothermOptions['tables']): ReadonlyMap<string, string> {
  return new Map(Object.entries(tables).map(([table, { shardMap }]) => [nameOf(table, shardMap), table]))
}

function nameOf(table: string, shardMap: IsothermOptions['tables'][string]['shardMap']): string {
  const given = typeof shardMap === 'object' ? shardMap.table : shardMap
  return given ?? `${table}_shard_map`
}

/**
 * Finds out that a request comes from another process of the library, or from another proxy, which shards a table that this one shards. It
 * would add a second suffix to every key, and neither applications of this proxy nor processes at the upstream would find its items.
 *
 * @returns the table, if the request reads the card of its shard map
 */
export function tableOfCard(
  shardMaps: ReadonlyMap<string, string>,
  operation: string,
  input: unknown,
): string | undefined {
  if (operation !== 'GetItem' || !isJsonObject(input) || !isJsonObject(input.Key)) return undefined
  return Object.values(input.Key).some(isCardKey) ? shardMaps.get(tableNameOf(input.TableName)) : undefined
}

function isCardKey(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { S, B } = value
  return S === CARD_KEY || (typeof B === 'string' && Buffer.from(B, 'base64').toString() === CARD_KEY)
}

/** The refusal, which names the cure. It is a fault of the request: no retry can help. */
export function behindTheProxy(table: string, upstream: string): ServiceError {
  return new ServiceError(
    'ValidationException',
    `isotherm: ${table} is sharded by this proxy already, and a client with the library would add a second suffix to its keys. Give it the endpoint behind the proxy: ${upstream}.`,
  )
}
