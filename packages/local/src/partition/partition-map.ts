import type { CapacityParameters } from '../capacity/capacity-parameters.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { hashBorder, type KeyRange } from '../keyspace/key-range.js'
import { type AccessKind, Partition } from './partition.js'
import { chooseSplitBorder, type SplitRefusal } from './split-border.js'
import { TokenBucket } from './token-bucket.js'

/** Why a partition was cut: too much traffic, a throughput that needs more partitions, or too many bytes. */
export type SplitCause = 'heat' | 'throughput' | 'size'

/** What became of a partition that stayed hot or grew large. */
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

/** Borders of thirds and the like are not exact. */
const ROUNDING = 1n << 44n

/** Shares that were halved and thirded may not add up exactly. */
const SHARE_ROUNDING = 1e-6

/** How the partitions of a keyspace may be cut, and who is told. */
export interface PartitionMapOptions {
  /** Whether all items of one partition key stay together. */
  readonly wholeCollections?: boolean
  readonly onSplit?: (event: SplitEvent) => void
}

/**
 * The partitions of one keyspace: borders in key order. A split adds a border and moves nothing; partitions are never
 * merged.
 */
export class PartitionMap {
  readonly wholeCollections: boolean
  readonly #parameters: CapacityParameters
  readonly #onSplit: (event: SplitEvent) => void
  readonly #partitions: Partition[] = []
  #nextId = 0

  /** @param start how many partitions there are, equally wide; or where each of them begins, in order. */
  constructor(
    start: number | readonly EncodedKey[],
    parameters: CapacityParameters,
    now: number,
    { wholeCollections = false, onSplit = () => {} }: PartitionMapOptions = {},
  ) {
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
    const partition = this.#partitions[this.#indexOf(key)]
    if (partition === undefined) throw new Error('A keyspace has no partition; it must always have one.')
    return partition
  }

  /** The partitions that a range touches, in key order. */
  touching({ from, to }: KeyRange): readonly Partition[] {
    const first = this.#indexOf(from)
    let end = first + 1
    while (end < this.#partitions.length && (to === undefined || this.#startOf(end) < to)) end++
    return this.#partitions.slice(first, end)
  }

  /** Where the partition's range ends; nothing for the last one. */
  endOf(partition: Partition): EncodedKey | undefined {
    return this.#partitions[this.#partitions.indexOf(partition) + 1]?.from
  }

  /**
   * Divides throughput over the partitions, each of which saves its own share; or lets all of them have all of it again.
   *
   * @param kept the shares of before, in order, which are taken up if they are shares of just this throughput; it is
   * divided evenly else.
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
        // A new share has saved nothing yet but the second that is running.
        else if (side.share === undefined) side.share = new TokenBucket(rate, burstSeconds, now, 1)
        else side.share.changeRate(rate, burstSeconds, now)
      }
    }
  }

  /** Units a second by partition, in order; nothing where throughput is not divided. */
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

  /** Cuts a partition in two, if the border lies inside it. @returns the new one, which begins at the border. */
  split(partition: Partition, border: EncodedKey, cause: SplitCause, now: number): Partition | undefined {
    const end = this.endOf(partition)
    if (border <= partition.from || (end !== undefined && border >= end)) return undefined
    const created = this.#add(this.#partitions.indexOf(partition) + 1, border, now)
    for (const kind of ['read', 'write'] as const) {
      created[kind].share = partition[kind].share?.halve(now)
      // What was asked for lately may lie beyond the border now, and says nothing about what is left.
      partition[kind].heat.reset()
    }
    // Nothing has no bytes on either side; of anything else nobody knows yet where it lies.
    partition.bytes = created.bytes = partition.bytes === 0 ? 0 : undefined
    const [id, into] = [partition.id, created.id]
    this.#onSplit({ type: 'split', cause, partition: id, into, border, at: now })
    return created
  }

  /** Tells that a partition would have been cut, and why it was not. */
  refuse(partition: Partition, because: SplitRefusal, now: number): void {
    this.#onSplit({ type: 'split-refused', partition: partition.id, because, at: now })
  }

  /**
   * Cuts partitions in half, largest range of hashes first, until none is wider than an even share of `count`: only then
   * can an even load be as large as that many partitions carry. So there may be more of them in the end.
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
      // Ranges narrower than a millionth of all hashes are not cut any more.
      if (partition === undefined || this.split(partition, border, 'throughput', now) === undefined) return
    }
  }

  #add(index: number, from: EncodedKey, now: number): Partition {
    const partition = new Partition(this.#nextId++, from, this.#parameters, now)
    this.#partitions.splice(index, 0, partition)
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

/** The shares of before, if they are of as many partitions and add up to the same; or equal ones. */
function sharesOf(whole: number, count: number, kept: readonly number[] | undefined): readonly number[] {
  const sum = kept?.reduce((all, share) => all + share, 0) ?? 0
  const fits = kept?.length === count && Math.abs(sum - whole) <= whole * SHARE_ROUNDING
  return kept !== undefined && fits ? kept : new Array<number>(count).fill(whole / count)
}

function equalBorders(count: number): readonly EncodedKey[] {
  return Array.from({ length: count }, (_, index) => hashBorder(index, count))
}

/** The 64-bit hash that a border begins with, as a number. */
function hashNumber(key: EncodedKey): bigint {
  const hex = Buffer.from(key.slice(0, 8), 'latin1').toString('hex').padEnd(16, '0')
  return BigInt(`0x${hex}`)
}
