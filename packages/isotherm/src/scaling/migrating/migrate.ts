import { MoveSender } from '../../attempts/move-sender.js'
import { reasonWhenAborted } from '../../attempts/reason-when-aborted.js'
import { openPace } from '../../attempts/spare-pace.js'
import { concurrently } from '../../bounded/concurrently.js'
import type { LogicalKey, SuffixableKey } from '../../keys/key.js'
import { invalidOption, refuseUnknown, requireBoolean, requireInteger } from '../../options/check.js'
import { MAX_SHARDS, requireDrainRate } from '../../options/shard-limits.js'
import { isChanging, type KnownCard, readableShards, requireSafeRegions } from '../../protocol/index.js'
import type { DriveOutcome } from '../count-driver.js'
import type { Migratable } from '../migratable.js'
import { InitialDriver } from './initial-driver.js'
import type { InitialPassProgress } from './initial-pass.js'
import type { MigratedTable } from './migrated-table.js'
import { describedTable, type MigrationPrice, migrationPrice } from './migration-price.js'
import { ownCounts } from './own-counts.js'

/** Options of `db.migrate()`. */
export interface MigrateOptions {
  /** The initial shard count that the table is to have, 1 to 1,000. */
  readonly initial: number
  /**
   * Which keys get this count. `'cold'`: those that have the initial count now. Keys that have grown keep their count. `'all'`: every
   * key, for example before the library is removed. Default `'cold'`.
   */
  readonly keys?: 'cold' | 'all' | undefined
  /** Only returns the price. No item is written; a table that no process has used yet gets its card in the shard map. Default `false`. */
  readonly dryRun?: boolean | undefined
  /** The capacity units per second that the work may use, 10 to 10,000. Default: `drainUnitsPerSecond` of `dynamicShards`. */
  readonly unitsPerSecond?: number | undefined
  /** As for `drain` of a key. Default `'keep'`. */
  readonly twoCopies?: 'keep' | 'discard' | undefined
  /** Stops the work. The same call resumes it later, in any process. */
  readonly signal?: AbortSignal | undefined
  /** Called at the beginning of each phase, and after each page of items. */
  readonly onProgress?: ((progress: MigrationProgress) => void) | undefined
}

/** The progress of a migration. */
export interface MigrationProgress extends InitialPassProgress {
  /**
   * - `announced`, `moved`, `retired`: it waits until every process knows the next step.
   * - `draining`: items move. With a random suffix they move in `retired`, after the wait.
   * - `keys`: keys with a count of their own get the new one.
   */
  readonly phase: 'announced' | 'moved' | 'draining' | 'retired' | 'keys' | 'settled'
  /** The items of the table, as the service has counted them last. */
  readonly ofAbout: number
}

/** The result of `db.migrate()`. */
export interface MigrationResult {
  /**
   * - `settled`: the table has the new initial count.
   * - `overtaken`: another process has taken the migration over.
   * - `two-copies`: some items exist in two shards, so both counts are still read. Call it again with `twoCopies: 'discard'`, or
   *   remove one of each by hand.
   * - `dry-run`: nothing was done.
   */
  readonly outcome: DriveOutcome | 'dry-run'
  readonly from: number
  readonly to: number
  /** Without the keys that have a count of their own. With `keys: 'all'`, their items move, too: `db.shards(table, key).price(initial)` has the price of a key. */
  readonly price: MigrationPrice
  /** Keys that have a count of their own, and keep it with `keys: 'cold'`. */
  readonly ownCounts: number
}

const KNOWN = [
  'initial',
  'keys',
  'dryRun',
  'unitsPerSecond',
  'twoCopies',
  'signal',
  'onProgress',
] as const satisfies readonly (keyof MigrateOptions)[]

/** Keys that get another count at the same time. */
const KEYS_AT_A_TIME = 8

const MAX_ATTEMPTS = 120

/** See `db.migrate()`. @throws IsothermError `table.unfit` in a global table whose options do not allow the change */
export async function migrate(migratable: Migratable, given: MigrateOptions): Promise<MigrationResult> {
  refuseUnknown('migrate', given, KNOWN)
  const signal =
    given.signal === undefined ? migratable.signal : AbortSignal.any([given.signal, migratable.signal])
  return reasonWhenAborted(signal, migrateUntil(signal, migratable, given))
}

async function migrateUntil(
  signal: AbortSignal,
  migratable: Migratable,
  given: MigrateOptions,
): Promise<MigrationResult> {
  const { table, cards, shardMap, costs, shardsOf } = migratable
  const to = requireInteger('migrate.initial', given.initial, 1, MAX_SHARDS)
  const { keys = 'cold', twoCopies = 'keep', onProgress = () => {} } = given
  if (keys !== 'cold' && keys !== 'all') throw invalidOption('migrate.keys', keys, "'cold' or 'all'")
  if (twoCopies !== 'keep' && twoCopies !== 'discard') {
    throw invalidOption('migrate.twoCopies', twoCopies, "'keep' or 'discard'")
  }
  const isDryRun = requireBoolean('migrate.dryRun', given.dryRun ?? false)
  const unitsPerSecond = requireDrainRate(
    'migrate.unitsPerSecond',
    given.unitsPerSecond ?? migratable.unitsPerSecond,
  )
  const description = await describedTable(table)
  const type = description.AttributeDefinitions?.find(
    ({ AttributeName }) => AttributeName === table.options.partitionKey,
  )?.AttributeType
  const at: MigratedTable = { table, cards, shardMap, like: keyOfType(type) }
  const before = await cards.readNow(at.like)
  const from = countBefore(before)
  requireSafeRegions(table.options, description, { mayFall: to < from || keys === 'all' })
  const price = await migrationPrice(table, { from, to, description, costs, unitsPerSecond })
  const listed = before.listed === 'all' ? 0 : before.listed.size
  if (isDryRun) return { outcome: 'dry-run', from, to, price, ownCounts: listed }

  const pace = openPace(table.clock, unitsPerSecond)
  const sender = new MoveSender(table, { maxAttempts: MAX_ATTEMPTS, pace, signal })
  const drained = { discards: twoCopies === 'discard', unitsPerSecond, signal }
  let progress: InitialPassProgress = { scanned: 0, moved: 0, twoCopies: 0 }
  const tell = (phase: MigrationProgress['phase']) =>
    onProgress({ ...progress, phase, ofAbout: description.ItemCount ?? 0 })
  if (before.migration === undefined) await ownCounts(at, sender, signal)
  const outcome = await InitialDriver.drive(at, await cards.readNow(at.like), to, {
    ...drained,
    onPhase: tell,
    onProgress: (made) => {
      progress = made
      tell(table.placementKind === 'random' ? 'retired' : 'draining')
    },
  })
  if (outcome !== 'settled') return { outcome, from, to, price, ownCounts: listed }
  const own = await ownCounts(at, sender, signal)
  if (keys === 'cold' || own.length === 0) return { outcome, from, to, price, ownCounts: own.length }

  tell('keys')
  const outcomes: DriveOutcome[] = []
  const drainOptions = { twoCopies, signal, ...(unitsPerSecond === undefined ? {} : { unitsPerSecond }) }
  await concurrently(own, KEYS_AT_A_TIME, async (key) => {
    const shards = shardsOf(key)
    // A count changes once at a time.
    let outcome = await shards.drain(drainOptions)
    const state = await shardMap.reread(key)
    if (outcome === 'settled' && state?.shards !== to) {
      await shards.set(to)
      outcome = await shards.drain(drainOptions)
    }
    outcomes.push(outcome)
    await shardMap.unlist(key)
  })
  const left = await ownCounts(at, sender, signal)
  const worst = outcomes.find((each) => each !== 'settled') ?? 'settled'
  return { outcome: worst, from, to, price, ownCounts: left.length }
}

/** The count from which the table is migrated, also when the migration is resumed. */
function countBefore({ initial, migration }: KnownCard): number {
  if (isChanging(initial)) return initial.from
  // Writers use a lower count of a random suffix at once, and a higher one only in the end.
  return migration?.to === initial.shards ? readableShards(initial) : initial.shards
}

/** Some key of the type. It is not read or written: only its type counts. */
function keyOfType(type: string | undefined): LogicalKey {
  const name = 'isotherm'
  const key: SuffixableKey = type === 'B' ? { B: Buffer.from(name) } : { S: name }
  return key as LogicalKey
}
