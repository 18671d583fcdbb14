import { BackgroundClock } from '../../attempts/background-clock.js'
import { MoveSender } from '../../attempts/move-sender.js'
import { openPace } from '../../attempts/spare-pace.js'
import { type LogicalKey, plainKey } from '../../keys/key.js'
import type { AtRest, MovingTable, ShardMapStore } from '../../protocol/index.js'
import { isDueForDecision, quietReadsOf, readRateOf } from '../sensing/quiet-reads.js'
import { claimOfDecision } from './claim-of-decision.js'
import { countItems, type ItemsToMove } from './count-items.js'
import { DailyBudget } from './daily-budget.js'
import type { MoveCostReader } from './move-costs.js'
import type { Shrinking } from './parse-shrink.js'
import { retiredShards } from './retired-shards.js'

/** The attempts at one page of a count. A decision that fails is made again when the key was read twice as much. */
const MAX_ATTEMPTS = 10

const DAY_SECONDS = 86_400

export interface ComingDownOptions {
  readonly table: MovingTable
  readonly store: Pick<ShardMapStore, 'sign'>
  readonly costs: MoveCostReader
  readonly shards: Shrinking & { readonly drainUnitsPerSecond: number | undefined }
  readonly signal: AbortSignal
}

/** Removes the shards if the decision allows it, and returns whether it did. */
type Remove = () => Promise<boolean>

/**
 * Decides whether a quiet key loses shards. The key costs reads for as long as it has them. Moving its items costs writes, once.
 * Nobody knows how long the key will stay quiet, so it loses the shards when the reads of the quiet time so far have cost as much
 * as the move. Then the whole never costs more than twice of what would have been cheapest, whatever the load does
 * (the ski rental problem). A key that is hot every day pays only if the reads of one night cost more than the move, and a
 * key that nobody reads keeps its shards.
 *
 * Source: Karlin, Manasse, Rudolph, Sleator: Competitive snoopy caching (1988)
 */
export class ComingDown {
  readonly #options: ComingDownOptions
  readonly #budget: DailyBudget

  constructor(options: ComingDownOptions) {
    this.#options = options
    this.#budget = new DailyBudget(options.table.clock, options.shards.shrinkUnitsPerDay)
  }

  /** Removes the shards above the count if that pays. */
  async decide(key: LogicalKey, state: AtRest, to: number, remove: Remove): Promise<boolean> {
    const { shards, store } = this.#options
    if (shards.shrink === 'always') return remove()
    const reads = quietReadsOf(state)
    if (reads === undefined || !isDueForDecision(reads)) return false
    if (!(await store.sign(key, claimOfDecision(reads)))) return false
    const spent = (reads.units * (state.shards - to)) / state.shards
    const epochSeconds = this.#epochSeconds()
    const elapsed = epochSeconds - reads.since
    const toMove = await this.#count(key, state, to, { spent, expiringBefore: epochSeconds + elapsed })
    const reason = this.#reasonAgainst(toMove, spent)
    if (reason === undefined) {
      let isRemoved = false
      try {
        isRemoved = await remove()
      } finally {
        if (!isRemoved) this.#budget.giveBack(toMove.writeUnits)
      }
      return isRemoved
    }
    const { emit, clock, options } = this.#options.table
    emit({
      type: 'shrink-declined',
      table: options.name,
      logicalKey: plainKey(key),
      from: state.shards,
      to,
      reason,
      items: toMove.items,
      writeUnits: toMove.writeUnits,
      spentReadUnits: Math.round(spent),
      savedReadUnitsPerDay: Math.round(
        (readRateOf(reads, epochSeconds) * DAY_SECONDS * (state.shards - to)) / state.shards,
      ),
      at: clock.now(),
    })
    return false
  }

  #reasonAgainst(
    { items, expiringItems, priceReadUnits, writeUnits, isComplete }: ItemsToMove,
    spent: number,
  ): 'price' | 'expiry' | 'budget' | undefined {
    if (expiringItems > items / 2) return 'expiry'
    if (!isComplete || priceReadUnits > spent) return 'price'
    return this.#budget.spend(writeUnits) ? undefined : 'budget'
  }

  async #count(
    key: LogicalKey,
    state: AtRest,
    to: number,
    { spent, expiringBefore }: { readonly spent: number; readonly expiringBefore: number },
  ): Promise<ItemsToMove> {
    const { table, shards, costs, signal } = this.#options
    const { client, random, options } = table
    // Nobody waits for the decision, so it does not keep the process alive.
    const clock = new BackgroundClock(table.clock)
    const pace = openPace(clock, shards.drainUnitsPerSecond)
    const sender = new MoveSender(
      { client, clock, random, options },
      { maxAttempts: MAX_ATTEMPTS, pace, signal },
    )
    return countItems(table, key, {
      sender,
      costs: await costs.read(),
      shards: retiredShards(state, to),
      expiringBefore,
      enoughReadUnits: spent,
    })
  }

  #epochSeconds(): number {
    return Math.floor(this.#options.table.clock.now() / 1_000)
  }
}
