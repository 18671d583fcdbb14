import type { Throughput } from '../capacity/throughput.js'
import type { ResourcePolicy } from '../policy/resource-policy.js'
import type { OnDemandSwitches } from './on-demand-switches.js'
import type { TableDefinition } from './table-definition.js'
import type { ThroughputHistory } from './throughput-history.js'
import type { IndexState, Transition } from './transition.js'

/** The backup that a table was restored from, and the table of that backup. */
export interface RestoredFrom {
  readonly backupArn: string
  readonly tableArn: string
  /** When the backup was created, in milliseconds since the epoch. */
  readonly backupAt: number
}

/** The stored data of a table, besides its items. Plain data. */
export interface TableState extends ThroughputHistory, OnDemandSwitches {
  readonly definition: TableDefinition
  readonly id: string
  /** In milliseconds since the epoch. */
  readonly createdAt: number
  readonly transition?: Transition
  /** When the table was last switched to on-demand mode, if ever. */
  readonly onDemandSince?: number
  /**
   * The maximum throughput that the table and its indexes have been able to serve, which they keep. Indexes are keyed
   * by name.
   */
  readonly warm: Throughput
  readonly warmIndexes: { readonly [index: string]: Throughput }
  /** When each increase of warm throughput ends, keyed by index name. The empty name is the table. */
  readonly warmingUntil?: { readonly [index: string]: number }
  /** The current stream, or the last one. */
  readonly stream?: { readonly arn: string; readonly label: string }
  readonly timeToLive?: TimeToLiveState
  readonly indexes: { readonly [index: string]: IndexState }
  readonly tags: { readonly [key: string]: string }
  /** When the table class was last changed, if ever. */
  readonly classChangedAt?: number
  readonly restored?: RestoredFrom
  /** The resource policy, which is not enforced. */
  readonly policy?: ResourcePolicy
  /** Contributor Insights of the table and its indexes, keyed by index name. The empty name is the table. */
  readonly insights: { readonly [index: string]: InsightsState }
}

export interface TimeToLiveState {
  readonly enabled: boolean
  readonly attribute: string
  /** Whether all items that existed before have been processed. */
  readonly complete: boolean
  /** When the change ends. */
  readonly until: number
}

export type InsightsMode = 'ACCESSED_AND_THROTTLED_KEYS' | 'THROTTLED_KEYS'

export interface InsightsState {
  readonly enabled: boolean
  readonly mode: InsightsMode
  readonly changedAt: number
  /** When the change ends. */
  readonly until: number
  /** When the rules for accessed and throttled keys were created. Rule names end with this time. */
  readonly accessedSince?: number
  readonly throttledSince?: number
  /** Whether some of the requested rules could not be created. It stays true until the next request to enable them. */
  readonly failed?: boolean
}

/** Reads a member by a name that users chose, which may be `constructor`. */
export function memberOf<T>(record: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
