import type { Clock, Random } from '@isotherm/runtime'
import { writeUnits } from '@isotherm/semantics'
import type { Enforcement } from '../capacity/admission.js'
import { warmAtStart } from '../capacity/throughput.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { CapacityParameters } from '../partition/capacity-parameters.js'
import type { MeasuredStorage } from '../partition/measured-storage.js'
import type { SplitEvent } from '../partition/partition-map.js'
import { inBackground } from '../storage/in-background.js'
import type { Change, StoredItem } from '../storage/ordered-map.js'
import type { RecordChange } from '../storage/record.js'
import type { Awaitable } from '../storage/storage.js'
import type { StreamParameters } from '../stream/stream-parameters.js'
import { Streams } from '../stream/streams.js'
import type { PropagationParameters } from '../table/index-queue.js'
import { isOver } from '../table/life-cycle.js'
import type { SecondaryIndex } from '../table/secondary-index.js'
import type { Table } from '../table/table.js'
import type { IndexDefinition, TableDefinition } from '../table/table-definition.js'
import type { TableState } from '../table/table-state.js'
import type { ControlPlaneDelays } from './control-plane-delays.js'
import { type Filling, fill } from './fill.js'
import { noPartitionRecords, partitionRecords } from './kept-partitions.js'
import { RegionalTables } from './regional-tables.js'
import { TableAssembly } from './table-assembly.js'
import type { TableMeters } from './table-meters.js'

/** A split, or the reason against one, with the table or index whose partition it concerns. */
export type PartitionEvent = SplitEvent & { readonly table: string; readonly index?: string }

/** The dependencies of tables. */
export interface CatalogParts {
  readonly storage: MeasuredStorage
  readonly clock: Clock
  readonly random: Random
  readonly capacity: CapacityParameters
  readonly streams: StreamParameters
  readonly propagation: PropagationParameters
  readonly delays: ControlPlaneDelays
  readonly enforcement: Enforcement
  readonly onPartitionEvent: (event: PartitionEvent) => void
  /** `undefined` when no metrics are recorded. */
  readonly meters?: TableMeters | undefined
}

/** Expired items removed before one request. The next request removes the rest. */
const EXPIRED_AT_ONCE = 100

/** The tables of all regions, and the streams they write. Tables of different regions are independent. */
export class Catalog {
  readonly streams: Streams
  readonly delays: ControlPlaneDelays
  readonly capacity: CapacityParameters
  readonly #parts: CatalogParts
  readonly #assembly: TableAssembly
  readonly #tables = new RegionalTables()
  #expiring: readonly Table[] = []
  readonly #closing = new AbortController()

  /** Loads the tables that the store holds. */
  constructor(parts: CatalogParts) {
    this.#parts = parts
    this.delays = parts.delays
    this.capacity = parts.capacity
    const { storage, random, streams } = parts
    this.streams = new Streams({ storage, random, parameters: streams })
    this.#assembly = new TableAssembly(parts, this.streams)
    const states: [keyspace: string, state: TableState][] = []
    for (const [name, value] of storage.records()) {
      const [kind, place] = cutAtSlash(name)
      if (kind === 'stream') this.streams.load(value)
      else if (kind === 'table') states.push([place, value as unknown as TableState])
      else this.#assembly.remember(kind, place, value)
    }
    this.streams.sweep(parts.clock.now())
    for (const [place, state] of states) this.#resume(place, state)
    this.#assembly.forgetKept()
  }

  /**
   * All records as they are at this moment. The stored ones may lack changes that are written in the background, such
   * as a new border.
   */
  get records(): readonly RecordChange[] {
    const tables = this.#tables.all
    const partitions = tables.flatMap(partitionRecordsOf)
    return [...tables.map(({ record }) => record), ...partitions, ...this.streams.records]
  }

  /** All tables of all regions, in any state. */
  get tables(): readonly Table[] {
    return this.#tables.all
  }

  /** Discards all tables at once: index backfills stop, and requests in flight fail. The store is not changed. */
  clear(): void {
    this.close()
    for (const table of this.#tables.all) table.isGone = true
    this.#tables.clear()
    this.#expiring = []
    this.streams.clear()
  }

  /** Stops background work. */
  close(): void {
    this.#closing.abort()
  }

  /** The table of that name, in any state. */
  get(region: string, name: string): Table | undefined {
    const table = this.#tables.get(region, name)
    return table?.state.transition === undefined ? table : this.#unlessDeleted(table)
  }

  /** Names of the region's tables, sorted. */
  names(region: string): readonly string[] {
    const names = this.#tables.names(region).toSorted()
    return names.filter((name) => this.get(region, name) !== undefined)
  }

  /** Creates an empty table, which the caller must save. The name must be free. */
  create(region: string, definition: TableDefinition, tags: { readonly [key: string]: string }): Table {
    const { clock, random, delays } = this.#parts
    const now = clock.now()
    const { billingMode, warmThroughput, throughput } = definition
    const global = definition.indexes.filter(({ kind }) => kind === 'global')
    const until = now + (global.length > 0 ? delays.createTableWithIndexes : delays.createTable)
    const transition = { status: 'CREATING', until } as const
    const table = this.#assembly.table(region, placeOf(region, definition.name), {
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
    this.#tables.add(table)
    return table
  }

  /** Saves the state and the partitions of a table together with other records, all or nothing. */
  save(table: Table, records: readonly RecordChange[] = []): Awaitable<void> {
    this.#expiring = this.#tables.all.filter(({ expiry }) => expiry !== undefined)
    return this.#parts.storage.write([], [table.record, ...partitionRecordsOf(table), ...records])
  }

  /** Deletes a table with all its data, at once or after the delay of deletions. */
  delete(table: Table): Awaitable<void> {
    const { deleteTable } = this.delays
    if (deleteTable === 0) return this.#remove(table, this.#parts.clock.now())
    table.dropInsights(Object.keys(table.state.insights))
    const until = this.#parts.clock.now() + deleteTable
    table.state = { ...table.state, transition: { status: 'DELETING', until } }
    return this.save(table)
  }

  /**
   * Adds an index to a table, which the caller must save. From now on the index follows every write, and it is filled
   * from the existing items.
   */
  addIndex(table: Table, definition: IndexDefinition): void {
    const now = this.#parts.clock.now()
    const { setUpIndex, backfillIndex } = this.delays
    const backfillsAt = now + setUpIndex
    const transition = { status: 'CREATING', until: backfillsAt + backfillIndex } as const
    const index = this.#assembly.index(table, definition, {
      transition,
      backfillsAt,
      complete: false,
      addedLater: true,
    })
    table.attach(index)
    index.meter?.builds.begin(backfillsAt, transition.until)
    this.#fillIndex(table, index)
  }

  /** Removes an index and its entries from a table, which the caller must save. */
  removeIndex(table: Table, index: SecondaryIndex, at = this.#parts.clock.now()): void {
    const { name } = index.definition
    table.dropInsights([name])
    table.detach(name)
    this.#parts.meters?.ended(table.region, table.name, name, at)
    inBackground(this.#parts.storage.drop([index.keyspace], noPartitionRecords(index.keyspace)))
  }

  /** Opens a stream for a table. @returns its record, which must be saved together with the table. */
  openStream(table: Table): RecordChange {
    return this.#assembly.openStream(table)
  }

  /** Sets the attribute by which items of the table expire, or turns expiry off. The caller must save the table. */
  changeExpiry(table: Table, attribute: string | undefined): void {
    if (table.expiry !== undefined) inBackground(this.#parts.storage.drop([table.expiry.keyspace]))
    table.expiry = attribute === undefined ? undefined : this.#assembly.expiry(table.keyspace, attribute)
    this.#fillExpiry(table)
  }

  /** Removes expired items, up to a limit. This runs with every request, so nothing has to run in the background. */
  removeExpired(): void {
    if (this.#expiring.length === 0) return
    const now = this.#parts.clock.now()
    for (const table of this.#expiring) {
      if (!table.expiry?.isDue(now)) continue
      const removals = table.expiry
        .expired(now, EXPIRED_AT_ONCE)
        .filter((key) => !table.locks.holds(key))
        .map((key) => ({ key, before: table.peek(key), after: undefined, byService: true }))
        .filter(({ before }) => table.expiry?.isExpired(before, now))
      if (removals.length > 0) {
        table.meter?.expiredItems(removals.length, now)
        const prepared = removals.map((removal) => table.prepare(removal))
        inBackground(table.apply(prepared, undefined))
      }
      // While writes are not durable yet, the index does not show all entries, so the next request looks again.
      if (this.#parts.storage.settled() === undefined) table.expiry.lookAhead(now)
    }
  }

  /**
   * Drops the table and the indexes whose deletion has ended. This runs when a request asks for the table, because
   * until then nothing can observe the difference.
   */
  #unlessDeleted(table: Table): Table | undefined {
    const now = this.#parts.clock.now()
    const { transition } = table.state
    if (transition?.status === 'DELETING' && isOver(transition, now)) {
      inBackground(this.#remove(table, transition.until))
      return undefined
    }
    for (const index of table.indexes.values()) {
      if (index.state.transition?.status !== 'DELETING' || !isOver(index.state.transition, now)) continue
      const { definition } = table
      const indexes = definition.indexes.filter(({ name }) => name !== index.definition.name)
      table.state = { ...table.state, definition: { ...definition, indexes } }
      this.removeIndex(table, index, index.state.transition.until)
      inBackground(this.save(table))
    }
    if (isOver(transition, now)) {
      // A finished transition is removed, so that later requests need not check it.
      const { transition: _, ...state } = table.state
      table.state = state
    }
    return table
  }

  /** @param at when the deletion ended, which may be before now. */
  #remove(table: Table, at: number): Awaitable<void> {
    const { storage, clock } = this.#parts
    this.#tables.delete(table)
    table.isGone = true
    this.#parts.meters?.ended(table.region, table.name, undefined, at)
    this.#expiring = this.#expiring.filter((each) => each !== table)
    const keyspaces = [table.keyspace, ...[...table.indexes.values()].map(({ keyspace }) => keyspace)]
    if (table.expiry !== undefined) keyspaces.push(table.expiry.keyspace)
    const gone = keyspaces.flatMap(noPartitionRecords)
    const stream = table.stream === undefined ? [] : [table.stream.disable(clock.now())]
    return storage.drop(keyspaces, [{ ...table.record, value: undefined }, ...gone, ...stream])
  }

  /** Loads a stored table and resumes its background work. */
  #resume(place: string, state: TableState): void {
    const [region] = cutAtSlash(place)
    const table = this.#assembly.table(region, place, state)
    this.#tables.add(table)
    for (const index of table.indexes.values()) if (!index.state.complete) this.#fillIndex(table, index)
    if (table.state.timeToLive?.complete === false) this.#fillExpiry(table)
    if (table.expiry !== undefined) this.#expiring = [...this.#expiring, table]
  }

  #fillIndex(table: Table, index: SecondaryIndex): void {
    const isStopped = () => table.indexes.get(index.definition.name) !== index || this.#isGone(table)
    const { clock } = this.#parts
    // A backfill without delay, as in tests, consumes no capacity. Real tables would have recovered from it meanwhile.
    const isPaid = this.delays.backfillIndex > 0 && this.#parts.enforcement.throttle
    const { capacity } = index
    // The maximum over all partitions that were charged, because the last one may have plenty left.
    let freeAt = 0
    const changeFor = (key: EncodedKey, stored: StoredItem): Change | undefined => {
      const change = index.missingEntry(key, stored)
      if (change !== undefined && isPaid) {
        const units = writeUnits(change.after?.bytes ?? 0)
        const partition = capacity.partitions.find(change.key)
        const now = clock.now()
        capacity.occupy('write', partition, change.key, units, now)
        freeAt = Math.max(freeAt, capacity.freeAt('write', partition, now))
      }
      return change
    }
    const complete = () => {
      index.state = { ...index.state, complete: true }
      index.meter?.builds.complete(this.#parts.clock.now())
    }
    this.#fill(table, { isStopped, changeFor, freeAt: isPaid ? () => freeAt : undefined }, complete)
  }

  #fillExpiry(table: Table): void {
    const { expiry } = table
    if (expiry === undefined) return
    const isStopped = () => table.expiry !== expiry || this.#isGone(table)
    const changeFor = expiry.missingEntry.bind(expiry)
    this.#fill(table, { isStopped, changeFor }, () => {
      const { timeToLive } = table.state
      if (timeToLive !== undefined) {
        table.state = { ...table.state, timeToLive: { ...timeToLive, complete: true } }
      }
    })
  }

  #fill(table: Table, how: Pick<Filling, 'isStopped' | 'changeFor' | 'freeAt'>, complete: () => void): void {
    const { storage, clock } = this.#parts
    const done = () => {
      if (how.isStopped()) return
      complete()
      inBackground(this.save(table))
    }
    const { signal } = this.#closing
    const filled = fill({ items: table.items, storage, clock, signal, ...how })
    if (filled === undefined) complete()
    else inBackground(filled.then(done))
  }

  #isGone(table: Table): boolean {
    return !this.#tables.has(table)
  }
}

/** The stored records of the partitions of a table and of its global indexes. */
function partitionRecordsOf(table: Table): readonly RecordChange[] {
  const indexes = [...table.indexes.values()].filter(({ isLocal }) => !isLocal)
  return [table, ...indexes].flatMap(partitionRecords)
}

/** Region names contain no slash, so every table has its own place. */
function placeOf(region: string, name: string): string {
  return `${region}/${name}`
}

function cutAtSlash(text: string): [string, string] {
  const at = text.indexOf('/')
  return [text.slice(0, at), text.slice(at + 1)]
}

/** A random UUID of version 4, from the injected random source. */
function randomId(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () =>
    Math.floor(random.next() * 16).toString(16),
  )
}
