import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { readNow } from './read-now.js'
import { type Seen, type StoredState, seenOf } from './seen-state.js'

/** The key of a table's card in its shard map. */
const CARD_KEY = 'isotherm:card'

interface Card {
  readonly version: number
  readonly settings: string
  /** Of every key without a count of its own; `undefined` if it was never changed. */
  readonly initial: Seen | undefined
  /** The keys that have items of their own to go by; `undefined` if all may have. */
  readonly listed: ReadonlySet<string> | undefined
}

interface StoredCard {
  readonly format?: { readonly N: string }
  readonly version?: { readonly N: string }
  readonly settings?: { readonly M: Readonly<Record<string, unknown>> }
  readonly listed_keys?: { readonly SS: readonly string[] }
  readonly lists_all?: { readonly BOOL: boolean }
}

/** Whether the shard map has the card of the table under this key. */
export function isCardKey(key: string): boolean {
  return key === CARD_KEY
}

/**
 * Follows the card of one table as the service stores it. Nobody reads the item of a key that is not listed, so every key with another
 * count than the initial one is listed.
 */
export class CardWatch {
  readonly #world: Pick<World, 'lane' | 'scheduler'>
  readonly #table: WorkloadTable
  readonly #shardMap: string
  #card: Card | undefined

  constructor(world: Pick<World, 'lane' | 'scheduler'>, table: WorkloadTable, shardMap: string) {
    this.#world = world
    this.#table = table
    this.#shardMap = shardMap
  }

  /** @throws Violation */
  async look(): Promise<void> {
    const before = this.#card
    const { output } = await readNow(this.#world, {
      TableName: this.#shardMap,
      Key: { [this.#table.partitionKey]: { S: CARD_KEY } },
    })
    const { Item } = output as { readonly Item?: StoredCard }
    if (Item === undefined) return
    this.#card = {
      version: Number(Item.version?.N),
      // The initial count is what a migration changes.
      settings: JSON.stringify({ ...Item.settings?.M, initial: undefined }),
      initial: Item.format?.N === '2' ? seenOf(Item as unknown as StoredState) : undefined,
      listed: Item.lists_all?.BOOL === true ? undefined : new Set(Item.listed_keys?.SS),
    }
    if (before === undefined) return
    const { version, settings } = this.#card
    if (version >= before.version && settings === before.settings) return
    throw new Violation(
      'a card grows older, and keeps its settings',
      `${this.#shardMap} went from version ${before.version} to ${version}, with ${settings}`,
    )
  }

  /** The state of every key without a count of its own, if it was ever changed. */
  get initial(): Seen | undefined {
    return this.#card?.initial
  }

  /** The key has another count than the initial one, or is about to. @throws Violation */
  requireListed(key: string): void {
    const { listed } = this.#card ?? {}
    if (listed === undefined || listed.has(key)) return
    throw new Violation(
      'a key with its own count is on the card',
      `${key} is not among ${[...listed].join(', ') || 'none'}`,
      [key],
    )
  }
}
