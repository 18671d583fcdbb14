import type { KeyShards } from '../scaling/key-shards.js'
import type { TableHeat } from '../scaling/sensing/table-heat.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import type { ExplainedRequest } from './explaining-client.js'

export interface HeatOptions {
  /** Keys of each table, 1 to 256. Default 10. */
  readonly top?: number
}

/** What a client that `isotherm` returns can do besides sending commands. */
export interface IsothermMethods {
  /**
   * The requests that would be sent now for the command, with physical keys, in low-level form. Nothing is written. A
   * reading command is answered as by a table without items, so what it would ask next, after what it found, is not
   * among them. A writing command has to know where its items are, so the reads by which it finds out are sent, and
   * listed; so is what the shard map is asked, which is not listed.
   *
   * @throws what `send` would throw before it sends the first request; `part.missing` without the part `explain`
   * @example
   * const [request] = await db.explain(new GetCommand({ TableName: 'orders', Key: { customer: 'c', order_id: '7' } }))
   * console.log(request?.operation, request?.input)
   */
  explain(command: AnyCommand): Promise<readonly ExplainedRequest[]>

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
   * @throws IsothermError `options.invalid` for another table; `shards.fixed`; `part.missing` without the part `rebalancing`
   * @example
   * await db.shards('audit_log', '/sale').set(16)
   */
  shards(table: string, key: string | Uint8Array): KeyShards
}
