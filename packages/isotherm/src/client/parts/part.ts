import type { PartName } from '../../errors/missing-part.js'
import type { IndexSupport } from '../../indexes/index-support.js'
import type { SecondLevelCacheOptions } from '../../protocol/second-level-cache/second-level-cache-options.js'
import type { OpenSharedStates } from '../../protocol/second-level-cache/shared-states.js'
import type { OpenRebalancer } from '../../scaling/rebalancer.js'
import type { shardsByHand } from '../../scaling/shards-by-hand.js'
import type { LowLevelRequest } from '../../sdk/low-level-request.js'
import type { SendOptions } from '../../sdk/physical-client.js'
import type { ShardedTables } from '../../sdk/sharded-tables.js'
import type { explained } from '../explain.js'
import type { TableRuntime } from '../table-runtime.js'

/** A command, on its way to who carries it out. */
export interface TakenCommand {
  /** The first sharded one of its tables. */
  readonly table: TableRuntime
  readonly tables: ShardedTables
  readonly request: LowLevelRequest
  readonly options: SendOptions | undefined
}

export type CommandHandler = (command: TakenCommand) => Promise<object>

/**
 * A part of the client, for `isotherm` of `isotherm/core`: `appends`, `queries` and so on. Parts are made by this package
 * alone; what is in one is no interface to rely on.
 */
export interface Part {
  readonly name: PartName
  /** @internal Whether another part that takes the same command takes it instead. */
  readonly yields?: true
  /** @internal Who carries out a command on a sharded table, by DynamoDB's name of it. */
  readonly commands?: Readonly<Record<string, CommandHandler>>
  /** @internal */
  readonly indexes?: IndexSupport
  /** @internal */
  readonly openRebalancer?: OpenRebalancer
  /** @internal */
  readonly shardsByHand?: typeof shardsByHand
  /** @internal The option taken apart. */
  readonly secondLevelCache?: (path: string, options: SecondLevelCacheOptions) => OpenSharedStates
  /** @internal */
  readonly explained?: typeof explained
}
