import { randomInteger } from '@isotherm/runtime'
import { ItemHistory, type ItemOperation } from '../invariants/item-history.js'
import type { Process } from '../world/process.js'
import { contentOf } from '../world/stored-items.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { FollowedItem } from './followed-requests.js'
import { sortValueOf } from './log-ids.js'

/** An item that is appended once, and found by its key from then on. */
export interface KeptItem extends FollowedItem {
  /** Its logical key, and its sort key. */
  readonly log: string
  readonly id: number
  /**
   * Whether nobody ever deletes it. What may be gone must not be created again: two processes that create an item of a
   * random key can miss each other while its count changes, as the library documents.
   */
  readonly isLasting: boolean
  /** What it is appended with. */
  readonly value: string
}

/** The items of a few keys: of each, some that stay, and as many that come and go. */
export class KeptItems {
  readonly #table: WorkloadTable
  readonly #perLog: number
  readonly #begun: KeptItem[] = []
  /** Those that are known to be appended, and not to be deleted. */
  readonly #there: KeptItem[] = []

  constructor(table: WorkloadTable, perLog: number) {
    this.#table = table
    this.#perLog = perLog
  }

  /** All that were ever appended, or may have been. */
  get begun(): readonly KeptItem[] {
    return this.#begun
  }

  get there(): readonly KeptItem[] {
    return this.#there
  }

  /** New ones, of which the key has too few: first those that stay. */
  missing(log: string, atMost: number): readonly KeptItem[] {
    const own = this.#there.filter((item) => item.log === log)
    const lasting = own.filter(({ isLasting }) => isLasting).length
    const count = Math.min(atMost, 2 * this.#perLog - own.length)
    return Array.from({ length: Math.max(0, count) }, (_, index) =>
      this.#begin(log, lasting + index < this.#perLog),
    )
  }

  /** An operation was answered: what it put is there, and what it deleted is not. */
  answered(item: KeptItem, { apply }: ItemOperation): void {
    const at = this.#there.indexOf(item)
    const isGone = apply(item.value).state === ''
    if (isGone && at >= 0) this.#there.splice(at, 1)
    if (!isGone && at < 0 && apply('').state !== '') this.#there.push(item)
  }

  /**
   * The newest ones mostly, which are in any shard, while old ones have come down to the first few; others are hardly ever asked
   * for, and keep the mark of a move that was left for long.
   */
  oneOf({ random }: Process): KeptItem | undefined {
    const { length } = this.#there
    return this.#there[length - 1 - Math.floor(length * random.next() ** 2)]
  }

  /** Several, each once. */
  someOf(process: Process, atMost: number): readonly KeptItem[] {
    const count = randomInteger(process.random, 1, atMost)
    const drawn = Array.from({ length: count }, () => this.oneOf(process))
    return [...new Set(drawn)].filter((item) => item !== undefined)
  }

  #begin(log: string, isLasting: boolean): KeptItem {
    const id = this.#begun.length
    const { name, partitionKey, sortKey } = this.#table
    const sort = sortValueOf(this.#table, id)
    const item = {
      log,
      id,
      isLasting,
      value: `v${id}`,
      target: { table: name, key: { [partitionKey]: { S: log }, [sortKey]: sort } },
      history: new ItemHistory([log, contentOf(sort)]),
    }
    this.#begun.push(item)
    return item
  }
}
