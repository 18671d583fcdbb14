import type { Local } from '@isotherm/local'
import type { ConsoleSource } from './console-source.js'
import { readShardMap } from './read-shard-map.js'
import { SHARD_MAP, withShardMaps } from './shard-maps.js'

/** What the engine does not know. */
export interface LocalSourceOptions {
  /** What one partition serves in a second, if it differs from DynamoDB's 1,000 write and 3,000 read units. */
  readonly limit?: { readonly writes: number; readonly reads: number } | undefined
  /** Delimiters of tables with suffixes whose shard map is not in the engine, by the table's name. */
  readonly delimiters?: Readonly<Record<string, string>> | undefined
}

const LIMIT = { writes: 1_000, reads: 3_000 }

/**
 * The figures of an engine in this process, which must have been created with the option `heat`.
 *
 * A table beside which there is a shard map has keys with suffixes of the default delimiter.
 */
export function localSource(
  local: Local,
  { limit = LIMIT, delimiters = {} }: LocalSourceOptions = {},
): ConsoleSource {
  return {
    isInProcess: true,
    now: () => local.now(),
    limit,
    async tables() {
      return withShardMaps(local.tables(), delimiters)
    },
    async heat(keyspace, request) {
      const span = local.heat(keyspace, request)
      if (span !== undefined) return span
      return { from: request.from, to: request.to, seconds: 1, columns: [] }
    },
    partitions: async ({ region, table, index }) => local.partitions(table, index, region),
    async shardMap(region, table) {
      const client = local.client({ region })
      try {
        return await readShardMap(client, `${table}${SHARD_MAP}`)
      } finally {
        client.destroy()
      }
    },
    async describe(region, table) {
      // Loaded on demand, as the engine itself does.
      const { DescribeTableCommand } = await import('@aws-sdk/client-dynamodb')
      const client = local.client({ region })
      try {
        const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: table }))
        return Table
      } finally {
        client.destroy()
      }
    },
  }
}
