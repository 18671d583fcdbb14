import type { EncodedKey } from '../keyspace/encoded-key.js'
import { hashBorder, type KeyRange } from '../keyspace/key-range.js'
import type { CapacityParameters } from './capacity-parameters.js'
import { type AccessKind, Partition } from './partition.js'
import { chooseSplitBorder, type SplitRefusal } from './split-border.js'
import { TokenBucket } from './token-bucket.js'

/** Why a partition was split: too much traffic, a throughput that needs more partitions, or too many bytes. */
export type SplitCause = 'heat' | 'throughput' | 'size'

/** The outcome for a partition that stayed hot or grew large. */
export type SplitEvent =
  | {
      readonly type: 'split'
      readonly cause: SplitCause
      readonly partition: number
      readonly into: number
      readonly border: EncodedKey
      readonly at: number
    }
  | {
      readonly type: 'split-refused'
      readonly partition: number
      readonly because: SplitRefusal
      readonly at: number
    }

const ALL_HASHES = 1n << 64n

/** Tolerance for borders that cannot be exact, such as those of thirds. */
const ROUNDING = 1n << 44n

/** Tolerance for the sum of shares that were halved and divided by three. */
const SHARE_ROUNDING = 1e-6

/** The rules for splitting the partitions of a keyspace, and the listener for splits. */
export interface PartitionMapOptions {
  /** Whether all items of one partition key stay together. */
  readonly wholeCollections?: boolean
  readonly onSplit?: (event: SplitEvent) => void
  /** Seconds of its write rate that a partition may spend at once. The default is `partitionBurstSeconds`. */
  readonly writeBurstSeconds?: number
}

/**
 * The partitions of one keyspace, as borders in key order. A split adds a border and moves no data. Partitions are
 * never merged.
 */
export class PartitionMap {
  readonly wholeCollections: boolean
  readonly #parameters: CapacityParameters
  readonly #onSplit: (event: SplitEvent) => void
  readonly #partitions: Partition[] = []
  readonly #writeBurstSeconds: number
  #nextId = 0
  /** The last search. A request needs its partition to be admitted, to be charged and to be measured. */
  #foundKey: EncodedKey | undefined
  #found: Partition | undefined

  /** @param start the number of partitions, of equal width, or the first key of each partition, in order. */
  constructor(
    start: number | readonly EncodedKey[],
    parameters: CapacityParameters,
    now: number,
    {
      wholeCollections = false,
      onSplit = () => {},
      writeBurstSeconds = parameters.partitionBurstSeconds,
    }: PartitionMapOptions = {},
  ) {
    this.#writeBurstSeconds = writeBurstSeconds
    this.#parameters = parameters
    this.wholeCollections = wholeCollections
    this.#onSplit = onSplit
    const borders = typeof start === 'number' ? equalBorders(start) : start
    for (const [index, border] of borders.entries()) this.#add(index, border, now)
  }

  get all(): readonly Partition[] {
    return this.#partitions
  }

  find(key: EncodedKey): Partition {
    if (this.#found !== undefined && key === this.#foundKey) return this.#found
    const partition = this.#partitions[this.#indexOf(key)]
    if (partition === undefined) throw new Error('A keyspace has no partition; it must always have one.')
    this.#foundKey = key
    this.#found = partition
    return partition
  }

  /** The partitions that overlap a range, in key order. */
  touching({ from, to }: KeyRange): readonly Partition[] {
    const first = this.#indexOf(from)
    let end = first + 1
    while (end < this.#partitions.length && (to === undefined || this.#startOf(end) < to)) end++
    return this.#partitions.slice(first, end)
  }

  /** The end of the partition's range, or `undefined` for the last partition. */
  endOf(partition: Partition): EncodedKey | undefined {
    return this.#partitions[this.#partitions.indexOf(partition) + 1]?.from
  }

  /**
   * Divides throughput over the partitions, each of which saves its own share. Without `rates`, removes the shares.
   *
   * @param kept the previous shares, in order. They are used again if they are shares of exactly this throughput.
   * Otherwise it is divided evenly.
   */
  divide(
    rates: Record<AccessKind, number> | undefined,
    burstSeconds: number,
    now: number,
    kept?: Readonly<Record<AccessKind, readonly number[]>>,
  ): void {
    const count = this.#partitions.length
    for (const kind of ['read', 'write'] as const) {
      const whole = rates?.[kind]
      const shares = whole === undefined ? [] : sharesOf(whole, count, kept?.[kind])
      for (const [index, partition] of this.#partitions.entries()) {
        const side = partition[kind]
        const rate = shares[index]
        if (rate === undefined) side.share = undefined
        // A new share starts with the units of one second only.
        else if (side.share === undefined) side.share = new TokenBucket(rate, burstSeconds, now, 1)
        else side.share.changeRate(rate, burstSeconds, now)
      }
    }
  }

  /** Units per second by partition, in order, or `undefined` where throughput is not divided. */
  get shares(): Record<AccessKind, readonly number[]> | undefined {
    const rates = (kind: AccessKind) =>
      this.#partitions.flatMap((partition) => partition[kind].share?.unitsPerSecond ?? [])
    const [read, write] = [rates('read'), rates('write')]
    return read.length === 0 ? undefined : { read, write }
  }

  /** Splits the partition if it has been hot for long enough and a split would help. */
  considerSplit(partition: Partition, kind: AccessKind, now: number): void {
    const { heat, share } = partition[kind]
    if (heat.hotSeconds < this.#parameters.heatSeconds || share !== undefined) return
    const decision = chooseSplitBorder(heat.sample, this.wholeCollections)
    heat.reset()
    if (decision.split) this.split(partition, decision.border, 'heat', now)
    else this.refuse(partition, decision.because, now)
  }

  /**
   * Splits a partition in two, if the border lies inside it. @returns the new partition, which begins at the border.
   */
  split(partition: Partition, border: EncodedKey, cause: SplitCause, now: number): Partition | undefined {
    const end = this.endOf(partition)
    if (border <= partition.from || (end !== undefined && border >= end)) return undefined
    const created = this.#add(this.#partitions.indexOf(partition) + 1, border, now, partition)
    for (const kind of ['read', 'write'] as const) {
      created[kind].share = partition[kind].share?.halve(now)
      // The sampled keys may lie beyond the border now, so they say nothing about the remaining range.
      partition[kind].heat.reset()
    }
    // An empty partition has no bytes on either side. Otherwise the bytes of each side are unknown.
    partition.bytes = created.bytes = partition.bytes === 0 ? 0 : undefined
    const [id, into] = [partition.id, created.id]
    this.#onSplit({ type: 'split', cause, partition: id, into, border, at: now })
    return created
  }

  /** Emits the event that a partition needed a split but was not split, with the reason. */
  refuse(partition: Partition, because: SplitRefusal, now: number): void {
    this.#onSplit({ type: 'split-refused', partition: partition.id, because, at: now })
  }

  /**
   * Splits partitions in half, widest range of hashes first, until none is wider than an even share of `count`. Only
   * then can an evenly spread load reach the capacity of `count` partitions. The result may be more partitions than
   * `count`.
   */
  growTo(count: number, now: number): void {
    const share = ALL_HASHES / BigInt(count)
    for (;;) {
      let widest = 0
      for (let index = 1; index < this.#partitions.length; index++) {
        if (this.#width(index) > this.#width(widest)) widest = index
      }
      if (this.#width(widest) <= share + ROUNDING) return
      const middle = hashNumber(this.#startOf(widest)) + this.#width(widest) / 2n
      const border = hashBorder(Number(middle >> 44n), 2 ** 20)
      const partition = this.#partitions[widest]
      // Ranges narrower than a millionth of all hashes are not split further.
      if (partition === undefined || this.split(partition, border, 'throughput', now) === undefined) return
    }
  }

  #add(index: number, from: EncodedKey, now: number, source?: Partition): Partition {
    const partition = new Partition(
      this.#nextId++,
      from,
      this.#parameters,
      this.#writeBurstSeconds,
      now,
      source,
    )
    this.#partitions.splice(index, 0, partition)
    this.#found = undefined
    return partition
  }

  #indexOf(key: EncodedKey): number {
    let low = 0
    let high = this.#partitions.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#startOf(middle) <= key) low = middle
      else high = middle - 1
    }
    return low
  }

  #startOf(index: number): EncodedKey {
    return this.#partitions[index]?.from ?? ('' as EncodedKey)
  }

  #width(index: number): bigint {
    const next = this.#partitions[index + 1]
    return (next === undefined ? ALL_HASHES : hashNumber(next.from)) - hashNumber(this.#startOf(index))
  }
}

/** The previous shares, if there is one for each partition and they add up to `whole`. Otherwise equal shares. */
function sharesOf(whole: number, count: number, kept: readonly number[] | undefined): readonly number[] {
  const sum = kept?.reduce((all, share) => all + share, 0) ?? 0
  const fits = kept?.length === count && Math.abs(sum - whole) <= whole * SHARE_ROUNDING
  return kept !== undefined && fits ? kept : new Array<number>(count).fill(whole / count)
}

function equalBorders(count: number): readonly EncodedKey[] {
  return Array.from({ length: count }, (_, index) => hashBorder(index, count))
}

/** The 64-bit hash at the beginning of a border, as a number. */
function hashNumber(key: EncodedKey): bigint {
  const hex = Buffer.from(key.slice(0, 8), 'latin1').toString('hex').padEnd(16, '0')
  return BigInt(`0x${hex}`)
}
