import type { Clock, Random } from '@isotherm/runtime'
import { warmAtStart } from '../capacity/throughput.js'
import type { CapacityParameters } from '../partition/capacity-parameters.js'
import { inBackground } from '../storage/in-background.js'
import type { RecordChange } from '../storage/record.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import { endingBy } from '../table/ending-by.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { IndexDefinition, TableDefinition } from '../table/table-definition.js'
import type { TableState } from '../table/table-state.js'
import { isOver } from '../table/transition.js'
import type { Backfill } from './backfill.js'
import type { Catalog } from './catalog.js'
import { type ControlPlaneDelays, longestDelay } from './control-plane-delays.js'
import type { ExpirySweep } from './expiry-sweep.js'
import { noPartitionRecords } from './kept-partitions.js'
import type { TableAssembly } from './table-assembly.js'
import type { TableMeters } from './table-meters.js'

/** The dependencies of the life cycle of tables. */
export interface LifeCycleParts {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly catalog: Catalog
  readonly assembly: TableAssembly
  readonly backfill: Backfill
  readonly expiry: ExpirySweep
  readonly capacity: CapacityParameters
  readonly delays: ControlPlaneDelays
  /** `undefined` when no metrics are recorded. */
  readonly meters?: TableMeters | undefined
}

/** Creates, changes and deletes tables and their indexes. Unless a method says otherwise, its caller must save the table. */
export class TableLifeCycle {
  readonly delays: ControlPlaneDelays
  readonly capacity: CapacityParameters
  readonly #parts: LifeCycleParts
  /** Tables that are in a transition, or have an index that is being deleted. */
  readonly #changing = new Set<Table>()

  constructor(parts: LifeCycleParts) {
    this.#parts = parts
    this.delays = parts.delays
    this.capacity = parts.capacity
  }

  /** Creates an empty table. The name must be free. */
  create(region: string, definition: TableDefinition, tags: { readonly [key: string]: string }): Table {
    const { clock, random, assembly, catalog } = this.#parts
    // A deleted table of that name may still hold the keyspace.
    this.settle()
    const now = clock.now()
    const { billingMode, warmThroughput, throughput } = definition
    const global = definition.indexes.filter(({ kind }) => kind === 'global')
    const { createTable, createTableWithIndexes } = this.delays
    const until = now + (global.length > 0 ? createTableWithIndexes : createTable)
    const transition = { status: 'CREATING', until } as const
    const table = assembly.table(region, keyspaceOf(region, definition.name), {
      definition,
      id: randomId(random),
      createdAt: now,
      transition,
      ...(billingMode === 'PAY_PER_REQUEST' ? { onDemandSince: now } : {}),
      warm: warmThroughput ?? warmAtStart(billingMode, throughput),
      warmIndexes: Object.fromEntries(
        global.map((index) => [
          index.name,
          index.warmThroughput ?? warmAtStart(billingMode, index.throughput),
        ]),
      ),
      indexes: Object.fromEntries(
        definition.indexes.map(({ name }) => [name, { transition, complete: true, addedLater: false }]),
      ),
      tags,
      insights: {},
    })
    catalog.add(table)
    this.#changing.add(table)
    return table
  }

  /** Loads a stored table and resumes its background work. It need not be saved. */
  resume(keyspace: string, state: TableState): void {
    const { clock, assembly, catalog, backfill, expiry } = this.#parts
    const latest = clock.now() + longestDelay(this.delays)
    const table = assembly.table(regionOf(keyspace), keyspace, endingBy(state, latest))
    catalog.add(table)
    this.#changing.add(table)
    for (const index of table.indexes.values()) if (!index.state.complete) backfill.fillIndex(table, index)
    if (table.state.timeToLive?.complete === false) backfill.fillExpiry(table)
    expiry.follow(table)
  }

  /** Applies the changed state of an UpdateTable request. */
  change(table: Table, state: TableState, now: number): void {
    table.change(state, now)
    this.#changing.add(table)
  }

  /** Deletes a table with all its data, at once or after the delay of deletions. It need not be saved. */
  delete(table: Table): Awaitable<void> {
    const { clock, catalog } = this.#parts
    const { deleteTable } = this.delays
    if (deleteTable === 0) return this.#remove(table, clock.now())
    table.beginDeletion(clock.now() + deleteTable)
    this.#changing.add(table)
    return catalog.save(table)
  }

  /** Removes a table that could not be filled, at once, and changes records: all or nothing. It need not be saved. */
  discard(table: Table, records: readonly RecordChange[]): Awaitable<void> {
    return this.#remove(table, this.#parts.clock.now(), records)
  }

  /** Adds an index. From now on it follows every write, and it is filled from the existing items. */
  addIndex(table: Table, definition: IndexDefinition): void {
    const { clock, assembly, backfill } = this.#parts
    const { setUpIndex, backfillIndex } = this.delays
    const backfillsAt = clock.now() + setUpIndex
    const transition = { status: 'CREATING', until: backfillsAt + backfillIndex } as const
    const index = assembly.index(table, definition, {
      transition,
      backfillsAt,
      complete: false,
      addedLater: true,
    })
    table.attach(index)
    index.meter?.builds.begin(backfillsAt, transition.until)
    backfill.fillIndex(table, index)
  }

  /** Deletes an index with its entries, at once or after the delay of such deletions. */
  deleteIndex(table: Table, index: SecondaryIndex, now: number): void {
    const { deleteIndex } = this.delays
    if (deleteIndex === 0) this.#removeIndex(table, index, now)
    else table.beginIndexDeletion(index, now + deleteIndex)
  }

  /** Opens a stream for a table. @returns its record, which must be saved together with the table. */
  openStream(table: Table): RecordChange {
    return this.#parts.assembly.openStream(table)
  }

  /** Sets the attribute by which items of the table expire, or turns expiry off. */
  changeTimeToLive(table: Table, enabled: boolean, attribute: string, now: number): void {
    const { storage, assembly, backfill, expiry } = this.#parts
    if (table.expiry !== undefined) inBackground(storage.drop([table.expiry.keyspace]))
    const until = now + this.delays.changeTimeToLive
    table.changeTimeToLive(
      { enabled, attribute, complete: !enabled, until },
      enabled ? assembly.expiry(table.keyspace, { attribute, complete: false }) : undefined,
    )
    backfill.fillExpiry(table)
    expiry.follow(table)
  }

  /**
   * Completes what is due: drops tables and indexes whose deletion has ended, and ends transitions. This runs with
   * every request, because until the next one nothing can observe the difference.
   */
  settle(): void {
    if (this.#changing.size === 0) return
    const now = this.#parts.clock.now()
    for (const table of this.#changing) this.#settle(table, now)
  }

  /** Discards all tables. The store is not changed. */
  clear(): void {
    this.#changing.clear()
  }

  #settle(table: Table, now: number): void {
    const { transition } = table.state
    if (table.isGone) {
      inBackground(this.#remove(table, transition?.until ?? now))
      return
    }
    table.endTransition(now)
    let deleting = 0
    for (const index of table.indexes.values()) {
      const { transition } = index.state
      if (transition?.status !== 'DELETING') continue
      if (isOver(transition, now)) {
        this.#removeIndex(table, index, transition.until)
        inBackground(this.#parts.catalog.save(table))
      } else deleting++
    }
    if (deleting === 0 && table.state.transition === undefined) this.#changing.delete(table)
  }

  /** @param at when the deletion ended, which may be before now. */
  #removeIndex(table: Table, index: SecondaryIndex, at: number): void {
    const { storage, meters } = this.#parts
    const { name } = index.definition
    table.detach(name)
    meters?.ended(table.region, table.name, name, at)
    inBackground(storage.drop([index.keyspace], noPartitionRecords(index.keyspace)))
  }

  /** @param at when the deletion ended, which may be before now. */
  #remove(table: Table, at: number, records: readonly RecordChange[] = []): Awaitable<void> {
    const { storage, clock, catalog, expiry, meters } = this.#parts
    catalog.remove(table)
    this.#changing.delete(table)
    expiry.forget(table)
    meters?.ended(table.region, table.name, undefined, at)
    const keyspaces = [table.keyspace, ...[...table.indexes.values()].map(({ keyspace }) => keyspace)]
    if (table.expiry !== undefined) keyspaces.push(table.expiry.keyspace)
    const gone = keyspaces.flatMap(noPartitionRecords)
    const stream = table.stream === undefined ? [] : [table.stream.disable(clock.now())]
    return storage.drop(keyspaces, [{ ...table.record, value: undefined }, ...gone, ...stream, ...records])
  }
}

/** Region names contain no slash, so every table has its own keyspace. */
function keyspaceOf(region: string, name: string): string {
  return `${region}/${name}`
}

function regionOf(keyspace: string): string {
  return keyspace.slice(0, keyspace.indexOf('/'))
}

/** A random UUID of version 4, from the injected random source. */
function randomId(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () =>
    Math.floor(random.next() * 16).toString(16),
  )
}
