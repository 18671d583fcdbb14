import type { Clock, Random } from '@isotherm/runtime'
import { writeUnits } from '@isotherm/semantics'
import type { Enforcement } from '../capacity/admission.js'
import type { CapacityParameters } from '../capacity/capacity-parameters.js'
import type { EncodedKey } from '../keyspace/encoded-key.js'
import type { Metrics } from '../metrics/metrics.js'
import type { MeasuredStorage } from '../partition/measured-storage.js'
import type { SplitEvent } from '../partition/partition-map.js'
import { inBackground } from '../storage/in-background.js'
import type { Awaitable, Change, RecordChange, StoredItem } from '../storage/storage.js'
import type { StreamParameters } from '../stream/stream-parameters.js'
import { Streams } from '../stream/streams.js'
import type { ControlPlaneDelays } from './control-plane-delays.js'
import { type Filling, fill } from './fill.js'
import type { PropagationParameters } from './index-queue.js'
import { noPartitionRecords, partitionRecords } from './kept-partitions.js'
import { isOver } from './life-cycle.js'
import { RegionalTables } from './regional-tables.js'
import type { SecondaryIndex } from './secondary-index.js'
import type { Table } from './table.js'
import { TableAssembly } from './table-assembly.js'
import type { IndexDefinition, TableDefinition } from './table-definition.js'
import { type TableState, warmAtStart } from './table-state.js'
import { watchKeys } from './watch-keys.js'

/** A split, or its refusal, and whose partition it was. */
export type PartitionEvent = SplitEvent & { readonly table: string; readonly index?: string }

/** What tables stand on. */
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
  /** Nothing when no figures are kept. */
  readonly metrics?: Metrics | undefined
}

/** Expired items removed before one request is answered; what is left waits for the next. */
const EXPIRED_AT_ONCE = 100

/** The tables of all regions, and the streams they write. Tables of different regions never meet. */
export class Catalog {
  readonly streams: Streams
  readonly delays: ControlPlaneDelays
  readonly capacity: CapacityParameters
  readonly #parts: CatalogParts
  readonly #assembly: TableAssembly
  readonly #tables = new RegionalTables()
  #expiring: readonly Table[] = []
  readonly #closing = new AbortController()

  /** Takes up the tables that the store holds. */
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
   * Everything that a store is to know besides items, as it is at this moment: what was written last may be behind it by a
   * change that nobody waits for, such as a new border.
   */
  get records(): readonly RecordChange[] {
    const tables = this.#tables.all
    const partitions = tables.flatMap(partitionRecordsOf)
    return [...tables.map(({ record }) => record), ...partitions, ...this.streams.records]
  }

  /** All tables of all regions, whatever their state. */
  get tables(): readonly Table[] {
    return this.#tables.all
  }

  /** Forgets everything at once: what fills indexes stops, and what is on its way is refused. The store is not touched. */
  clear(): void {
    this.close()
    for (const table of this.#tables.all) table.isGone = true
    this.#tables.clear()
    this.#expiring = []
    this.streams.clear()
  }

  /** Ends what is under way in the background. */
  close(): void {
    this.#closing.abort()
  }

  /** The table of that name, whatever its state. */
  get(region: string, name: string): Table | undefined {
    const table = this.#tables.get(region, name)
    return table?.state.transition === undefined ? table : this.#unlessDeleted(table)
  }

  /** Names of the region's tables, sorted. */
  names(region: string): readonly string[] {
    const names = this.#tables.names(region).toSorted()
    return names.filter((name) => this.get(region, name) !== undefined)
  }

  /** Makes an empty table, which is still to be saved. There must be none of that name. */
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

  /**
   * Keeps what has become of a table's state and of its partitions, and other records along with it, all or nothing.
   */
  save(table: Table, records: readonly RecordChange[] = []): Awaitable<void> {
    this.#expiring = this.#tables.all.filter(({ expiry }) => expiry !== undefined)
    return this.#parts.storage.write([], [table.record, ...partitionRecordsOf(table), ...records])
  }

  /** Removes a table and everything in it: at once, or after the delay that deletions have. */
  delete(table: Table): Awaitable<void> {
    const { deleteTable } = this.delays
    if (deleteTable === 0) return this.#remove(table, this.#parts.clock.now())
    this.dropInsights(table, Object.keys(table.state.insights))
    const until = this.#parts.clock.now() + deleteTable
    table.state = { ...table.state, transition: { status: 'DELETING', until } }
    return this.save(table)
  }

  /**
   * Adds an index to a table, which is still to be saved: it follows every write from now on and is filled from what is
   * there.
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

  /** Removes an index from a table, which is still to be saved; what it holds goes with it. */
  removeIndex(table: Table, index: SecondaryIndex, at = this.#parts.clock.now()): void {
    const { name } = index.definition
    this.dropInsights(table, [name])
    table.detach(name)
    this.#parts.metrics?.ended(table.region, table.name, name, at)
    inBackground(this.#parts.storage.drop([index.keyspace], noPartitionRecords(index.keyspace)))
  }

  /**
   * Ends Contributor Insights of what is being deleted, which is still to be saved: their rules go at once, however long
   * the deletion takes.
   */
  dropInsights(table: Table, names: readonly string[]): void {
    const kept = Object.entries(table.state.insights).filter(([name]) => !names.includes(name))
    table.state = { ...table.state, insights: Object.fromEntries(kept) }
    if (this.#parts.metrics !== undefined) watchKeys(table, this.#parts.metrics)
  }

  /** Opens a stream for a table. @returns its record, to be saved together with the table. */
  openStream(table: Table): RecordChange {
    return this.#assembly.openStream(table)
  }

  /** Lets items of the table expire by the attribute, or none any more; the table is still to be saved. */
  changeExpiry(table: Table, attribute: string | undefined): void {
    if (table.expiry !== undefined) inBackground(this.#parts.storage.drop([table.expiry.keyspace]))
    table.expiry = attribute === undefined ? undefined : this.#assembly.expiry(table.keyspace, attribute)
    this.#fillExpiry(table)
  }

  /** Removes what has expired, or some of it. What nobody asks for need not be gone, so requests are when to look. */
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
      // While something is on its way to the disk, the index does not show all there is: then the next request looks again.
      if (this.#parts.storage.settled() === undefined) table.expiry.lookAhead(now)
    }
  }

  /** Lets go of what was being deleted, once its time is over: nobody sees it before a request asks for the table. */
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
      // What is over need not be looked at with every request.
      const { transition: _, ...state } = table.state
      table.state = state
    }
    return table
  }

  /** @param at since when it is gone, which may be known later only. */
  #remove(table: Table, at: number): Awaitable<void> {
    const { storage, clock } = this.#parts
    this.#tables.delete(table)
    table.isGone = true
    this.#parts.metrics?.ended(table.region, table.name, undefined, at)
    this.#expiring = this.#expiring.filter((each) => each !== table)
    const keyspaces = [table.keyspace, ...[...table.indexes.values()].map(({ keyspace }) => keyspace)]
    if (table.expiry !== undefined) keyspaces.push(table.expiry.keyspace)
    const gone = keyspaces.flatMap(noPartitionRecords)
    const stream = table.stream === undefined ? [] : [table.stream.disable(clock.now())]
    return storage.drop(keyspaces, [{ ...table.record, value: undefined }, ...gone, ...stream])
  }

  /** Takes up a table that the store has kept, and goes on with what was under way. */
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
    // What is filled at once, for tests, must not leave a debt behind that real tables would have paid meanwhile.
    const isPaid = this.delays.backfillIndex > 0 && this.#parts.enforcement.throttle
    const { capacity } = index
    // Of all partitions that were taken from: whatever comes last may lie in one that has plenty.
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

/** What a store keeps of the partitions of a table and of its global indexes. */
function partitionRecordsOf(table: Table): readonly RecordChange[] {
  const indexes = [...table.indexes.values()].filter(({ isLocal }) => !isLocal)
  return [table, ...indexes].flatMap(partitionRecords)
}

/** Region names have no slash, so no two tables share a place. */
function placeOf(region: string, name: string): string {
  return `${region}/${name}`
}

function cutAtSlash(text: string): [string, string] {
  const at = text.indexOf('/')
  return [text.slice(0, at), text.slice(at + 1)]
}

/** A random identifier in the form of a UUID of version 4, from the injected source. */
function randomId(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () =>
    Math.floor(random.next() * 16).toString(16),
  )
}
