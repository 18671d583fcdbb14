import type { Random } from '@isotherm/runtime'
import type { Enforcement } from '../capacity/admission.js'
import type { KeyspaceCapacity } from '../capacity/keyspace-capacity.js'
import type { ThrottledResource } from '../capacity/throttled.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { StoredItem } from '../storage/storage.js'
import type { HiddenChanges } from './lagging-view.js'

/** In milliseconds: what rounding makes of two times that are the same. */
const SAME_TIME = 0.01

/** A change of an index that readers of the index are to see some time after the base write. */
export interface IndexEntryWrite {
  readonly key: EncodedKey
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
  readonly units: number
}

/** How readers follow writers. AWS publishes none of the numbers, so all are parameters. */
export interface PropagationParameters {
  /** Units of writes that may wait for one partition of an index before base writes are throttled for it. */
  readonly indexQueueUnits: number
  /**
   * Each change reaches readers up to so many milliseconds late, by chance, however much capacity there is. Changes that
   * meet in a partition keep their order.
   */
  readonly indexLagMilliseconds: number
  /** An eventually consistent read of a table shows it as it was up to so many milliseconds ago, by chance. */
  readonly readLagMilliseconds: number
}

interface Waiting extends IndexEntryWrite {
  readonly dueAt: number
}

/** The first change of a lane. */
interface Head {
  readonly lane: number
  readonly first: Waiting
}

/** Which lane is next, and when. */
interface Turn {
  readonly lane: number
  readonly at: number
}

/** What waits for one partition, in order. */
interface Lane {
  readonly waiting: Waiting[]
  units: number
}

/**
 * How a global index follows its table: base writes go on while the index is behind, until too much waits for one of its
 * partitions. Then base writes that would add to it are throttled, for the index's reason.
 *
 * What waits is already in the store, with the item it belongs to; waiting only keeps it from readers, so a crash loses
 * and tears nothing. Nothing runs by itself: what should have happened by now happens when somebody asks, at the times it
 * would have happened.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/gsi-throttling.html
 */
export class IndexQueue implements HiddenChanges {
  readonly #capacity: KeyspaceCapacity
  readonly #parameters: PropagationParameters
  readonly #enforcement: Enforcement
  readonly #random: Random
  readonly #lanes = new Map<number, Lane>()
  readonly #hidden = new Map<EncodedKey, Waiting[]>()

  constructor(
    capacity: KeyspaceCapacity,
    parameters: PropagationParameters,
    enforcement: Enforcement,
    random: Random,
  ) {
    this.#capacity = capacity
    this.#parameters = parameters
    this.#enforcement = enforcement
    this.#random = random
  }

  *hidden(): Iterable<readonly [EncodedKey, StoredItem | undefined]> {
    for (const [key, [first]] of this.#hidden) yield [key, first?.before]
  }

  hides(key: EncodedKey): boolean {
    return this.#hidden.has(key)
  }

  get isEmpty(): boolean {
    return this.#hidden.size === 0
  }

  /** What stands in the way of a base write that would add an entry at this key. */
  refusal(key: EncodedKey, now: number): ThrottledResource | undefined {
    if (this.#lanes.size === 0) return undefined
    this.drain(now)
    const partition = this.#capacity.partitions.find(key)
    const lane = this.#lanes.get(partition.id)
    if (lane === undefined || lane.units < this.#parameters.indexQueueUnits) return undefined
    return this.#capacity.refusal('write', partition, now)
  }

  /** Takes over a change whose base write has been admitted. */
  push(write: IndexEntryWrite, now: number): void {
    if (this.#lanes.size > 0) this.drain(now)
    const partition = this.#capacity.partitions.find(write.key)
    const lane = this.#lanes.get(partition.id)
    const { indexLagMilliseconds: lag } = this.#parameters
    if (lane === undefined && lag === 0 && this.#mayTake(write.key, now)) {
      this.#capacity.take('write', partition, write.key, write.units, now)
      return
    }
    const last = lane?.waiting.at(-1)?.dueAt ?? 0
    const waiting = { ...write, dueAt: Math.max(last, now + (lag === 0 ? 0 : this.#random.next() * lag)) }
    this.#join(partition.id, waiting)
    const behind = this.#hidden.get(write.key)
    if (behind === undefined) this.#hidden.set(write.key, [waiting])
    else behind.push(waiting)
  }

  /** Lets everything happen that has its time and its capacity by now. */
  drain(now: number): void {
    while (this.#lanes.size > 0) {
      const next = this.#earliest(now)
      if (next === undefined || next.at > now) return
      this.#release(next.lane, next.at)
    }
  }

  /**
   * The lane whose first change can be made soonest. Changes whose partition was cut move to where they belong now.
   *
   * Where the index as a whole is the limit, all lanes could go on at the same time; then the change that has waited for
   * longest comes first. Otherwise one lane that never empties would keep all others waiting for ever.
   */
  #earliest(now: number): Turn | undefined {
    let best: Turn | undefined
    for (const { lane, first } of this.#heads(now)) {
      // What is due later comes later. And a bucket that is looked at ahead of time loses what it cannot hold.
      if (best !== undefined && first.dueAt >= best.at) return best
      const at = this.#readyAt(first)
      if (best === undefined || at < best.at - SAME_TIME) best = { lane, at }
    }
    return best
  }

  /** The first changes of all lanes that are due, by when they were. */
  #heads(now: number): readonly Head[] {
    const heads: Head[] = []
    for (const [lane, { waiting }] of this.#lanes) {
      const [first] = waiting
      if (first !== undefined && first.dueAt <= now) heads.push({ lane, first })
    }
    return heads.length < 2 ? heads : heads.sort((a, b) => a.first.dueAt - b.first.dueAt)
  }

  #readyAt({ key, dueAt }: Waiting): number {
    if (!this.#enforcement.throttle) return dueAt
    return this.#capacity.freeAt('write', this.#capacity.partitions.find(key), dueAt)
  }

  #release(id: number, at: number): void {
    const lane = this.#lanes.get(id)
    const first = lane?.waiting.shift()
    if (lane === undefined || first === undefined) return
    lane.units -= first.units
    if (lane.waiting.length === 0) this.#lanes.delete(id)
    const { key, units } = first
    this.#capacity.take('write', this.#capacity.partitions.find(key), key, units, at)
    const behind = this.#hidden.get(key)
    if (behind === undefined || behind.length === 1) this.#hidden.delete(key)
    else behind.shift()
  }

  #join(id: number, waiting: Waiting): void {
    const lane = this.#lanes.get(id) ?? { waiting: [], units: 0 }
    this.#lanes.set(id, lane)
    lane.waiting.push(waiting)
    lane.units += waiting.units
  }

  #mayTake(key: EncodedKey, now: number): boolean {
    if (!this.#enforcement.throttle) return true
    return this.#capacity.refusal('write', this.#capacity.partitions.find(key), now) === undefined
  }
}

export const DEFAULT_PROPAGATION: PropagationParameters = {
  // A second of a partition's rate: enough for a burst to pass unseen, and soon full when the index cannot keep up.
  indexQueueUnits: 1000,
  indexLagMilliseconds: 0,
  readLagMilliseconds: 0,
}
