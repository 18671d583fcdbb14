import type { TableHeat } from '../observability/table-heat.js'
import type { KeyShards } from '../scaling/key-shards.js'

export interface HeatOptions {
  /** Keys of each table, 1 to 256. Default 10. */
  readonly top?: number
}

/** What a client that `isotherm` returns can do besides sending commands. */
export interface IsothermMethods {
  /**
   * The hottest logical keys of each sharded table, as this process sees them: a snapshot from a bounded sketch, with the
   * bounds of its error. It sends no request.
   *
   * @throws IsothermError `options.invalid` or `options.unknown`
   * @example
   * for (const { table, keys } of db.heat({ top: 3 })) console.log(table, keys[0]?.logicalKey, keys[0]?.shards)
   */
  heat(options?: HeatOptions): readonly TableHeat[]

  /**
   * The shards of one logical key, by hand: to read its count, to set it before a sale, to drain what was retired.
   *
   * @param table a table of the options, with `dynamicShards`
   * @param key the logical key: text, or bytes in a table whose partition key is binary
   * @throws IsothermError `options.invalid` for another table; `shards.fixed`
   * @example
   * await db.shards('audit_log', '/sale').set(16)
   */
  shards(table: string, key: string | Uint8Array): KeyShards
}
