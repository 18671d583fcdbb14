import type { GetItemCommandInput } from '@aws-sdk/client-dynamodb'
import { batchGetItem } from '../batches/batch-get-item.js'
import { batchWriteItem } from '../batches/batch-write-item.js'
import { openIndexChecks } from '../indexes/index-check.js'
import { openIndexCounts } from '../indexes/index-counts.js'
import { parseTableIndexes } from '../indexes/index-options.js'
import { routeOfIndex } from '../indexes/index-route.js'
import { indexValueByHand, refuseIndexKey } from '../indexes/index-value-by-hand.js'
import { indexedTables } from '../indexes/indexed-table.js'
import { sendUnsharded } from '../indexes/send-unsharded.js'
import { sensingClient } from '../indexes/sensing-client.js'
import { withShadowKeys } from '../indexes/with-shadow-keys.js'
import { parseSecondLevelCache, SharedStates } from '../protocol/index.js'
import { query } from '../queries/query.js'
import { readItem } from '../reads/read-item.js'
import { migrateTable } from '../scaling/migrating/migrate-table.js'
import { openRebalancer } from '../scaling/rebalancer.js'
import { shardsByHand } from '../scaling/shards-by-hand.js'
import { scan } from '../scans/scan.js'
import type { ItemWrite } from '../sdk/item-write.js'
import { contextOf } from '../sdk/request-context.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import { transactGetItems } from '../transactions/transact-get-items.js'
import { transactWriteItems } from '../transactions/transact-write-items.js'
import { appendAlone } from '../writes/append-alone.js'
import { writeItem } from '../writes/write-item.js'
import type { WrittenTable } from '../writes/written-table.js'
import { explained } from './explain.js'
import { parseIndexedTable } from './parse-indexed-table.js'
import type { Part } from './part.js'

/*
 * Each part is a plain object literal, so that a bundler can remove unused parts together with everything that only
 * they import.
 */

/**
 * Supports plain puts on tables with a random suffix: `PutItem` without a condition and without a return value. This is
 * sufficient for writers of events, logs and votes.
 *
 * @example isotherm(client, { parts: [appends], tables: { audit_log: { ..., suffix: 'random', shards: dynamicShards() } } })
 */
export const appends: Part = { name: 'appends', yields: true, commands: { PutItem: appendAlone } }

/**
 * Supports single items on tables with either suffix: `GetItem`, `PutItem`, `UpdateItem` and `DeleteItem`, with
 * conditions and return values. It includes `appends`.
 *
 * @example isotherm(client, { parts: [items, queries], tables: { orders: { ..., suffix: calculated(), shards: fixedShards(10) } } })
 */
export const items: Part = {
  name: 'items',
  commands: {
    PutItem: (command) => write('PutItem', command),
    UpdateItem: (command) => write('UpdateItem', command),
    DeleteItem: (command) => write('DeleteItem', command),
    GetItem: ({ table, request, options }) =>
      readItem(table, request.input as unknown as GetItemCommandInput, contextOf(request, options)),
  },
}

function write(
  operation: ItemWrite['operation'],
  { table, request, options }: TakenCommand<WrittenTable>,
): Promise<object> {
  return writeItem(
    table,
    { operation, input: request.input } as unknown as ItemWrite,
    contextOf(request, options),
  )
}

/**
 * Supports `Query` on sharded tables: all shards of a key are merged in order, page by page. Queries of an index also
 * need the part `indexes`.
 *
 * @example isotherm(client, { parts: [appends, queries], tables: { audit_log: { ... } } })
 */
export const queries: Part = { name: 'queries', commands: { Query: query } }

/**
 * Supports `Scan` on sharded tables, with logical keys.
 *
 * @example isotherm(client, { parts: [scans], tables: { audit_log: { ... } } })
 */
export const scans: Part = { name: 'scans', commands: { Scan: scan } }

/**
 * Supports `BatchGetItem` and `BatchWriteItem` on sharded tables.
 *
 * @example isotherm(client, { parts: [batches], tables: { audit_log: { ... } } })
 */
export const batches: Part = {
  name: 'batches',
  commands: { BatchGetItem: batchGetItem, BatchWriteItem: batchWriteItem },
}

/**
 * Supports `TransactGetItems` and `TransactWriteItems` on sharded tables.
 *
 * @example isotherm(client, { parts: [items, transactions], tables: { orders: { ... } } })
 */
export const transactions: Part = {
  name: 'transactions',
  commands: { TransactGetItems: transactGetItems, TransactWriteItems: transactWriteItems },
}

/**
 * Supports the options `indexes` and `readReplicas`, tables of which only indexes are sharded, and, together with the
 * part `queries`, queries of any index of a sharded table.
 *
 * @example isotherm(client, { parts: [items, queries, indexes], tables: { files: { ..., indexes: { by_status: { ... } } } } })
 */
export const indexes: Part = {
  name: 'indexes',
  options: {
    indexes: {
      parse: parseTableIndexes,
      parseIndexedTable,
      routeOf: routeOfIndex,
      open: indexedTables,
      withShadowKeys,
      sendUnsharded,
      openCounts: openIndexCounts,
      openChecks: openIndexChecks,
      sensingClient,
      valueByHand: indexValueByHand,
      refuseIndexKey,
    },
  },
}

/**
 * Supports everything that `dynamicShards` does besides increasing counts: it retires shards of quiet keys, moves
 * items, completes changes that another process abandoned, and adds the method `db.shards()`.
 *
 * Shard counts only decrease if some process of the fleet has this part. It needs time between requests, which a
 * function on AWS Lambda does not get. A table with a calculated suffix and `dynamicShards` cannot be written without
 * it.
 *
 * @example isotherm(client, { parts: [appends, queries, rebalancing], tables: { audit_log: { ... } } })
 */
export const rebalancing: Part = {
  name: 'rebalancing',
  options: { openRebalancer },
  methods: { shards: shardsByHand },
}

/**
 * Adds the method `db.migrate()`, together with the part `rebalancing`.
 *
 * @example isotherm(client, { parts: [rebalancing, migrating], tables: { orders: { ... } } })
 */
export const migrating: Part = { name: 'migrating', methods: { migrate: migrateTable } }

/**
 * Supports the option `secondLevelCache`, by which processes share the cached shard map.
 *
 * @example isotherm(client, { parts: [appends, secondLevelCache], tables, secondLevelCache: { cache: redisShardMapCache(redis) } })
 */
export const secondLevelCache: Part = {
  name: 'secondLevelCache',
  options: {
    secondLevelCache: (path, options) => {
      const secondLevel = parseSecondLevelCache(path, options)
      return (opening) => new SharedStates({ ...opening, secondLevel })
    },
  },
}

/**
 * Adds the method `db.explain(command)`.
 *
 * @example isotherm(client, { parts: [appends, queries, explain], tables: { audit_log: { ... } } })
 */
export const explain: Part = { name: 'explain', methods: { explain: explained } }
