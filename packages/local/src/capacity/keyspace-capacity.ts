import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { AccessKind, Partition } from '../partition/partition.js'
import { PartitionMap, type SplitEvent } from '../partition/partition-map.js'
import { TokenBucket } from '../partition/token-bucket.js'
import type { BillingMode, OnDemandMaximum, Throughput } from '../table/table-definition.js'
import type { CapacityMeter } from './capacity-meter.js'
import { type CapacityParameters, provisionedPartitions, warmPartitions } from './capacity-parameters.js'
import { type KeptPeaks, OnDemandGrowth } from './on-demand-growth.js'
import type { ThrottledResource, ThrottlingReason } from './throttled.js'

/** Whose capacity it is, for reasons and resources. */
export interface CapacityOwner {
  readonly kind: 'Table' | 'Index'
  readonly arn: string
}

/** What decides how much a table or index may do. */
export interface CapacitySettings {
  readonly billingMode: BillingMode
  readonly throughput: Throughput
  readonly onDemandMaximum?: OnDemandMaximum
  readonly warmThroughput?: Throughput
}

/** Where the partitions of a keyspace begin, and how they may be cut. */
export interface PartitionOptions {
  /** Borders known from before; without them the settings decide how many partitions there are. */
  readonly borders?: readonly EncodedKey[] | undefined
  /** What else is known from before. */
  readonly kept?: KeptCapacity | undefined
  /** Told when there is a new peak that is worth keeping. */
  readonly onPeak?: () => void
  /** Whether all items of one partition key stay in one partition, as in tables with local indexes. */
  readonly wholeCollections: boolean
  readonly onSplit: (event: SplitEvent) => void
  readonly meter?: CapacityMeter | undefined
}

/** What outlives a process of a keyspace's capacity, beside the borders of its partitions. Plain data. */
export interface KeptCapacity {
  readonly peaks: Readonly<Record<AccessKind, KeptPeaks>>
  /** Units a second by partition, in order, where throughput is divided over them. */
  readonly shares?: Readonly<Record<AccessKind, readonly number[]>>
}

/**
 * The capacity of one keyspace, a table's or an index's: buckets for the whole, and partitions with buckets of their
 * own. A request needs tokens of both.
 */
export class KeyspaceCapacity {
  readonly partitions: PartitionMap
  readonly #owner: CapacityOwner
  readonly #parameters: CapacityParameters
  readonly #meter: CapacityMeter | undefined
  #settings: CapacitySettings
  readonly #buckets: Record<AccessKind, TokenBucket>
  readonly #growth: OnDemandGrowth
  readonly #onPeak: () => void

  constructor(
    owner: CapacityOwner,
    settings: CapacitySettings,
    parameters: CapacityParameters,
    now: number,
    { borders, kept, wholeCollections, onSplit, onPeak = () => {}, meter }: PartitionOptions,
  ) {
    this.#owner = owner
    this.#parameters = parameters
    this.#settings = settings
    this.#meter = meter
    meter?.changed(settings, now)
    // A new table or index has saved nothing yet: what it may burst is what it leaves unused from now on.
    this.#buckets = { read: this.#newBucket('read', now), write: this.#newBucket('write', now) }
    const start = borders ?? this.#partitionCount()
    this.partitions = new PartitionMap(start, parameters, now, { wholeCollections, onSplit })
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

  /** What stands in the way of a request for this key, if anything. Takes nothing. */
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

  /** When nothing stands in the way of one request for this partition, from `now` on, if nobody else comes before. */
  freeAt(kind: AccessKind, partition: Partition, now: number): number {
    return Math.max(this.#buckets[kind].freeAt(now), partition.freeAt(kind, now))
  }

  /**
   * Takes what a request is charged for.
   * @param hotAt where in the partition the load lies, if that is not at the key which was asked for.
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

  /** Takes what the service does by itself: it leaves as much less to others, and is in nobody's figures. */
  occupy(kind: AccessKind, partition: Partition, key: EncodedKey, units: number, now: number): void {
    this.#buckets[kind].take(units)
    partition.take(kind, key, units, now)
    this.partitions.considerSplit(partition, kind, now)
    if (!this.#isProvisioned && this.#growth.consumed(kind, units, now)) this.#grow(now)
  }

  /** What it has grown to serve by being used on demand, which it keeps in the other mode. */
  get grownTo(): Throughput {
    return { readUnits: this.#growth.servable('read'), writeUnits: this.#growth.servable('write') }
  }

  /**
   * Notes a refused request where it was refused; the partition may be split for it if it was the one that refused.
   * @param isPage whether it is a page of many entries, of which none is known to be hot.
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
    this.partitions.considerSplit(partition, kind, now)
  }

  /** Changes mode, throughput or limits. Partitions are added when more are asked for, never merged. */
  change(settings: CapacitySettings, now: number): void {
    const before = { read: this.#limitOf('read'), write: this.#limitOf('write') }
    let isSame = true
    this.#settings = settings
    this.#meter?.changed(settings, now)
    for (const kind of ['read', 'write'] as const) {
      const { reason, unitsPerSecond, burstSeconds } = this.#limitOf(kind)
      // What was saved under one kind of limit is nothing to another.
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

  /** What bounds the whole of it: its throughput, a maximum that was set, or the account. */
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
