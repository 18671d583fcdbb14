import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { AccessKind, Partition } from '../partition/partition.js'
import { PartitionMap, type SplitEvent } from '../partition/partition-map.js'
import { TokenBucket } from '../partition/token-bucket.js'
import type { BillingMode, Throughput } from '../table/table-definition.js'
import { type CapacityParameters, provisionedPartitions } from './capacity-parameters.js'
import type { ThrottledResource } from './throttled.js'

/** Whose capacity it is, for reasons and resources. */
export interface CapacityOwner {
  readonly kind: 'Table' | 'Index'
  readonly arn: string
}

/**
 * The capacity of one keyspace, a table's or an index's: buckets for the whole, and partitions with buckets of their
 * own. A request needs tokens of both.
 */
export class KeyspaceCapacity {
  readonly partitions: PartitionMap
  readonly #owner: CapacityOwner
  readonly #parameters: CapacityParameters
  #billingMode: BillingMode
  readonly #buckets: Record<AccessKind, TokenBucket>

  constructor(
    owner: CapacityOwner,
    billingMode: BillingMode,
    throughput: Throughput,
    parameters: CapacityParameters,
    now: number,
    onSplit: (event: SplitEvent) => void,
  ) {
    this.#owner = owner
    this.#parameters = parameters
    this.#billingMode = billingMode
    const rates = this.#rates(billingMode, throughput)
    const burst = this.#burstSeconds(billingMode)
    this.#buckets = {
      read: new TokenBucket(rates.read, burst, now),
      write: new TokenBucket(rates.write, burst, now),
    }
    // A new table or index has saved nothing yet: what it may burst is what it leaves unused from now on.
    for (const kind of ['read', 'write'] as const) {
      this.#buckets[kind].take(Math.max(0, this.#buckets[kind].available(now) - rates[kind]))
    }
    const count = this.#partitionCount(billingMode, throughput)
    this.partitions = new PartitionMap(count, parameters, now, onSplit)
  }

  /** What stands in the way of a request for this key, if anything. Takes nothing. */
  refusal(kind: AccessKind, partition: Partition, now: number): ThrottledResource | undefined {
    const { kind: owner, arn } = this.#owner
    const access = kind === 'read' ? 'Read' : 'Write'
    if (this.#buckets[kind].available(now) <= 0) {
      const limit =
        this.#billingMode === 'PROVISIONED' ? 'ProvisionedThroughputExceeded' : 'AccountLimitExceeded'
      return { reason: `${owner}${access}${limit}`, resource: arn }
    }
    if (partition[kind].bucket.available(now) <= 0) {
      return { reason: `${owner}${access}KeyRangeThroughputExceeded`, resource: arn }
    }
    return undefined
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

  /** Changes mode or throughput. Partitions are added when the new throughput asks for more, never merged. */
  change(billingMode: BillingMode, throughput: Throughput, now: number): void {
    this.#billingMode = billingMode
    const rates = this.#rates(billingMode, throughput)
    const burst = this.#burstSeconds(billingMode)
    this.#buckets.read.changeRate(rates.read, burst, now)
    this.#buckets.write.changeRate(rates.write, burst, now)
    this.partitions.growTo(this.#partitionCount(billingMode, throughput), now)
  }

  #rates(billingMode: BillingMode, { readUnits, writeUnits }: Throughput): Record<AccessKind, number> {
    const { tableUnitsPerSecond: limit } = this.#parameters
    return billingMode === 'PROVISIONED'
      ? { read: readUnits, write: writeUnits }
      : { read: limit, write: limit }
  }

  #burstSeconds(billingMode: BillingMode): number {
    // Burst is unused provisioned throughput; an account limit saves nothing up.
    return billingMode === 'PROVISIONED' ? this.#parameters.tableBurstSeconds : 1
  }

  #partitionCount(billingMode: BillingMode, throughput: Throughput): number {
    return billingMode === 'PROVISIONED'
      ? provisionedPartitions(throughput, this.#parameters)
      : this.#parameters.onDemandPartitions
  }
}
