import type { IndexKeyShards } from '../indexes/index-key-shards.js'
import type { KeyShards } from '../scaling/key-shards.js'
import type { MigrateOptions, MigrationResult } from '../scaling/migrating/migrate.js'
import type { TableHeat } from '../scaling/sensing/table-heat.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import type { ExplainedRequest } from './explain.js'

/** Options of `db.heat()`. */
export interface HeatOptions {
  /** The number of keys to list for each table, 1 to 256. The default is 10. */
  readonly top?: number | undefined
}

/** Options of `db.shards()` for an index. */
export interface IndexShardsOptions {
  /** The name of the index. */
  readonly index: string
}

/** The methods of a client returned by `isotherm`, in addition to sending commands. */
export interface IsothermMethods {
  /**
   * Lists the physical requests that would be sent now for a command, in low-level form. No item is written. The first request of all to a
   * table with `dynamicShards` makes the table's card in the shard map, also if it is explained.
   *
   * A read is explained as for a table without items, so requests that would depend on its results are not included. A
   * write must know where its items are, so its preceding reads are sent and included. Reads of the shard map are sent
   * too, but not included.
   *
   * @throws the errors that `send` would throw before the first request; `part.missing` without the part `explain`
   * @example
   * const [request] = await db.explain(new GetCommand({ TableName: 'orders', Key: { customer: 'c', order_id: '7' } }))
   * console.log(request?.operation, request?.input)
   */
  explain(command: AnyCommand): Promise<readonly ExplainedRequest[]>

  /**
   * Lists the hottest logical keys of each sharded table, as seen by this process. Each index with `dynamicShards` has an
   * entry of its own, with the member `index`, for its key values. The report is a snapshot of a sketch
   * with bounded size, and contains the bounds of its error. No request is sent.
   *
   * @throws IsothermError `options.invalid` or `options.unknown`
   * @example
   * for (const { table, keys } of db.heat({ top: 3 })) console.log(table, keys[0]?.logicalKey, keys[0]?.shards)
   */
  heat(options?: HeatOptions): readonly TableHeat[]

  /**
   * Returns manual control of one logical key's shards: `read()` its shard count, `set()` it, for example before a
   * sale, and `drain()` retired shards.
   *
   * @param table a table of the options, with `dynamicShards`
   * @param key the logical key: text, or bytes in a table whose partition key is binary
   * @throws IsothermError `options.invalid` for another table; `shards.fixed`; `part.missing` without the part
   * `rebalancing`
   * @example
   * await db.shards('audit_log', '/sale').set(16)
   */
  shards(table: string, key: string | Uint8Array): KeyShards

  /**
   * Returns manual control of the shards of one key value of an index: `read()` its shard count, and `set()` it, for
   * example before a bulk registration.
   *
   * @param table a table of the options
   * @param value the value of the index's key: text, a number, or bytes
   * @param options the name of an index with `dynamicShards`
   * @throws IsothermError `options.invalid` or `options.unknown`; `shards.fixed`; `part.missing` without the part
   * `indexes`
   * @example
   * await db.shards('files', 'open', { index: 'by_status' }).set(16)
   */
  shards(table: string, value: string | number | Uint8Array, options: IndexShardsOptions): IndexKeyShards

  /**
   * Changes the initial shard count of a table, while the table is in use, and waits for the result. Every key without a count of its own
   * gets the new one. Items move where they have to.
   *
   * Processes follow the card in the shard map, whatever their options say: `initial` may be deployed before or after this call. The
   * table is read once if items have to move. The work can be interrupted at any time, and the same call resumes it, in any process.
   *
   * @param table a table of the options, with `dynamicShards`
   * @throws IsothermError `options.invalid` or `options.unknown`; `shards.fixed`; `migration.other` while the table is being migrated to
   * another count; `part.missing` without the part `migrating`; the signal's reason when it aborts
   * @example
   * const { price } = await db.migrate('orders', { initial: 8, dryRun: true })
   * console.log(price.movingItems, price.writeUnits)
   * await db.migrate('orders', { initial: 8, onProgress: ({ phase, moved }) => console.log(phase, moved) })
   */
  migrate(table: string, options: MigrateOptions): Promise<MigrationResult>
}
