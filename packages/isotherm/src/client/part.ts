import type { PartName } from '../errors/isotherm-error.js'
import type { openIndexChecks } from '../indexes/index-check.js'
import type { openIndexCounts } from '../indexes/index-counts.js'
import type { ParseIndexes } from '../indexes/index-options.js'
import type { routeOfIndex } from '../indexes/index-route.js'
import type { indexValueByHand, refuseIndexKey } from '../indexes/index-value-by-hand.js'
import type { indexedTables } from '../indexes/indexed-table.js'
import type { sendUnsharded } from '../indexes/send-unsharded.js'
import type { sensingClient } from '../indexes/sensing-client.js'
import type { withShadowKeys } from '../indexes/with-shadow-keys.js'
import type { OpenSharedStates, SecondLevelCacheOptions } from '../protocol/index.js'
import type { migrateTable } from '../scaling/migrating/migrate-table.js'
import type { OpenRebalancer } from '../scaling/rebalancer.js'
import type { shardsByHand } from '../scaling/shards-by-hand.js'
import type { TakenCommand } from '../sdk/taken-command.js'
import type { CalculatedSuffix } from '../writes/calculated.js'
import type { explained } from './explain.js'
import type { parseIndexedTable } from './parse-indexed-table.js'
import type { TableRuntime } from './table-runtime.js'

export type CommandHandler = (command: TakenCommand<TableRuntime>) => Promise<object>

/** Handlers of commands on sharded tables, by DynamoDB operation. */
export type PartCommands = Readonly<Record<string, CommandHandler>>

/** Options that only clients with their part accept. */
export interface PartOptions {
  /** The options `indexes` and `readReplicas`. */
  readonly indexes?: {
    readonly parse: ParseIndexes
    readonly parseIndexedTable: typeof parseIndexedTable
    readonly routeOf: typeof routeOfIndex
    readonly open: typeof indexedTables
    readonly withShadowKeys: typeof withShadowKeys
    readonly sendUnsharded: typeof sendUnsharded
    readonly openCounts: typeof openIndexCounts
    readonly openChecks: typeof openIndexChecks
    readonly sensingClient: typeof sensingClient
    readonly valueByHand: typeof indexValueByHand
    readonly refuseIndexKey: typeof refuseIndexKey
  }
  /** Everything that `dynamicShards` does besides increasing counts. */
  readonly openRebalancer?: OpenRebalancer
  readonly secondLevelCache?: (path: string, options: SecondLevelCacheOptions) => OpenSharedStates
  /** The value of the text `'calculated'`, if the text is allowed. */
  readonly calculated?: () => CalculatedSuffix
}

/** Methods that only clients with their part have. */
export interface PartMethods {
  readonly explain?: typeof explained
  readonly shards?: typeof shardsByHand
  readonly migrate?: typeof migrateTable
}

/**
 * A part of a client from `isotherm/core`, such as `appends` or `queries`. Only this package creates parts, and their
 * members are not a stable interface.
 */
export interface Part {
  readonly name: PartName
  /** @internal Whether another part that handles the same command takes precedence. */
  readonly yields?: true
  /** @internal */
  readonly commands?: PartCommands
  /** @internal */
  readonly options?: PartOptions
  /** @internal */
  readonly methods?: PartMethods
}
