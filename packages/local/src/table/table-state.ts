import type { IndexState, Transition } from './life-cycle.js'
import type { OnDemandSwitches } from './on-demand-switches.js'
import type { BillingMode, TableDefinition, Throughput } from './table-definition.js'
import type { ThroughputHistory } from './throughput-history.js'

/** What a durable store keeps of a table besides its items. Plain data. */
export interface TableState extends ThroughputHistory, OnDemandSwitches {
  readonly definition: TableDefinition
  readonly id: string
  /** Times are in milliseconds since the epoch. */
  readonly createdAt: number
  readonly transition?: Transition
  /** When the table was last switched to on-demand mode, if it ever was. */
  readonly onDemandSince?: number
  /** What the table and its indexes were able to serve at most, which they keep; an index goes by its name. */
  readonly warm: Throughput
  readonly warmIndexes: { readonly [index: string]: Throughput }
  /** Until when a raise of the warm throughput is under way: of the table, under no name, and of its indexes. */
  readonly warmingUntil?: { readonly [index: string]: number }
  /** The stream of now, or the last one there was. */
  readonly stream?: { readonly arn: string; readonly label: string }
  readonly timeToLive?: TimeToLiveState
  readonly indexes: { readonly [index: string]: IndexState }
  readonly tags: { readonly [key: string]: string }
  /** Contributor Insights of the table, under no name, and of its indexes. */
  readonly insights: { readonly [index: string]: InsightsState }
}

export interface TimeToLiveState {
  readonly enabled: boolean
  readonly attribute: string
  /** Whether the items that were there before have been gone through. */
  readonly complete: boolean
  /** Until when the change is under way. */
  readonly until: number
}

export type InsightsMode = 'ACCESSED_AND_THROTTLED_KEYS' | 'THROTTLED_KEYS'

export interface InsightsState {
  readonly enabled: boolean
  readonly mode: InsightsMode
  readonly changedAt: number
  /** Until when the change is under way. */
  readonly until: number
  /** When the rules of accessed and of throttled keys were made; the names of rules end with it. */
  readonly accessedSince?: number
  readonly throttledSince?: number
  /** Whether the rules that were asked for could not all be made. It stays so until somebody asks again. */
  readonly failed?: boolean
}

/** What an on-demand table or index has from the start. */
export function warmAtStart(billingMode: BillingMode, throughput: Throughput): Throughput {
  return billingMode === 'PROVISIONED' ? throughput : ON_DEMAND_START
}

/** Documented: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html */
export const ON_DEMAND_START: Throughput = { readUnits: 12_000, writeUnits: 4_000 }

/** The larger of both, reads and writes apart. */
export function larger(a: Throughput, b: Throughput): Throughput {
  return {
    readUnits: Math.max(a.readUnits, b.readUnits),
    writeUnits: Math.max(a.writeUnits, b.writeUnits),
  }
}

/** A member by a name that users chose: `constructor` is as good a name for an index as any. */
export function memberOf<T>(record: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

export function sameThroughput(a: Throughput, b: Throughput): boolean {
  return a.readUnits === b.readUnits && a.writeUnits === b.writeUnits
}
