import {
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { Item } from '@isotherm/semantics'
import type { Sender } from '../sending/pattern-client.js'
import { type Content, fromReference, timeName, toReference } from './content.js'
import { PARTITION_KEY, SORT_KEY } from './ensure-chunk-table.js'
import { sendOnce } from './send-once.js'

/**
 * What is to become of a content that no item refers to:
 *
 * - `writing`: its put may still commit
 * - `garbage`: it was replaced or deleted
 * - `collecting`: its put can no longer commit
 */
export type EntryState = 'writing' | 'garbage' | 'collecting'

export interface JournalEntry {
  readonly content: Content
  readonly state: EntryState
  /** Milliseconds since the Unix epoch, of the clock of the process that wrote it. */
  readonly at: number
}

/** Entries are spread over so many partition keys: each takes a thousand writes a second. */
export const JOURNAL_KEYS = 16

const NAMES = { '#part': SORT_KEY, '#state': 'state', '#at': 'at', '#content': 'content' }
const PAGE_ENTRIES = 100

/**
 * The contents that no item refers to. An entry is written before the first piece of a content, and deleted in the transaction that writes
 * the item with the reference. It is written again in the transaction that takes the reference away. So at any moment a
 * content has a reference or an entry, and pieces without a reference are found without reading all pieces.
 */
export class Journal {
  readonly #db: Sender
  readonly #table: string

  constructor(db: Sender, table: string) {
    this.#db = db
    this.#table = table
  }

  /**
   * Announces a content before its first piece is written. The request is sent once: one that arrived after the content was committed would
   * make an entry for it again, and a collection would delete its pieces.
   *
   * @returns `undefined` if it has an entry now. Otherwise the error that calls for another name: this one is taken, or may be by a request
   * that arrives later
   */
  async begin(content: Content, at: number, abortSignal: AbortSignal | undefined): Promise<unknown> {
    const command = new PutItemCommand({
      TableName: this.#table,
      Item: this.#entry(content, 'writing', at),
      ConditionExpression: 'attribute_not_exists(#part)',
      ExpressionAttributeNames: { '#part': SORT_KEY },
    })
    try {
      const sent = await sendOnce(this.#db, command, abortSignal)
      return sent.isSent ? undefined : sent.error
    } catch (error) {
      if (hasFailedCondition(error)) return error
      throw error
    }
  }

  /** The action of a transaction that makes a reference to the content. It fails once the content is being collected. */
  commit(content: Content): TransactWriteItem {
    return {
      Delete: {
        TableName: this.#table,
        Key: keyOf(content),
        // mark: commit-needs-its-entry
        ConditionExpression: '#state = :writing',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':writing': { S: 'writing' } },
      },
    }
  }

  /** The action of a transaction that takes the reference to the content away. */
  release(content: Content, at: number): TransactWriteItem {
    return { Put: { TableName: this.#table, Item: this.#entry(content, 'garbage', at) } }
  }

  /**
   * Makes sure that the content is not committed any more.
   *
   * @returns whether no item refers to it, now and for ever
   */
  async fence({ content, state }: JournalEntry, at: number): Promise<boolean> {
    if (state === 'garbage' || state === 'collecting') return true
    const command = new UpdateItemCommand({
      TableName: this.#table,
      Key: keyOf(content),
      UpdateExpression: 'SET #state = :collecting, #at = :at',
      ConditionExpression: '#state = :writing OR #state = :collecting',
      ExpressionAttributeNames: { '#state': 'state', '#at': 'at' },
      ExpressionAttributeValues: {
        ':writing': { S: 'writing' },
        ':collecting': { S: 'collecting' },
        ':at': { N: String(at) },
      },
    })
    try {
      await this.#db.send(command)
      return true
    } catch (error) {
      if (hasFailedCondition(error)) return false
      throw error
    }
  }

  async forget(content: Content): Promise<void> {
    await this.#db.send(new DeleteItemCommand({ TableName: this.#table, Key: keyOf(content) }))
  }

  /**
   * A page of the entries under one of the journal's keys that were last written before a time, the oldest contents first.
   *
   * @param key from 0 to `JOURNAL_KEYS` - 1
   * @param after the name of the content behind which the page begins
   */
  async page(
    key: number,
    before: number,
    after: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly entries: readonly JournalEntry[]; readonly last: string | undefined }> {
    const partition = { S: partitionOf(key) }
    const command = new QueryCommand({
      TableName: this.#table,
      KeyConditionExpression: '#name = :name AND #part < :before',
      FilterExpression: '#at < :at',
      ProjectionExpression: '#content, #state, #at',
      ExpressionAttributeNames: { ...NAMES, '#name': PARTITION_KEY },
      ExpressionAttributeValues: {
        ':name': partition,
        ':before': { S: timeName(before) },
        ':at': { N: String(before) },
      },
      ConsistentRead: true,
      Limit: PAGE_ENTRIES,
      ...(after === undefined
        ? {}
        : { ExclusiveStartKey: { [PARTITION_KEY]: partition, [SORT_KEY]: { S: after } } }),
    })
    const { Items = [], LastEvaluatedKey } = await this.#db.send(command, signal && { abortSignal: signal })
    return { entries: Items.flatMap((item) => toEntry(item as Item)), last: LastEvaluatedKey?.[SORT_KEY]?.S }
  }

  #entry(content: Content, state: EntryState, at: number) {
    return {
      ...keyOf(content),
      content: { S: toReference(content) },
      state: { S: state },
      at: { N: String(at) },
    }
  }
}

/** Whether a request failed because of its condition. */
export function hasFailedCondition(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException'
}

function toEntry({ content, state, at }: Item): readonly JournalEntry[] {
  const parsed = content && 'S' in content ? fromReference(content.S) : undefined
  // An entry of a later version is not understood, and so it is not touched.
  if (parsed === undefined || !state || !('S' in state) || !at || !('N' in at)) return []
  return [{ content: parsed, state: state.S as EntryState, at: Number(at.N) }]
}

function keyOf({ name }: Content) {
  const key = Number.parseInt(name.slice(-1), 16) % JOURNAL_KEYS
  return { [PARTITION_KEY]: { S: partitionOf(key) }, [SORT_KEY]: { S: name } }
}

function partitionOf(key: number): string {
  return `journal/${String(key).padStart(2, '0')}`
}
