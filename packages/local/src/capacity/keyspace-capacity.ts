import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { AccessKind, Partition } from '../partition/partition.js'
import { PartitionMap, type SplitEvent } from '../partition/partition-map.js'
import { TokenBucket } from '../partition/token-bucket.js'
import type { BillingMode, OnDemandMaximum, Throughput } from '../table/table-definition.js'
import { type CapacityParameters, provisionedPartitions, warmPartitions } from './capacity-parameters.js'
import type { ThrottledResource } from './throttled.js'

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
  /** Whether all items of one partition key stay in one partition, as in tables with local indexes. */
  readonly wholeCollections: boolean
  readonly onSplit: (event: SplitEvent) => void
}

/**
 * The capacity of one keyspace, a table's or an index's: buckets for the whole, and partitions with buckets of their
 * own. A request needs tokens of both.
 */
export class KeyspaceCapacity {
  readonly partitions: PartitionMap
  readonly #owner: CapacityOwner
  readonly #parameters: CapacityParameters
  #settings: CapacitySettings
  readonly #buckets: Record<AccessKind, TokenBucket>

  constructor(
    owner: CapacityOwner,
    settings: CapacitySettings,
    parameters: CapacityParameters,
    now: number,
    { borders, wholeCollections, onSplit }: PartitionOptions,
  ) {
    this.#owner = owner
    this.#parameters = parameters
    this.#settings = settings
    const rates = this.#rates()
    const burst = this.#burstSeconds()
    this.#buckets = {
      read: new TokenBucket(rates.read, burst, now),
      write: new TokenBucket(rates.write, burst, now),
    }
    // A new table or index has saved nothing yet: what it may burst is what it leaves unused from now on.
    for (const kind of ['read', 'write'] as const) {
      this.#buckets[kind].take(Math.max(0, this.#buckets[kind].available(now) - rates[kind]))
    }
    const start = borders ?? this.#partitionCount()
    this.partitions = new PartitionMap(start, parameters, now, { wholeCollections, onSplit })
  }

  /** What stands in the way of a request for this key, if anything. Takes nothing. */
  refusal(kind: AccessKind, partition: Partition, now: number): ThrottledResource | undefined {
    const { kind: owner, arn } = this.#owner
    const access = kind === 'read' ? 'Read' : 'Write'
    if (this.#buckets[kind].available(now) <= 0) {
      return { reason: `${owner}${access}${this.#limitOf(kind)}`, resource: arn }
    }
    if (partition[kind].bucket.available(now) <= 0) {
      return { reason: `${owner}${access}KeyRangeThroughputExceeded`, resource: arn }
    }
    return undefined
  }

  /** When nothing stands in the way of one request for this partition, from `now` on, if nobody else comes before. */
  freeAt(kind: AccessKind, partition: Partition, now: number): number {
    return Math.max(this.#buckets[kind].freeAt(now), partition[kind].bucket.freeAt(now))
  }

  take(kind: AccessKind, partition: Partition, key: EncodedKey, units: number, now: number): void {
    this.#buckets[kind].take(units)
    partition.take(kind, key, units, now)
    this.partitions.considerSplit(partition, kind, now)
  }

  /** Notes a refused request where it was refused; the partition may be split for it. */
  throttle(kind: AccessKind, partition: Partition, key: EncodedKey, now: number): void {
    partition.throttle(kind, key, now)
    this.partitions.considerSplit(partition, kind, now)
  }

  /** Changes mode, throughput or limits. Partitions are added when more are asked for, never merged. */
  change(settings: CapacitySettings, now: number): void {
    this.#settings = settings
    const rates = this.#rates()
    const burst = this.#burstSeconds()
    this.#buckets.read.changeRate(rates.read, burst, now)
    this.#buckets.write.changeRate(rates.write, burst, now)
    this.partitions.growTo(this.#partitionCount(), now)
  }

  #limitOf(kind: AccessKind) {
    const { billingMode, onDemandMaximum } = this.#settings
    if (billingMode === 'PROVISIONED') return 'ProvisionedThroughputExceeded'
    const maximum = kind === 'read' ? onDemandMaximum?.readUnits : onDemandMaximum?.writeUnits
    return maximum === undefined ? 'AccountLimitExceeded' : 'MaxOnDemandThroughputExceeded'
  }

  #rates(): Record<AccessKind, number> {
    const { billingMode, throughput, onDemandMaximum } = this.#settings
    if (billingMode === 'PROVISIONED') return { read: throughput.readUnits, write: throughput.writeUnits }
    const { tableUnitsPerSecond: limit } = this.#parameters
    return { read: onDemandMaximum?.readUnits ?? limit, write: onDemandMaximum?.writeUnits ?? limit }
  }

  #burstSeconds(): number {
    // Burst is unused provisioned throughput; an account limit saves nothing up.
    return this.#settings.billingMode === 'PROVISIONED' ? this.#parameters.tableBurstSeconds : 1
  }

  #partitionCount(): number {
    const { billingMode, throughput, warmThroughput } = this.#settings
    const count =
      billingMode === 'PROVISIONED'
        ? provisionedPartitions(throughput, this.#parameters)
        : this.#parameters.onDemandPartitions
    return warmThroughput === undefined
      ? count
      : Math.max(count, warmPartitions(warmThroughput, this.#parameters))
  }
}
