import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import { type PatternClient, toSender } from '../sending/pattern-client.js'
import { senderOfTable } from '../table-check/sender-of-table.js'
import type { PlainItem } from '../values/plain-item.js'
import { requireItemSize } from '../values/require-item-size.js'
import { toItem } from '../values/to-attribute-value.js'
import { toPlainItem } from '../values/to-plain-value.js'
import { Archive } from './archive-period.js'
import { Catalog } from './catalog.js'
import { itemTime, toKey } from './item-key.js'
import { PeriodTables } from './period-tables.js'
import type { Period } from './periods.js'
import { queryRange } from './query-range.js'
import { type ParsedRotationOptions, parseRotationOptions, type RotationOptions } from './rotation-options.js'
import {
  type ArchiveOptions,
  archiveOptions,
  getOptions,
  type ItemOptions,
  itemOptions,
  type MaintainReport,
  type Moment,
  momentOf,
  type PeriodReport,
  type QueryOptions,
  type RotationPage,
  rangeOf,
} from './rotation-requests.js'

/** A table for each period of time. */
export class Rotation {
  readonly #options: ParsedRotationOptions
  readonly #catalog: Catalog
  readonly #tables: PeriodTables
  readonly #archive: Archive

  /** Use `rotation`. */
  constructor(client: PatternClient, options: RotationOptions) {
    const db = toSender('rotation', client)
    this.#options = parseRotationOptions(db, options)
    const { catalog } = this.#options
    const cure = 'Create it with ensureCatalog, or correct rotation.catalog.'
    this.#catalog = new Catalog(senderOfTable(db, catalog, cure), this.#options)
    this.#tables = new PeriodTables(this.#catalog, this.#options)
    this.#archive = new Archive(this.#catalog, this.#options)
  }

  /**
   * Writes an item to the table of its own time, which is created if there is none.
   *
   * @throws ConditionalCheckFailedException of the SDK if the condition does not hold
   * @throws IsothermError `key.missing`, `pattern.value` or `rotation.time` for an item that has no key or no time, or more than 400 KB
   * @throws IsothermError `options.invalid` for a condition that DynamoDB would refuse; no table is created
   * @throws IsothermError `rotation.closed` for an item of a period that was archived or dropped
   * @throws IsothermError `rotation.out-of-range` or `rotation.no-table` if its period has no table and gets none
   */
  async put(item: PlainItem, options: ItemOptions = {}): Promise<void> {
    const { request, sending } = itemOptions('put', options)
    const Item = toItem('rotation: the item', item)
    const period = this.#periodOf(Item)
    requireItemSize('rotation: the item', Item, 'Store larger ones with isotherm/large')
    const TableName = await this.#tables.forWrite(period)
    await this.#options.clientOf(TableName).send(new PutItemCommand({ TableName, Item, ...request }), sending)
  }

  /**
   * Deletes an item.
   *
   * @param key both attributes of the primary key
   * @throws as `put`
   */
  async delete(key: PlainItem, options: ItemOptions = {}): Promise<void> {
    const { request, sending } = itemOptions('delete', options)
    const Key = toKey(key, this.#options)
    const TableName = await this.#tables.forWrite(this.#periodOf(Key))
    await this.#options
      .clientOf(TableName)
      .send(new DeleteItemCommand({ TableName, Key, ...request }), sending)
  }

  /**
   * Reads an item.
   *
   * @param key both attributes of the primary key
   * @returns `undefined` if there is no such item
   * @throws IsothermError `rotation.closed` if the table of its period was dropped
   */
  async get(
    key: PlainItem,
    options: { readonly consistent?: boolean | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<PlainItem | undefined> {
    const { consistent, sending } = getOptions(options)
    const Key = toKey(key, this.#options)
    const period = this.#periodOf(Key)
    const TableName = await this.#tables.forRead(period, consistent)
    if (TableName === undefined) return undefined
    const command = new GetItemCommand({ TableName, Key, ConsistentRead: consistent })
    const { Item: found } = await this.#options.clientOf(TableName).send(command, sending)
    return found && toPlainItem(found as Item)
  }

  /**
   * The table for an item, for commands of your own such as `BatchWriteItem` and `UpdateItem`. It is created if there is none. Send the
   * command at once: the answer is good for `lateRequests`.
   *
   * @param item an item, or both attributes of its key
   * @throws IsothermError as `put`
   */
  async tableFor(item: PlainItem): Promise<string> {
    return this.#tables.forWrite(this.#periodOf(toItem('rotation: the item', item)))
  }

  /**
   * Reads a range of time under one partition key, in order. Only tables of periods that overlap the range are read.
   *
   * @throws IsothermError `rotation.closed` if the table of one of these periods was dropped, unless `skipDropped` is `true`
   * @throws IsothermError `rotation.cursor` for a cursor of another query, or outside the range
   */
  async query(options: QueryOptions): Promise<RotationPage> {
    const page = await queryRange(this.#catalog, this.#options, rangeOf(options, this.#options))
    const items = page.items.map(toPlainItem)
    return page.cursor === undefined ? { items } : { items, cursor: page.cursor }
  }

  /**
   * Lists tables that exist already, with the names and keys that the rotation would give them. Call it once where a table for each period was
   * made by hand: queries read only tables that are listed.
   *
   * @param from a moment of the oldest period
   * @returns the names of the tables that were not listed before
   * @throws IsothermError `rotation.no-table` for a table with another key
   * @throws IsothermError `options.invalid` for more than 10,000 periods; nothing is listed
   */
  async adopt(from: Moment): Promise<readonly string[]> {
    return this.#tables.adopt(momentOf('rotation.adopt', from))
  }

  /** Lists the periods that have or had a table, the oldest first. */
  async periods(): Promise<readonly PeriodReport[]> {
    const { entries } = await this.#catalog.load()
    return [...entries.values()].map(({ from, table, state, archive }) => {
      const { label, to } = this.#tables.periodAt(from)
      return { label, table, from: new Date(from), to: new Date(to), state, archivedItems: archive?.items }
    })
  }

  /**
   * Creates the table of the current period and of the next one, and lowers the capacity of old ones. Call it now and then, for example
   * once an hour: then no write waits for a table.
   *
   * @throws IsothermError `rotation.no-table`
   */
  async maintain(): Promise<MaintainReport> {
    const current = this.#tables.periodAt(this.#options.clock.now())
    const { entries } = await this.#catalog.load()
    for (const period of [current, this.#tables.periodAt(current.to)]) {
      const state = entries.get(period.from)?.state
      if (state === undefined || state === 'creating') await this.#tables.create(period)
    }
    return { lowered: await this.#tables.lowerOld() }
  }

  /**
   * Copies the items of a period that is over to an object store, as compressed JSON Lines, and reads them back. The period takes no
   * writes from then on. It waits `cacheTtl` and `lateRequests` first, until every writer knows that. A call that ended early is continued by
   * the next one.
   *
   * @param period any moment of the period
   * @returns the number of items
   * @throws IsothermError `rotation.not-ready` for a period that is not over or has no table
   * @throws IsothermError `rotation.archive-differs` if what was read back is not what was written, `rotation.contended` if another process archives the period
   */
  async archive(period: Moment, options: ArchiveOptions): Promise<{ readonly items: number }> {
    const { items } = await this.#archive.archive(this.#periodAt(period), archiveOptions('archive', options))
    return { items }
  }

  /**
   * Compares the archive of a period with its table, item by item through a count and a digest, as `drop` does before it deletes the table.
   *
   * @param period any moment of the period
   * @returns the number of items
   * @throws IsothermError `rotation.not-ready` for a period that is not archived, or whose table is gone
   * @throws IsothermError `rotation.archive-differs`; the period can be archived again then
   */
  async verify(period: Moment, options: ArchiveOptions): Promise<{ readonly items: number }> {
    const { items } = await this.#archive.verify(this.#periodAt(period), archiveOptions('verify', options))
    return { items }
  }

  /**
   * Deletes the table of an archived period. The archive is compared with the table first, item by item through a count and a digest; a
   * table whose archive differs is not dropped.
   *
   * @param period any moment of the period
   * @throws IsothermError `rotation.not-ready` for a period that is not archived
   * @throws IsothermError `rotation.archive-differs`; the period can be archived again then
   */
  async drop(period: Moment, options: ArchiveOptions): Promise<void> {
    await this.#archive.drop(this.#periodAt(period), archiveOptions('drop', options))
  }

  /**
   * Reads the items of an archive.
   *
   * @param period any moment of the period
   * @throws IsothermError `rotation.not-ready` for a period that is not archived
   */
  async *readArchive(period: Moment, options: ArchiveOptions): AsyncGenerator<PlainItem> {
    const { store, signal } = archiveOptions('readArchive', options)
    for await (const item of this.#archive.items(this.#periodAt(period), store, signal))
      yield toPlainItem(item)
  }

  #periodAt(moment: Moment): Period {
    return this.#tables.periodAt(momentOf('rotation: the period', moment))
  }

  #periodOf(item: Item): Period {
    return this.#tables.periodAt(itemTime(item, this.#options))
  }
}

/**
 * Stores items of a log, a feed or any other time series in a table for each month, week, day, or other period. An item goes to the table of
 * its own time, however late it comes. Old tables are archived to an object store and dropped, which costs less than deleting items one by one.
 *
 * A query over a range of time reads only the tables that cover it, in order, and pages through them with one cursor.
 *
 * The sort key is the time of the item. Items are plain objects, with values as the document client has them, whichever client you pass. Create
 * the table that lists the periods with `ensureCatalog`. Without it, each method throws `table.missing`.
 *
 * @param db a `DynamoDBClient` or a `DynamoDBDocumentClient`, sharded by `isotherm` or not
 * @throws IsothermError `options.unknown` or `options.invalid`; the error names the option
 * @example
 * const log = rotation(db, { table: 'log', partitionKey: 'file', sortKey: 'at', period: 'month' })
 * await log.put({ file: '/a', at: '2026-11-23T06:00:00.000Z#7', status: 200 })
 * const { items, cursor } = await log.query({ key: '/a', from: '2026-10-01', to: '2026-12-01' })
 */
export function rotation(db: PatternClient, options: RotationOptions): Rotation {
  return new Rotation(db, options)
}
