import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { KeyValue } from '@isotherm/semantics'
import { keyText, type LogicalKey } from '../keys/key.js'
import type { ShardView } from '../protocol/index.js'
import type { IndexCounts } from './index-counts.js'
import { IndexWrite, noteIndexWrite } from './index-write.js'
import { indexShard, type ShadowKey } from './shadow-key.js'

/** The entry of an index for an item that a request writes. */
export interface ChosenEntry {
  readonly shadow: ShadowKey
  /** The item's primary key. */
  readonly place: readonly KeyValue[]
  /** An estimate of the entry's size in write units. */
  readonly units: number
  /** Whether the value is the one that the item will have. It is not for the fallback of `if_not_exists`. */
  readonly isCertain: boolean
}

/** Whether a request adds an unknown value to the shard map. An explained request does not. */
export type ViewUse = 'write' | 'explain'

/**
 * The shards that one request chooses for the entries of its items in dynamic indexes.
 *
 * At first, the shard is calculated from the item's key, as with a fixed count, so that a put of an existing item leaves
 * its entry where it is. If the index throttles the request, other shards are drawn. An entry may be in any shard below
 * the count, because queries read them all.
 */
export class ShardChoice {
  readonly #use: ViewUse
  readonly #views = new Map<string, ShardView>()
  readonly #pending = new Map<string, Promise<ShardView>>()
  readonly #compared = new Set<string>()
  readonly #comparisons: Promise<void>[] = []
  #attempt = 0
  #hasChosen = false
  #mostShards = 1

  constructor(use: ViewUse) {
    this.#use = use
  }

  /**
   * Waits for a comparison before the request is sent. Each is begun once for a request.
   * @param of what is compared
   */
  compare(of: string, begin: () => Promise<void> | undefined): void {
    if (this.#use === 'explain' || this.#compared.has(of)) return
    this.#compared.add(of)
    const comparison = begin()
    if (comparison !== undefined) this.#comparisons.push(comparison)
  }

  /** Whether the request writes to a dynamic index. */
  get hasChosen(): boolean {
    return this.#hasChosen
  }

  /** The most shards of any value in the request. */
  get mostShards(): number {
    return this.#mostShards
  }

  /** Extends a request with chosen shards, when the counts that it needs are known. */
  async settled<Extended>(extend: () => Extended): Promise<Extended> {
    for (;;) {
      const extended = this.#attempted(extend)
      if (this.#pending.size === 0 && this.#comparisons.length === 0) return extended
      const comparisons = this.#comparisons.splice(0)
      const pending = [...this.#pending]
      this.#pending.clear()
      // All at once, because a view may fail while another one is awaited.
      const [views] = await Promise.all([
        Promise.all(pending.map(([, view]) => view)),
        Promise.all(comparisons),
      ])
      for (const [position, view] of views.entries()) this.#views.set(pending[position]?.[0] ?? '', view)
    }
  }

  /** A request that is rejected waits for no count, so nobody would handle the failure of one. */
  #attempted<Extended>(extend: () => Extended): Extended {
    try {
      return extend()
    } catch (error) {
      for (const each of [...this.#pending.values(), ...this.#comparisons]) each.catch(() => {})
      throw error
    }
  }

  /** Begins another attempt, in other shards and with the current counts. */
  again(): void {
    this.#attempt += 1
    this.#views.clear()
  }

  /**
   * The attribute to add for a value.
   * @param added builds the attribute for a shard
   */
  chosen(counts: IndexCounts, value: KeyValue, entry: ChosenEntry, added: (shard: number) => AttributeValue) {
    const { shadow, place, units } = entry
    const key = counts.keyOf(shadow.storedValue(value))
    const view = this.#viewOf(counts, key)
    if (view === undefined) return added(1)
    const shard = this.#shardOf(counts, view, place)
    const attribute = added(shard)
    this.#hasChosen = true
    this.#mostShards = Math.max(this.#mostShards, view.shards)
    if (entry.isCertain && this.#use === 'write') {
      const stored = shadow.attributes(value, shard)
      const write = new IndexWrite({ counts, key, shard, stored, units, attemptsBefore: this.#attempt })
      noteIndexWrite(attribute, write)
    }
    return attribute
  }

  /** Whether queries of the value read a shard. */
  covers(counts: IndexCounts, shadow: ShadowKey, value: KeyValue, shard: number): boolean {
    const view = this.#viewOf(counts, counts.keyOf(shadow.storedValue(value)))
    return view !== undefined && shard <= view.readable
  }

  #shardOf({ random }: IndexCounts, { shards }: ShardView, place: readonly KeyValue[]): number {
    // mark: index-entry-is-below-its-count
    const home = indexShard(place, shards)
    if (this.#attempt === 0 || shards === 1) return home
    if (this.#attempt > 1) return randomInteger(random, 1, shards)
    const other = randomInteger(random, 1, shards - 1)
    return other >= home ? other + 1 : other
  }

  #viewOf(counts: IndexCounts, key: LogicalKey): ShardView | undefined {
    // The key contains the name of the attribute, and so is unique within its table.
    const name = `${counts.table}/${keyText(key)}`
    const known = this.#views.get(name)
    if (known !== undefined || this.#pending.has(name)) return known
    const view = this.#use === 'write' ? counts.forWrite(key) : counts.forRead(key)
    if (!(view instanceof Promise)) return view
    this.#pending.set(name, view)
    return undefined
  }
}
