import type { KeyType, ReadConsistency } from '@isotherm/semantics'

/** A key that may be hot, with its peak. */
export interface PlannedKey {
  /** Missing if only its rates are known. */
  readonly key?: string
  readonly writesPerSecond: number
  readonly readsPerSecond: number
}

/** What is known of a table and its traffic. Rates are requests per second at the peak. */
export interface PlanInput {
  readonly table: string
  readonly partitionKey: string
  /** If known. A number takes no suffix. */
  readonly partitionKeyType?: KeyType
  readonly sortKey?: string
  readonly itemBytes: number
  /** The busiest keys, the busiest first. */
  readonly keys: readonly PlannedKey[]
  /** All other keys together. */
  readonly otherWritesPerSecond: number
  readonly otherReadsPerSecond: number
  /** Over the month, for the price. Missing: the peak lasts all the time. */
  readonly meanWritesPerSecond?: number
  readonly meanReadsPerSecond?: number
  /** How many different keys there are, if known. */
  readonly distinctKeys?: number
  /** Items of a page that readers ask for; 1 for single items. */
  readonly pageItems: number
  readonly consistency: ReadConsistency
  /** The part of a partition's limit that stays free, such as 0.3. */
  readonly headRoom: number
  /** The odds with which no partition is throttled, such as 0.99. */
  readonly confidence: number
  /** Partitions that the table has, if known. A new on-demand table has 4. */
  readonly partitions: number
  /** How new items of one key are ordered: at the end, anywhere, or there is one item alone. */
  readonly order: 'rising' | 'spread' | 'single-item'
  /** Whether items are only added, or also updated and read one by one. */
  readonly access: 'append' | 'update'
  readonly hasLocalIndex: boolean
  /** How long the traffic takes to reach its peak. */
  readonly rampMinutes: number
  /** What is provisioned, if the table is. */
  readonly provisionedWriteUnits?: number
  /** The size of the table; 0 for one without items. */
  readonly storedGb: number
  readonly region: string
  readonly seed: number
}
