import type { CapacityParameters } from '../capacity/capacity-parameters.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import { hashBorder, type KeyRange } from '../keyspace/key-range.js'
import { type AccessKind, Partition } from './partition.js'
import { chooseSplitBorder, type SplitRefusal } from './split-border.js'

/** What became of a partition that stayed hot. */
export type SplitEvent =
  | {
      readonly type: 'split'
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

/**
 * The partitions of one keyspace: borders in key order. A split adds a border and moves nothing; partitions are never
 * merged.
 */
export class PartitionMap {
  readonly #parameters: CapacityParameters
  readonly #onSplit: (event: SplitEvent) => void
  readonly #partitions: Partition[] = []
  #nextId = 0

  constructor(
    count: number,
    parameters: CapacityParameters,
    now: number,
    onSplit: (event: SplitEvent) => void = () => {},
  ) {
    this.#parameters = parameters
    this.#onSplit = onSplit
    for (let index = 0; index < count; index++) this.#add(index, hashBorder(index, count), now)
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
    const decision = chooseSplitBorder(heat.sample)
    heat.reset()
    if (!decision.split) {
      this.#onSplit({ type: 'split-refused', partition: partition.id, because: decision.because, at: now })
      return
    }
    if (decision.border <= partition.from) return
    const created = this.#add(this.#partitions.indexOf(partition) + 1, decision.border, now)
    const { border } = decision
    this.#onSplit({ type: 'split', partition: partition.id, into: created.id, border, at: now })
  }

  /** Cuts partitions in half, largest range of hashes first, until there are at least `count`. */
  growTo(count: number, now: number): void {
    while (this.#partitions.length < count) {
      let widest = 0
      for (let index = 1; index < this.#partitions.length; index++) {
        if (this.#width(index) > this.#width(widest)) widest = index
      }
      const middle = hashNumber(this.#startOf(widest)) + this.#width(widest) / 2n
      this.#add(widest + 1, hashBorder(Number(middle >> 44n), 2 ** 20), now)
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

/** The 64-bit hash that a border begins with, as a number. */
function hashNumber(key: EncodedKey): bigint {
  const hex = Buffer.from(key.slice(0, 8), 'latin1').toString('hex').padEnd(16, '0')
  return BigInt(`0x${hex}`)
}
