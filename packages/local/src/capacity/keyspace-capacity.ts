import type { EncodedKey } from '../keyspace/encoded-key.js'
import {
  type CapacityParameters,
  provisionedPartitions,
  warmPartitions,
} from '../partition/capacity-parameters.js'
import type { AccessKind, Partition } from '../partition/partition.js'
import { PartitionMap, type SplitEvent } from '../partition/partition-map.js'
import { TokenBucket } from '../partition/token-bucket.js'
import { type CapacityChange, capacityChange } from './capacity-change.js'
import type { CapacityMeter } from './capacity-meter.js'
import type { CapacitySettings } from './capacity-settings.js'
import type { HeatMeter } from './heat-meter.js'
import { type KeptPeaks, OnDemandGrowth } from './on-demand-growth.js'
import type { ThrottledResource, ThrottlingReason } from './throttled.js'
import type { Throughput } from './throughput.js'

/** The table or index that owns the capacity, for throttling reasons and resource ARNs. */
export interface CapacityOwner {
  readonly kind: 'Table' | 'Index'
  readonly arn: string
}

/** The initial partitions of a keyspace, and the rules for splitting them. */
export interface PartitionOptions {
  /** Borders that were stored earlier. Without them, the settings decide the number of partitions. */
  readonly borders?: readonly EncodedKey[] | undefined
  /** Other capacity state that was stored earlier. */
  readonly kept?: KeptCapacity | undefined
  /** Called when a new peak should be stored. */
  readonly onPeak?: () => void
  /** Whether all items of one partition key stay in one partition, as in tables with local indexes. */
  readonly wholeCollections: boolean
  readonly onSplit: (event: SplitEvent) => void
  /** Called when the allowed capacity has changed. */
  readonly onChange?: (change: CapacityChange) => void
  readonly meter?: CapacityMeter | undefined
  readonly heat?: HeatMeter | undefined
}

/** The capacity state that outlives a process, besides the borders of partitions. Plain data. */
export interface KeptCapacity {
  readonly peaks: Readonly<Record<AccessKind, KeptPeaks>>
  /** Units per second by partition, in order. Present when throughput is divided over partitions. */
  readonly shares?: Readonly<Record<AccessKind, readonly number[]>>
}

/**
 * The capacity of one keyspace (a table or an index): buckets for the whole keyspace, and partitions with their own
 * buckets. A request needs tokens from both.
 */
export class KeyspaceCapacity {
  readonly partitions: PartitionMap
  readonly #owner: CapacityOwner
  readonly #parameters: CapacityParameters
  readonly #meter: CapacityMeter | undefined
  readonly #heat: HeatMeter | undefined
  #settings: CapacitySettings
  readonly #buckets: Record<AccessKind, TokenBucket>
  readonly #growth: OnDemandGrowth
  readonly #onPeak: () => void
  readonly #onChange: (change: CapacityChange) => void

  constructor(
    owner: CapacityOwner,
    settings: CapacitySettings,
    parameters: CapacityParameters,
    now: number,
    {
      borders,
      kept,
      wholeCollections,
      onSplit,
      onPeak = () => {},
      onChange = () => {},
      meter,
      heat,
    }: PartitionOptions,
  ) {
    this.#owner = owner
    this.#parameters = parameters
    this.#settings = settings
    this.#meter = meter
    this.#heat = heat
    this.#onChange = onChange
    meter?.changed(settings, now)
    // A new table or index has no saved capacity. It can burst only with units left unused from now on.
    this.#buckets = { read: this.#newBucket('read', now), write: this.#newBucket('write', now) }
    const start = borders ?? this.#partitionCount()
    this.partitions = new PartitionMap(start, parameters, now, {
      wholeCollections,
      onSplit,
      ...(owner.kind === 'Index' ? { writeBurstSeconds: parameters.indexPartitionBurstSeconds } : {}),
    })
    this.#divide(now, kept?.shares)
    this.#growth = new OnDemandGrowth(parameters, now, kept?.peaks)
    this.#onPeak = onPeak
  }

  get kept(): KeptCapacity {
    const { shares } = this.partitions
    return { peaks: this.#growth.kept, ...(shares === undefined ? {} : { shares }) }
  }

  /** ARN of the table or index. */
  get resource(): string {
    return this.#owner.arn
  }

  /** Returns the reason why a request for this key would be throttled, or `undefined`. Takes no units. */
  refusal(kind: AccessKind, partition: Partition, now: number): ThrottledResource | undefined {
    const { kind: owner, arn } = this.#owner
    const access = kind === 'read' ? 'Read' : 'Write'
    if (this.#buckets[kind].available(now) <= 0) {
      return { reason: `${owner}${access}${this.#limitOf(kind).reason}`, resource: arn }
    }
    if (!partition.hasTokens(kind, now)) {
      return { reason: `${owner}${access}KeyRangeThroughputExceeded`, resource: arn }
    }
    return undefined
  }

  /**
   * The earliest time, from `now` on, when a request for this partition is admitted if no other request comes first.
   */
  freeAt(kind: AccessKind, partition: Partition, now: number): number {
    return Math.max(this.#buckets[kind].freeAt(now), partition.freeAt(kind, now))
  }

  /**
   * Takes the units that a request is charged.
   * @param hotAt the key where the load lies, if it differs from the requested key.
   */
  take(
    kind: AccessKind,
    partition: Partition,
    key: EncodedKey,
    units: number,
    now: number,
    hotAt: EncodedKey = key,
  ): void {
    this.#meter?.consumed(kind, key, units, now)
    this.occupy(kind, partition, hotAt, units, now)
  }

  /** Takes units that the service itself uses. They reduce the capacity left for requests, but appear in no metric. */
  occupy(kind: AccessKind, partition: Partition, key: EncodedKey, units: number, now: number): void {
    this.#buckets[kind].take(units)
    partition.take(kind, key, units, now)
    this.#heat?.consumed(kind, partition.id, key, units, now)
    this.partitions.considerSplit(partition, kind, now)
    if (!this.#isProvisioned && this.#growth.consumed(kind, units, now)) this.#grow(now)
  }

  /**
   * The throughput it has grown to by on-demand use, in whole units: clients in typed languages refuse a description with a
   * fraction. It is retained when the mode changes.
   */
  get grownTo(): Throughput {
    const units = (kind: AccessKind) => Math.ceil(this.#growth.servable(kind))
    return { readUnits: units('read'), writeUnits: units('write') }
  }

  /**
   * Records a throttled request. When the partition itself was exhausted, this may split it for heat.
   * @param isPage whether the request reads a page of many entries, none of which is known to be hot.
   */
  throttle(
    kind: AccessKind,
    partition: Partition,
    key: EncodedKey,
    reason: ThrottlingReason,
    now: number,
    isPage = false,
  ): void {
    const isOwn = reason.endsWith('KeyRangeThroughputExceeded')
    partition.throttle(kind, isPage ? undefined : key, isOwn, now)
    this.#meter?.throttled(kind, key, reason, now)
    this.#heat?.throttled(partition.id, key, reason, now)
    this.partitions.considerSplit(partition, kind, now)
  }

  /** Changes mode, throughput or limits. Partitions are added when more are needed, and never merged. */
  change(settings: CapacitySettings, now: number): void {
    const before = { read: this.#limitOf('read'), write: this.#limitOf('write') }
    let isSame = true
    const change = capacityChange(this.#settings, settings, now)
    this.#settings = settings
    if (change !== undefined) this.#onChange(change)
    this.#meter?.changed(settings, now)
    for (const kind of ['read', 'write'] as const) {
      const { reason, unitsPerSecond, burstSeconds } = this.#limitOf(kind)
      // Units saved under one kind of limit do not carry over to another kind.
      if (reason !== before[kind].reason || unitsPerSecond !== before[kind].unitsPerSecond) isSame = false
      if (reason !== before[kind].reason) this.#buckets[kind] = this.#newBucket(kind, now)
      else this.#buckets[kind].changeRate(unitsPerSecond, burstSeconds, now)
    }
    this.partitions.growTo(this.#partitionCount(), now)
    if (!isSame) this.#divide(now)
  }

  get #isProvisioned(): boolean {
    return this.#settings.billingMode === 'PROVISIONED'
  }

  #newBucket(kind: AccessKind, now: number): TokenBucket {
    const { unitsPerSecond, burstSeconds } = this.#limitOf(kind)
    return new TokenBucket(unitsPerSecond, burstSeconds, now, 1)
  }

  /** The limit of the whole keyspace: provisioned throughput, a configured maximum, or the account's limit. */
  #limitOf(kind: AccessKind) {
    const { throughput, onDemandMaximum } = this.#settings
    const parameters = this.#parameters
    const side = kind === 'read' ? 'readUnits' : 'writeUnits'
    if (this.#isProvisioned) {
      return {
        reason: 'ProvisionedThroughputExceeded',
        unitsPerSecond: throughput[side],
        burstSeconds: parameters.tableBurstSeconds,
      } as const
    }
    const maximum = onDemandMaximum?.[side]
    if (maximum === undefined) {
      return {
        reason: 'AccountLimitExceeded',
        unitsPerSecond: parameters.tableUnitsPerSecond,
        burstSeconds: parameters.accountBurstSeconds,
      } as const
    }
    return {
      reason: 'MaxOnDemandThroughputExceeded',
      unitsPerSecond: maximum,
      burstSeconds: parameters.onDemandMaximumBurstSeconds,
    } as const
  }

  #divide(now: number, kept?: KeptCapacity['shares']): void {
    if (this.#parameters.model === 'adaptive') return
    const { readUnits: read, writeUnits: write } = this.#settings.throughput
    const rates = this.#isProvisioned ? { read, write } : undefined
    this.partitions.divide(rates, this.#parameters.tableBurstSeconds, now, kept)
  }

  #grow(now: number): void {
    this.partitions.growTo(warmPartitions(this.grownTo, this.#parameters), now)
    if (this.#growth.takeNews()) this.#onPeak()
  }

  #partitionCount(): number {
    const { throughput, warmThroughput } = this.#settings
    const count = this.#isProvisioned
      ? provisionedPartitions(throughput, this.#parameters)
      : this.#parameters.onDemandPartitions
    return warmThroughput === undefined
      ? count
      : Math.max(count, warmPartitions(warmThroughput, this.#parameters))
  }
}
