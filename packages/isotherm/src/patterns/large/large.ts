import { IsothermError } from '../../errors/isotherm-error.js'
import type { Condition } from '../conditions/condition.js'
import { type PatternClient, type Sender, toSender } from '../sending/pattern-client.js'
import { retryDelay } from '../sending/retry-delay.js'
import { senderOfTable } from '../table-check/sender-of-table.js'
import type { PlainItem } from '../values/plain-item.js'
import { toItem } from '../values/to-attribute-value.js'
import { toPlainItem } from '../values/to-plain-value.js'
import { type CollectProgress, collectContents, discard } from './collect.js'
import { type Content, newContentName, toReference } from './content.js'
import { hasFailedCondition, Journal } from './journal.js'
import { keyOf, toKey } from './large-key.js'
import { type LargeOptions, type ParsedLargeOptions, parseLargeOptions } from './large-options.js'
import {
  type CollectOptions,
  collectOptions,
  type GetOptions,
  getOptions,
  type LargeUpdate,
  restoreOptions,
  updateOf,
  type WriteOptions,
  writeOptions,
} from './large-requests.js'
import { type PackedItem, packItem, withPieces } from './pack-item.js'
import { Pieces } from './pieces.js'
import { readItem, restoreItem } from './read-item.js'
import type { PiecedAttribute } from './stored-attribute.js'
import { type Change, switchItem } from './switch-item.js'
import { tableKeyCheck } from './table-key.js'
import { updateItem } from './update-item.js'

/** Errors of DynamoDB, with which each attempt of the same write ends. */
const REFUSALS: ReadonlySet<string> = new Set(['ConditionalCheckFailedException', 'ValidationException'])

/** Names for the pieces of one item: the SDK makes three attempts of a request by default, and each of these names gets one. */
const MAX_NAMES = 5

/** A table whose items may be larger than DynamoDB's 400 KB. */
export class Large {
  /** For requests of the items themselves. */
  readonly #items: Sender
  readonly #options: ParsedLargeOptions
  readonly #pieces: Pieces
  readonly #journal: Journal
  readonly #requireTableKey: ReturnType<typeof tableKeyCheck>

  /** Use `large`. */
  constructor(db: PatternClient, options: LargeOptions) {
    const client = toSender('large', db)
    this.#options = parseLargeOptions(options)
    const { table, chunkTable } = this.#options
    this.#items = senderOfTable(client, table, 'Create it, or correct large.table.')
    const chunks = senderOfTable(
      client,
      chunkTable,
      'Create it with ensureChunkTable, or correct large.chunkTable.',
    )
    this.#pieces = new Pieces(chunks, this.#options)
    this.#journal = new Journal(chunks, chunkTable)
    this.#requireTableKey = tableKeyCheck(client, this.#options)
  }

  /**
   * Writes an item, or replaces it. Readers see the old item or the new one, whenever the process ends.
   *
   * @throws ConditionalCheckFailedException of the SDK if the condition does not hold
   * @throws IsothermError `pattern.value`, `key.missing`, `large.reserved` or `large.unfit` for an item that cannot be stored; nothing is written
   * @throws IsothermError `table.missing` without the table, or without the chunk table for an item in pieces; nothing is written
   * @throws IsothermError `table.differs` or `pattern.value` for an item in pieces whose key is not that of the table; nothing is written
   * @throws IsothermError `large.late` if it took longer than `writeWithin`, `large.contended` if other processes kept changing the item
   */
  async put(item: PlainItem, options: WriteOptions = {}): Promise<void> {
    const { condition, signal } = writeOptions('put', options)
    const given = toItem('large: the item', item)
    // What DynamoDB would refuse in the end is refused before the first piece is written.
    keyOf(given, this.#options)
    const packed = await packItem(given, this.#options)
    if (packed.offloaded.length === 0)
      return this.#switch({ Item: packed.item }, condition, undefined, signal)
    await this.#requireTableKey(given)
    const content = await this.#begin(packed, signal)
    try {
      await this.#pieces.write(
        content,
        packed.offloaded.map(({ bytes }) => bytes),
        signal,
      )
      const stored = this.#storedIn(content, packed)
      await this.#switch(
        { Item: withPieces(packed, stored, toReference(content)) },
        condition,
        content,
        signal,
      )
    } catch (error) {
      // After any other error the item may have been written.
      // mark: unanswered-put-keeps-its-pieces
      if (isRefusal(error) && (await this.#isFenced(content)))
        await discard(this.#journal, this.#pieces, this.#options, content).catch(() => {})
      throw error
    }
  }

  /**
   * Reads an item. Each value in pieces is compared with its checksum.
   *
   * @param key the attributes of the primary key
   * @returns `undefined` if there is no such item
   * @throws IsothermError `large.corrupt`, `large.codec`, `large.format` or `large.no-store` for a value that cannot be put back
   */
  async get(key: PlainItem, options: GetOptions = {}): Promise<PlainItem | undefined> {
    const { attributes, consistent, signal } = getOptions(options)
    const item = await readItem(this.#items, this.#pieces, this.#options, {
      key: toKey(key, this.#options),
      attributes,
      isConsistent: consistent,
      signal,
    })
    return item && toPlainItem(item)
  }

  /**
   * Puts values back into an item that a command such as `Query` or `Scan` has read, in the form of the document client.
   *
   * @returns `undefined` if its content has been replaced since; read the item again then
   * @throws IsothermError as `get`
   */
  async restore(
    item: PlainItem,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<PlainItem | undefined> {
    const { signal } = restoreOptions(options)
    const restored = await restoreItem(toItem('large: the item', item), this.#pieces, this.#options, signal)
    return restored && toPlainItem(restored)
  }

  /**
   * Deletes an item and its pieces.
   *
   * @param key the attributes of the primary key
   * @throws ConditionalCheckFailedException of the SDK if the condition does not hold
   */
  async delete(key: PlainItem, options: WriteOptions = {}): Promise<void> {
    const { condition, signal } = writeOptions('delete', options)
    await this.#switch({ Key: toKey(key, this.#options) }, condition, undefined, signal)
  }

  /**
   * Sets and removes attributes that are stored in the item itself. The others, and their pieces, stay as they are.
   *
   * @param key the attributes of the primary key
   * @throws ConditionalCheckFailedException of the SDK if the condition does not hold
   * @throws IsothermError `large.in-pieces` if one of these attributes is stored in pieces: put the item then
   * @throws IsothermError `large.reserved` for the stand-in of a value, as `Query` or `Scan` returns it; nothing is written
   */
  async update(key: PlainItem, change: LargeUpdate, options: WriteOptions = {}): Promise<void> {
    const { condition, signal } = writeOptions('update', options)
    const { set, remove } = updateOf(change)
    await updateItem(this.#items, this.#options, {
      key: toKey(key, this.#options),
      set,
      remove,
      condition,
      signal,
    })
  }

  /**
   * Deletes pieces that no item refers to: of puts that ended half-way, and of items that were replaced by a process that ended before it
   * had deleted the old pieces. Call it now and then, for example once a day. Several processes may call it, and a call that ended early is
   * continued by the next one.
   *
   * It reads the journal, which has an entry for each such content, and neither the items nor the pieces.
   *
   * @throws IsothermError `options.invalid` if `olderThan` is less than twice `writeWithin`
   */
  async collect(options: CollectOptions = {}): Promise<CollectProgress> {
    const parsed = collectOptions(options, this.#options)
    return collectContents(this.#journal, this.#pieces, this.#options, parsed)
  }

  async #switch(
    change: Change,
    condition: Condition | undefined,
    content: Content | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const old = await switchItem(this.#items, this.#journal, this.#options, {
      change,
      condition,
      content,
      signal,
    })
    if (old === undefined) return
    // The item is written. What is left of the old content is in the journal.
    await discard(this.#journal, this.#pieces, this.#options, old).catch(() => {})
  }

  /**
   * Makes sure that a put that was refused is not carried out later: an earlier attempt of the SDK may still arrive.
   *
   * @returns `false` if such an attempt was carried out already, which means that the item has these pieces, and if that is not known. A
   * collection deletes the pieces then, if no item has them
   */
  async #isFenced(content: Content): Promise<boolean> {
    const at = this.#options.clock.now()
    return this.#journal.fence({ content, state: 'writing', at }, at).catch(() => false)
  }

  async #begin({ offloaded }: PackedItem, signal: AbortSignal | undefined): Promise<Content> {
    const { clock, random, table } = this.#options
    const pieces = offloaded.reduce((sum, { bytes }) => sum + this.#pieces.countOf(bytes), 0)
    for (let tried = 1; ; tried++) {
      const now = clock.now()
      const content = { name: newContentName(now, random), place: this.#pieces.place, pieces }
      const refusal = await this.#journal.begin(content, now, signal)
      if (refusal === undefined) return content
      if (tried === MAX_NAMES) throw hasFailedCondition(refusal) ? allTaken(table) : refusal
      await clock.sleep(retryDelay(random, tried), signal)
    }
  }

  #storedIn({ name }: Content, { offloaded }: PackedItem): ReadonlyMap<string, PiecedAttribute> {
    let from = 0
    const stored = new Map<string, PiecedAttribute>()
    for (const { attribute, type, bytes, sha256 } of offloaded) {
      const pieces = this.#pieces.countOf(bytes)
      const described = { type, bytes: bytes.length, sha256 }
      stored.set(attribute, { kind: 'pieces', ...described, content: name, from, pieces })
      from += pieces
    }
    return stored
  }
}

/**
 * Stores items of any size in a table. Attributes are compressed where that saves write units. An item that is still larger than 400 KB
 * keeps its small attributes, and its largest ones go into pieces: items of a second table, or objects of an object store. `get` puts
 * them back.
 *
 * A put is all or nothing. The pieces are written under a new name first, and one conditional write of the item then switches from the old
 * pieces to the new ones.
 *
 * Items are plain objects, with values as the document client has them, whichever client you pass. Create the second table with
 * `ensureChunkTable`.
 *
 * @param db a `DynamoDBClient` or a `DynamoDBDocumentClient`, sharded by `isotherm` or not
 * @throws IsothermError `options.unknown` or `options.invalid`; the error names the option
 * @example
 * const documents = large(db, { table: 'documents', partitionKey: 'id' })
 * await documents.put({ id: '2027-0042', title: 'Minutes', body: 'x'.repeat(5_000_000) })
 * const { title } = (await documents.get({ id: '2027-0042' }, { attributes: ['title'] })) ?? {}
 */
export function large(db: PatternClient, options: LargeOptions): Large {
  return new Large(db, options)
}

/** Whether the error says that nothing was written. */
function isRefusal(error: unknown): boolean {
  if (error instanceof IsothermError) return true
  return error instanceof Error && REFUSALS.has(error.name)
}

function allTaken(table: string): IsothermError<'large.contended'> {
  return new IsothermError(
    'large.contended',
    `${MAX_NAMES} random names for the pieces of an item of ${table} were all taken, and nothing was written. Give each process a source of randomness of its own.`,
    { table, tries: MAX_NAMES },
  )
}
