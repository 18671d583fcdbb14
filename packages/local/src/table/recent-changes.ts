import type { Random } from '@isotherm/runtime'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Change, StoredItem } from '../storage/storage.js'
import type { HiddenChanges } from './lagging-view.js'

interface RecentChange {
  readonly keyspace: string
  readonly key: EncodedKey
  readonly before: StoredItem | undefined
  readonly at: number
}

/** What was changed lately, so that an eventually consistent read can be shown the table as it was before. */
export class RecentChanges {
  readonly #lagMilliseconds: number
  readonly #random: Random
  /** In order of time. */
  #changes: RecentChange[] = []

  constructor(lagMilliseconds: number, random: Random) {
    this.#lagMilliseconds = lagMilliseconds
    this.#random = random
  }

  record(changes: readonly Change[], now: number): void {
    if (this.#lagMilliseconds === 0) return
    const first = this.#changes.findIndex(({ at }) => at > now - this.#lagMilliseconds)
    this.#changes = first === -1 ? [] : this.#changes.slice(first)
    for (const { keyspace, key, before } of changes) this.#changes.push({ keyspace, key, before, at: now })
  }

  /** What is hidden from a read that is as late as chance has it; nothing when nothing is. */
  hiddenFromRead(keyspace: string, now: number): (HiddenChanges & Pick<Hidden, 'visible'>) | undefined {
    if (this.#changes.length === 0) return undefined
    const horizon = now - this.#random.next() * this.#lagMilliseconds
    const hidden = new Map<EncodedKey, StoredItem | undefined>()
    // The oldest of the hidden changes of a key says what was there before all of them.
    for (const change of this.#changes) {
      if (change.at > horizon && change.keyspace === keyspace && !hidden.has(change.key)) {
        hidden.set(change.key, change.before)
      }
    }
    return hidden.size === 0 ? undefined : new Hidden(hidden)
  }
}

class Hidden implements HiddenChanges {
  readonly #before: ReadonlyMap<EncodedKey, StoredItem | undefined>

  constructor(before: ReadonlyMap<EncodedKey, StoredItem | undefined>) {
    this.#before = before
  }

  get isEmpty(): boolean {
    return this.#before.size === 0
  }

  hides(key: EncodedKey): boolean {
    return this.#before.has(key)
  }

  visible(key: EncodedKey): StoredItem | undefined {
    return this.#before.get(key)
  }

  hidden(): Iterable<readonly [EncodedKey, StoredItem | undefined]> {
    return this.#before
  }
}
