import { MoveSender } from '../../attempts/move-sender.js'
import { openPace } from '../../attempts/spare-pace.js'
import type { LogicalKey } from '../../keys/key.js'
import { type MovingTable, readableShards, type ShardState } from '../../protocol/index.js'
import { quietReadsOf, readRateOf } from '../sensing/quiet-reads.js'
import { countItems } from './count-items.js'
import type { MoveCostReader } from './move-costs.js'
import { retiredShards } from './retired-shards.js'

/** What it costs to lower the count of a key, and what it saves. */
export interface ShrinkPrice {
  /** The number of shards that a query reads now, and with the lower count. */
  readonly from: number
  readonly to: number
  /** The items to move. */
  readonly items: number
  /** How many of them the service deletes within 30 days by their time to live. Without them, the move costs less. */
  readonly expiringItems: number
  /**
   * The write units of the move, indexes and replicas in other regions included. It is an estimate from the mean item size of
   * each page, and at most that much where an index does not include the whole item.
   */
  readonly writeUnits: number
  /** The time of the move in seconds at `drainUnitsPerSecond`. By default the rate varies, and this is the time at 100 units. */
  readonly seconds: number
  /**
   * The read units a day that the fleet saves with the lower count, measured since the key became quiet. `undefined` if the key
   * is not quiet, or if its processes have reported too few reads: they report about every thousandth unit.
   */
  readonly savedReadUnitsPerDay: number | undefined
  /**
   * The days until the saved reads have paid for the move. A write unit counts as five read units. `undefined` like
   * `savedReadUnitsPerDay`.
   */
  readonly paysAfterDays: number | undefined
}

export interface PriceOptions {
  readonly to: number
  readonly costs: MoveCostReader
  readonly unitsPerSecond: number | undefined
  readonly signal: AbortSignal
}

const MAX_ATTEMPTS = 10
/** A rate that follows the spare capacity begins with so many units. */
const FIRST_UNITS_PER_SECOND = 100
const DAY_SECONDS = 86_400
const EXPIRING_SECONDS = 30 * DAY_SECONDS

/** Counts the items that a lower count would move. The reads cost about half a percent of the move. */
export async function shrinkPrice(
  table: MovingTable,
  key: LogicalKey,
  state: ShardState,
  { to, costs, unitsPerSecond, signal }: PriceOptions,
): Promise<ShrinkPrice> {
  const from = readableShards(state)
  const epochSeconds = Math.floor(table.clock.now() / 1_000)
  const counted = await countItems(table, key, {
    sender: new MoveSender(table, {
      maxAttempts: MAX_ATTEMPTS,
      pace: openPace(table.clock, unitsPerSecond),
      signal,
    }),
    costs: await costs.read(),
    shards: retiredShards(state, to),
    expiringBefore: epochSeconds + EXPIRING_SECONDS,
    enoughReadUnits: Number.POSITIVE_INFINITY,
  })
  const { items, expiringItems, writeUnits, priceReadUnits } = counted
  const reads = quietReadsOf(state)
  const saved =
    reads === undefined
      ? undefined
      : Math.round((readRateOf(reads, epochSeconds) * DAY_SECONDS * (from - to)) / from)
  return {
    from,
    to,
    items,
    expiringItems,
    writeUnits,
    seconds: Math.ceil(writeUnits / (unitsPerSecond ?? FIRST_UNITS_PER_SECOND)),
    savedReadUnitsPerDay: saved,
    paysAfterDays: saved ? priceReadUnits / saved : undefined,
  }
}
