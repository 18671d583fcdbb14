import type { CapacityParameters } from '../capacity/capacity-parameters.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { hashBorder, type KeyRange } from '../keyspace/key-range.js'
import { type AccessKind, Partition } from './partition.js'
import { chooseSplitBorder, type SplitRefusal } from './split-border.js'

/** What became of a partition that stayed hot. */
export type SplitEvent =
  | {
      readonly type: 'split'
      /** Too much traffic, or a throughput that needs more partitions. */
      readonly cause: 'heat' | 'throughput'
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
  readonly #parameters: CapacityParameters
  readonly #wholeCollections: boolean
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
    this.#wholeCollections = wholeCollections
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

  /** Splits the partition if it has been hot for long enough and a split would help. */
  considerSplit(partition: Partition, kind: AccessKind, now: number): void {
    const { heat } = partition[kind]
    if (heat.hotSeconds < this.#parameters.heatSeconds) return
    const decision = chooseSplitBorder(heat.sample, this.#wholeCollections)
    heat.reset()
    if (!decision.split) {
      this.#onSplit({ type: 'split-refused', partition: partition.id, because: decision.because, at: now })
      return
    }
    if (decision.border <= partition.from) return
    const created = this.#add(this.#partitions.indexOf(partition) + 1, decision.border, now)
    const { border } = decision
    this.#onSplit({
      type: 'split',
      cause: 'heat',
      partition: partition.id,
      into: created.id,
      border,
      at: now,
    })
  }

  /** Cuts partitions in half, largest range of hashes first, until there are at least `count`. */
  growTo(count: number, now: number): void {
    while (this.#partitions.length < count) {
      let widest = 0
      for (let index = 1; index < this.#partitions.length; index++) {
        if (this.#width(index) > this.#width(widest)) widest = index
      }
      const middle = hashNumber(this.#startOf(widest)) + this.#width(widest) / 2n
      const border = hashBorder(Number(middle >> 44n), 2 ** 20)
      const parent = this.#partitions[widest]
      const created = this.#add(widest + 1, border, now)
      if (parent === undefined) continue
      const [partition, into] = [parent.id, created.id]
      this.#onSplit({ type: 'split', cause: 'throughput', partition, into, border, at: now })
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
    return (next === undefined ? 1n << 64n : hashNumber(next.from)) - hashNumber(this.#startOf(index))
  }
}

function equalBorders(count: number): readonly EncodedKey[] {
  return Array.from({ length: count }, (_, index) => hashBorder(index, count))
}

/** The 64-bit hash that a border begins with, as a number. */
function hashNumber(key: EncodedKey): bigint {
  const hex = Buffer.from(key.slice(0, 8), 'latin1').toString('hex').padEnd(16, '0')
  return BigInt(`0x${hex}`)
}
