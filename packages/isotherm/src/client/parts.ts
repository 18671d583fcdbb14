import type { GetItemCommandInput } from '@aws-sdk/client-dynamodb'
import { batchGetItem } from '../batches/batch-get-item.js'
import { batchWriteItem } from '../batches/batch-write-item.js'
import { answeredWithoutShadowKeys } from '../indexes/answered-without-shadow-keys.js'
import { parseTableIndexes } from '../indexes/index-options.js'
import { routeOfIndex } from '../indexes/index-route.js'
import { indexedTables } from '../indexes/indexed-table.js'
import { sendUnsharded } from '../indexes/send-unsharded.js'
import { parseSecondLevelCache } from '../protocol/second-level-cache/second-level-cache-options.js'
import { SharedStates } from '../protocol/second-level-cache/shared-states.js'
import { query } from '../queries/query.js'
import { readItem } from '../reads/read-item.js'
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
 * Each part is an object without a call in it, so that a bundler can leave out the ones that are not named, and all that
 * only they import.
 */

/**
 * Puts that ask for nothing: `PutItem` without a condition and without a return value, on tables with a random suffix. What
 * writes events, logs and votes needs no more.
 *
 * @example isotherm(client, { parts: [appends], tables: { audit_log: { ..., suffix: 'random', shards: dynamicShards() } } })
 */
export const appends: Part = { name: 'appends', yields: true, commands: { PutItem: appendAlone } }

/**
 * Single items: `GetItem`, `PutItem`, `UpdateItem` and `DeleteItem`, with conditions and return values, on tables with either
 * suffix. It does what `appends` does, too.
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
 * `Query` of sharded tables: all shards of a key merged in order, page by page. Queries of an index take the part `indexes` too.
 *
 * @example isotherm(client, { parts: [appends, queries], tables: { audit_log: { ... } } })
 */
export const queries: Part = { name: 'queries', commands: { Query: query } }

/**
 * `Scan` of sharded tables, with logical keys.
 *
 * @example isotherm(client, { parts: [scans], tables: { audit_log: { ... } } })
 */
export const scans: Part = { name: 'scans', commands: { Scan: scan } }

/**
 * `BatchGetItem` and `BatchWriteItem` that touch sharded tables.
 *
 * @example isotherm(client, { parts: [batches], tables: { audit_log: { ... } } })
 */
export const batches: Part = {
  name: 'batches',
  commands: { BatchGetItem: batchGetItem, BatchWriteItem: batchWriteItem },
}

/**
 * `TransactGetItems` and `TransactWriteItems` that touch sharded tables.
 *
 * @example isotherm(client, { parts: [items, transactions], tables: { orders: { ... } } })
 */
export const transactions: Part = {
  name: 'transactions',
  commands: { TransactGetItems: transactGetItems, TransactWriteItems: transactWriteItems },
}

/**
 * The options `indexes` and `readReplicas`, tables of which only indexes are sharded, and queries of any index of a sharded
 * table (with the part `queries`).
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
      answeredWithoutShadowKeys,
      sendUnsharded,
    },
  },
}

/**
 * What `dynamicShards` does beyond letting counts grow: shards are taken from quiet keys, items are moved, changes that
 * another process has left are brought to their end, and `db.shards()` does the same by hand.
 *
 * Counts only fall where some process of the fleet has it, and it needs time between requests, which a function on AWS
 * Lambda does not get. A table with a calculated suffix and `dynamicShards` cannot be written without it.
 *
 * @example isotherm(client, { parts: [appends, queries, rebalancing], tables: { audit_log: { ... } } })
 */
export const rebalancing: Part = {
  name: 'rebalancing',
  options: { openRebalancer },
  methods: { shards: shardsByHand },
}

/**
 * The option `secondLevelCache`: processes share what they have read of the shard map.
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
 * The method `db.explain(command)`.
 *
 * @example isotherm(client, { parts: [appends, queries, explain], tables: { audit_log: { ... } } })
 */
export const explain: Part = { name: 'explain', methods: { explain: explained } }
