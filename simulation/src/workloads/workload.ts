import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { IsothermMethods, ShardedTableOptions } from 'isotherm'
import type { Process } from '../world/process.js'
import type { Attributes } from './item-operations.js'

/** An index whose key the library spreads, as the table has to be made for it. */
export interface WorkloadIndex {
  readonly name: string
  /** The attribute that queries ask for. */
  readonly partitionKey: string
  readonly sortKey: string | undefined
  readonly shards: number
}

/** A table that a workload wants: how it is made, and how the library shards it. */
export interface WorkloadTable {
  readonly name: string
  readonly partitionKey: string
  readonly sortKey: string
  readonly sortType: 'S' | 'N'
  readonly sharded: ShardedTableOptions
  /** Their sort keys are numbers. */
  readonly indexes: readonly WorkloadIndex[]
  /** Those whose count operators change by hand. */
  readonly operated: readonly string[]
}

/** Histories of single items. */
export interface HistoryCounts {
  readonly followed: number
  /** Of those, the ones whose check was given up before the end. */
  readonly givenUp: number
}

/** A client that the library has made, as the application uses it. */
export type Client = DynamoDBClient & IsothermMethods

/** What an application does, and what must be true of it. */
export interface Workload {
  readonly name: string
  readonly tables: readonly WorkloadTable[]
  /** Items that are there already when a table is adopted: as stored, under their bare keys, and acknowledged by now. */
  existing(): readonly Attributes[]
  /**
   * Begins its tasks in a process: at the start of the world, and in the place of a process that crashed.
   *
   * @param plain the client that the library stands on, as a program uses it that does not know the library
   */
  begin(process: Process, db: Client, plain: DynamoDBClient): void
  /** A little of everything, now and then, when the load has ended: whoever is asked notices what was left undone. */
  touch(process: Process, db: Client): Promise<void>
  /** Keys that got so little that their count must be what it was, however hot others were. */
  neighbours(): readonly string[]
  /** Of single items, how many are followed operation by operation, and of how many too much happened at a time. */
  histories?(): HistoryCounts
  /** When nobody asks for more and nothing goes wrong any more, and everything has had time to come to rest. */
  conclude(process: Process, db: Client): Promise<void>
}
