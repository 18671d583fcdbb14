import type { KeyValue } from '@isotherm/semantics'
import { boundedClient } from '../attempts/bounded-client.js'
import { IsothermError } from '../errors/isotherm-error.js'
import type { ShardView } from '../protocol/index.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import type { CheckedTable } from './checked-table.js'
import { requireEntries } from './entries-sample.js'
import type { IndexCounts, TableIndexCounts } from './index-counts.js'
import { indexMapClient } from './index-map-client.js'
import type { KnownIndex, ShardedIndex } from './index-options.js'
import { ShadowKey } from './shadow-key.js'
import { requireEmpty, requireReadByAll } from './value-shards.js'

/** With more values than this, one of those that were compared has entries in all of its shards, or a count in the shard map. */
const MAX_VALUES = 8

/** An empty index says nothing. Processes with other options may fill it from now on, so it is looked at again. */
const EMPTY_MILLISECONDS = 60_000
/** Processes with other options may be deployed beside this one. */
const AGAIN_MILLISECONDS = 300_000
/** Each request of a process that is refused would read the sample again. It gets the same error instead, for this long. */
const REFUSED_MILLISECONDS = 30_000

/** What is wrong for certain. */
const REFUSALS: ReadonlySet<string> = new Set(['items.elsewhere', 'table.no-index'])

/**
 * Compares the options of an index with its entries. What cannot be read is believed. Each function returns `undefined` if there is
 * nothing to wait for.
 *
 * @throws IsothermError (the functions) `items.elsewhere`, `table.no-index`
 */
export interface IndexCheck {
  /** Before a query of a value: whether it would miss entries. */
  beforeQuery(value: KeyValue, view: ShardView): Promise<void> | undefined
  /** Before an item with this value is written: whether queries of other processes would miss its entry. */
  beforeEntry(value: KeyValue): Promise<void> | undefined
  /** Before an item without the attribute of the index is put. It waits for a comparison only after one that has refused the options. */
  besideIndex(): Promise<void> | undefined
}

/**
 * Compares a sample of the entries, and for each of the first values that are queried whether the shard after its last one is empty.
 * Had the index had more shards, that shard would have some of the entries. With a fixed count, it compares the counts in the shard map
 * of the first values that are written. An index that is still empty is looked at again after a minute, and every index after five
 * minutes.
 */
class EntriesCheck implements IndexCheck {
  readonly #table: CheckedTable
  readonly #shadow: ShadowKey
  readonly #counts: IndexCounts | undefined
  readonly #shardMapClient: PhysicalClient
  readonly #queried = new Set<string>()
  /** The values that were written, with their comparisons: many writes of one value may wait for one. */
  readonly #written = new Map<string, Promise<void> | undefined>()
  #sampling: Promise<number | undefined> | undefined
  #isSampled = false
  #refused: { readonly error: unknown; readonly until: number } | undefined
  /** When an index that was empty is looked at again: by queries, and by writes, whose own entries are the first ones. */
  readonly #due = { queries: 0, writes: 0 }
  #again: number

  constructor(table: CheckedTable, index: ShardedIndex, counts: IndexCounts | undefined) {
    // Writes wait for the first comparison, so it must not hang.
    const client = boundedClient(table.client, table.clock)
    this.#table = { ...table, client }
    this.#shadow = new ShadowKey(table.options, index)
    this.#counts = counts
    this.#shardMapClient = indexMapClient(client, table.options)
    this.#again = table.clock.now() + AGAIN_MILLISECONDS
  }

  beforeQuery(value: KeyValue, view: ShardView): Promise<void> | undefined {
    this.#renew()
    if (this.#queried.size >= MAX_VALUES || this.#table.clock.now() < this.#due.queries) return undefined
    const name = this.#nameOf(value)
    return this.#queried.has(name) ? undefined : this.#compareQueried(value, view, name)
  }

  beforeEntry(value: KeyValue): Promise<void> | undefined {
    this.#renew()
    const sampled = this.#sampleForWrites()
    const counted = this.#compareWritten(value)
    if (sampled === undefined && counted === undefined) return undefined
    return Promise.all([sampled, counted]).then(() => {})
  }

  besideIndex(): Promise<void> | undefined {
    this.#renew()
    const sampled = this.#sampleForWrites()
    if (this.#refused !== undefined) return sampled?.then(() => {})
    // The next write learns what it has found.
    sampled?.catch(() => {})
    return undefined
  }

  async #compareQueried(value: KeyValue, view: ShardView, name: string): Promise<void> {
    const shard = view.readable + 1
    const [sampled] = await Promise.all([
      this.#sample(),
      unlessUnreadable(() => requireEmpty(this.#table, this.#shadow, this.#counts, { value, shard })),
    ])
    if (sampled === 0) this.#due.queries = this.#table.clock.now() + EMPTY_MILLISECONDS
    else this.#queried.add(name)
  }

  #compareWritten(value: KeyValue): Promise<void> | undefined {
    const { index } = this.#shadow
    if (index.shards.kind !== 'fixed') return undefined
    const name = this.#nameOf(value)
    const isLearnt = this.#written.has(name)
    if (isLearnt || this.#written.size >= MAX_VALUES) return this.#written.get(name)
    const storedValue = this.#shadow.storedValue(value)
    const comparison = unlessUnreadable(() =>
      requireReadByAll(this.#table, this.#shardMapClient, { index, storedValue }),
    )
    this.#written.set(name, comparison)
    comparison.then(
      () => this.#written.set(name, undefined),
      () => this.#written.delete(name),
    )
    return comparison
  }

  #sampleForWrites(): Promise<number | undefined> | undefined {
    const { clock } = this.#table
    if (clock.now() < this.#due.writes) return undefined
    return this.#sample()?.then((entries) => {
      if (entries === 0) this.#due.writes = clock.now() + EMPTY_MILLISECONDS
      return entries
    })
  }

  #sample(): Promise<number | undefined> | undefined {
    const { clock } = this.#table
    if (this.#refused !== undefined && clock.now() < this.#refused.until)
      return Promise.reject(this.#refused.error)
    if (this.#isSampled) return undefined
    this.#sampling ??= unlessUnreadable(() => requireEntries(this.#table, this.#shadow))
      .then(
        (entries) => {
          this.#refused = undefined
          this.#isSampled = entries !== 0
          return entries
        },
        (error: unknown) => {
          this.#refused = { error, until: clock.now() + REFUSED_MILLISECONDS }
          throw error
        },
      )
      .finally(() => {
        this.#sampling = undefined
      })
    return this.#sampling
  }

  #renew(): void {
    const now = this.#table.clock.now()
    if (now < this.#again) return
    this.#again = now + AGAIN_MILLISECONDS
    this.#isSampled = false
    this.#queried.clear()
    this.#written.clear()
  }

  #nameOf(value: KeyValue): string {
    return JSON.stringify(this.#shadow.attributes(value, 1))
  }
}

/** The checks of all sharded indexes of a table, by their names; none if its items are not compared. */
export function openIndexChecks(
  table: CheckedTable,
  indexes: ReadonlyMap<string, KnownIndex>,
  indexCounts: TableIndexCounts,
): ReadonlyMap<string, IndexCheck> {
  const sharded = [...indexes.values()].filter((index) => index.kind === 'sharded')
  if (!table.options.checkItems) return new Map()
  return new Map(
    sharded.map((index) => [
      index.name,
      new EntriesCheck(table, index, indexCounts.get(index.shard.attribute)),
    ]),
  )
}

/** The options are refused by what was found, and never because something could not be found out. */
async function unlessUnreadable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof IsothermError && REFUSALS.has(error.code)) throw error
    return undefined
  }
}
