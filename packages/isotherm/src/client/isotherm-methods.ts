import type { TableHeat } from '../observability/table-heat.js'

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
}
