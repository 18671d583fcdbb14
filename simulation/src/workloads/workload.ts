import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { IsothermMethods } from 'isotherm'
import type { HistoryCounts } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import type { PlainTable, WorkloadTable } from '../world/workload-table.js'
import type { Attributes } from './item-operations.js'

/** A client that the library has made, as the application uses it. */
export type Client = DynamoDBClient & IsothermMethods

/** What an application does, and what must be true of it. */
export interface Workload {
  readonly name: string
  readonly tables: readonly WorkloadTable[]
  /** Those that the library does not shard. */
  readonly plainTables?: readonly PlainTable[]
  /**
   * Items that are there already when a table is adopted: as an application without the library has stored them, under their
   * bare keys and without the keys of sharded indexes, and acknowledged by now.
   */
  existing(table: WorkloadTable): readonly Attributes[]
  /**
   * Begins its tasks in a process: at the start of the world, and in the place of a process that crashed.
   *
   * @param plain the client that the library stands on, as a program uses it that does not know the library
   */
  begin(process: Process, db: Client, plain: DynamoDBClient): void
  /** A few requests of each kind, now and then, when the load has ended, so that processes notice unfinished work. */
  touch(process: Process, db: Client): Promise<void>
  /** Keys that got so little that their count must be what it was, however hot others were. */
  neighbours(): readonly string[]
  /** Of single items that are followed operation by operation. */
  histories?(): HistoryCounts
  /** How long its conclusion sleeps by itself. */
  readonly sleepsInConclusionMilliseconds?: number
  /** When nobody asks for more and nothing goes wrong any more, and everything has had time to come to rest. */
  conclude(process: Process, db: Client): Promise<void>
}
