import { IsothermError } from 'isotherm'

/** Cures of the library that applications in other languages cannot carry out. */
const CREATION = /ensureShardMap\(client, \{ table: '[^']*' \}\)/
const PLAIN_CLIENT = /through the client that isotherm was given/

/**
 * The sentence of an error, for people who have the proxy and not the library: with a command in the place of a function, and the
 * upstream in the place of a client.
 * @example
 * console.log(failureText(new Error('The connection is lost.'))) // 'The connection is lost.'
 */
export function failureText(error: unknown): string {
  if (!(error instanceof IsothermError)) return error instanceof Error ? error.message : String(error)
  const { table, shardMap } = error.details as { readonly table?: string; readonly shardMap?: string }
  const name = shardMap === undefined || shardMap === `${table}_shard_map` ? '' : ` --shard-map ${shardMap}`
  return error.message
    .replace(CREATION, () => `isotherm shards create-table --table ${table}${name}`)
    .replace(PLAIN_CLIENT, 'to the upstream of the proxy')
}
