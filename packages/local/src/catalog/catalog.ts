import type { RecordChange } from '../storage/record.js'
import type { Awaitable, Storage } from '../storage/storage.js'
import type { Stream } from '../stream/stream.js'
import type { Streams } from '../stream/streams.js'
import type { Table } from '../table/table.js'
import { partitionRecords } from './kept-partitions.js'

/** The tables of all regions, and the streams they write. Tables of different regions are independent. */
export class Catalog {
  readonly streams: Streams
  readonly #storage: Storage
  /** Two maps, because every request looks up a table, and joining region and name costs more than two lookups. */
  readonly #regions = new Map<string, Map<string, Table>>()

  constructor(storage: Storage, streams: Streams) {
    this.#storage = storage
    this.streams = streams
  }

  /** All tables of all regions, in any state. */
  get tables(): readonly Table[] {
    return [...this.#regions.values()].flatMap((tables) => [...tables.values()])
  }

  /**
   * All records as they are at this moment. The stored ones may lack changes that are written in the background, such
   * as a new border.
   */
  get records(): readonly RecordChange[] {
    const { tables } = this
    const partitions = tables.flatMap(partitionRecordsOf)
    return [...tables.map(({ record }) => record), ...partitions, ...this.streams.records]
  }

  /** The table of that name, in any state but deleted. */
  get(region: string, name: string): Table | undefined {
    const table = this.#regions.get(region)?.get(name)
    return table?.isGone ? undefined : table
  }

  /** Names of the region's tables, sorted. */
  names(region: string): readonly string[] {
    const names = [...(this.#regions.get(region)?.keys() ?? [])].sort()
    return names.filter((name) => this.get(region, name) !== undefined)
  }

  add(table: Table): void {
    const { region, name } = table
    const tables = this.#regions.get(region)
    if (tables === undefined) this.#regions.set(region, new Map([[name, table]]))
    else tables.set(name, table)
  }

  remove(table: Table): void {
    table.remove()
    this.#regions.get(table.region)?.delete(table.name)
  }

  /** Saves the state and the partitions of a table together with other records, all or nothing. */
  save(table: Table, records: readonly RecordChange[] = []): Awaitable<void> {
    return this.#storage.write([], [table.record, ...partitionRecordsOf(table), ...records])
  }

  /** Stores a stream. */
  saveStream(stream: Stream): Awaitable<void> {
    return this.#storage.write([], [stream.record])
  }

  /** Discards all tables at once: requests in flight fail. The store is not changed. */
  clear(): void {
    for (const table of this.tables) table.remove()
    this.#regions.clear()
    this.streams.clear()
  }
}

/** The stored records of the partitions of a table and of its global indexes. */
function partitionRecordsOf(table: Table): readonly RecordChange[] {
  const indexes = [...table.indexes.values()].filter(({ isLocal }) => !isLocal)
  return [table, ...indexes].flatMap(partitionRecords)
}
