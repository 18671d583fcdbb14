import type { AttributeValue, QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import {
  bindKeyCondition,
  type Item,
  type KeyValue,
  LIMIT_TEXT,
  Placeholders,
  parseCondition,
} from '@isotherm/semantics'
import { concurrently } from '../bounded/concurrently.js'
import { refuseParameter } from '../errors/refuse.js'
import { canonicalKeyValue, keyValueOf } from '../keys/item-key.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import { presentedStoredItem } from '../keys/presented-item.js'
import type { SuffixRange } from '../keys/shard-names.js'
import { commonRequest } from '../queries/common-request.js'
import { invalidCursor } from '../queries/cursor.js'
import { fetchedAttributes } from '../queries/projection.js'
import type { InvertedRead } from '../queries/query-route.js'
import { shardInput } from '../queries/shard-query.js'
import { expressionOfRange } from '../queries/sort-expression.js'
import { contains, rangeOf, type SortRange } from '../queries/sort-range.js'
import { validationException } from '../sdk/validation-exception.js'
import { InvertedPage } from './inverted-page.js'
import {
  bytesOf,
  compareKeys,
  fitsIndex,
  type KeyBehind,
  type KeyBytes,
  StoredOrder,
} from './stored-order.js'

const MAX_CONCURRENT_REQUESTS = 25

/** A part of the index, in the order of stored keys. Both ends are inclusive. */
interface StoredRange {
  readonly low: KeyBytes | undefined
  readonly high: KeyBytes | undefined
}

/**
 * Queries an index whose partition key is the table's sort key, and whose sort key is the table's partition key: an
 * inverted index. Its items are stored by keys with suffixes, and returned in the order of logical keys.
 *
 * The index is read in its own order. What is read is sorted, and completed with the few keys that are stored behind
 * (`StoredOrder`), for which the index is asked separately. Backwards, such keys are met too early, and are kept for a
 * later page.
 *
 * The cursor has the stored key of the last item, or of the last evaluated key. All that counts is its logical key:
 * everything up to that was returned.
 *
 * @throws IsothermError `cursor.invalid`; ValidationError with the service's text
 */
export function queryInverted(read: InvertedRead): Promise<QueryCommandOutput> {
  return new InvertedQuery(read).page()
}

/** @throws IsothermError `command.parameter-unsupported` */
function suffixesOf({
  options: { name, partitionKey },
  suffix: { suffixes },
}: InvertedRead['table']): SuffixRange {
  if (suffixes !== undefined) return suffixes
  throw refuseParameter(
    name,
    'Query',
    `an inverted index, whose sort key is ${partitionKey}`,
    'The index is ordered by stored keys, which do not begin with the logical key in this table. Query the table by its key, or scan it.',
  )
}

class InvertedQuery {
  readonly #read: InvertedRead
  readonly #hash: KeyValue
  /** The logical keys that are asked for. */
  readonly #range: SortRange
  readonly #direction: 1 | -1
  /** The logical key up to which everything was returned. */
  readonly #start: KeyBytes | undefined
  readonly #order: StoredOrder
  readonly #page = new InvertedPage()
  readonly #fetched: ReturnType<typeof fetchedAttributes>
  readonly #common: ReturnType<typeof commonRequest>

  constructor(read: InvertedRead) {
    const { table, input, hashAttribute } = read
    const { partitionKey } = table.options
    const { Limit, ExclusiveStartKey: start } = input
    if (Limit !== undefined && !(Number.isInteger(Limit) && Limit >= 1)) throw validationException(LIMIT_TEXT)
    const { partition, sort } = conditionOf(input, hashAttribute, partitionKey)
    this.#read = read
    this.#hash = canonicalKeyValue(partition)
    this.#range = sort === undefined ? { lower: undefined, upper: undefined } : rangeOf(sort)
    this.#direction = input.ScanIndexForward === false ? -1 : 1
    const { lower, upper } = this.#range
    const known = start?.[partitionKey] ?? lower?.value ?? upper?.value
    this.#order = new StoredOrder(table.suffix, suffixesOf(table), known === undefined || 'S' in known)
    this.#start = start && this.#startOf(start)
    this.#fetched = fetchedAttributes(input, [partitionKey, hashAttribute])
    this.#common = commonRequest(input, this.#fetched, input.IndexName)
  }

  async page(): Promise<QueryCommandOutput> {
    const { Limit: limit } = this.#read.input
    const filtered = this.#read.input.FilterExpression !== undefined
    const range = this.#storedRange()
    if (this.#direction === -1 && range.high !== undefined) await this.#addKeysBehind(range.high)
    let last: Record<string, AttributeValue> | undefined
    for (;;) {
      const before = filtered ? 0 : this.#ready(last).length
      // Keys that are stored behind the range can be more than the page holds.
      const asked = limit && Math.max(1, limit - before + 2)
      const output = await this.#fetch(range, { limit: asked, start: last })
      last = output.LastEvaluatedKey
      const isShort = asked === undefined || (output.ScannedCount ?? 0) < asked
      const ready = this.#ready(last)
      if (last === undefined || filtered || ready.length >= (limit ?? Number.POSITIVE_INFINITY)) break
      if (isShort && ready.length > 0) break
    }
    if (this.#direction === 1) {
      const place = last === undefined ? range.high : this.#placeOf(last)
      // The item at that place was read, even if the filter has removed it.
      const read = last && this.#order.logicalOf(this.#placeOf(last))
      if (place !== undefined) await this.#addKeysBehind(place, read)
    }
    return this.#output(last, filtered)
  }

  #output(last: Record<string, AttributeValue> | undefined, filtered: boolean): QueryCommandOutput {
    const { table, input, hashAttribute } = this.#read
    const ready = this.#ready(last)
    const items = ready.slice(0, input.Limit)
    const isCut = items.length < ready.length
    const end = items.at(-1)
    const isLast = !isCut && last === undefined
    const stored =
      end !== undefined && (isCut || !filtered)
        ? end.stored
        : last && this.#order.keyOf(this.#order.storedFor(this.#placeOf(last)))
    const { metadata, capacity, scanned } = this.#page
    const asksForCapacity = (input.ReturnConsumedCapacity ?? 'NONE') !== 'NONE'
    const most = input.Limit ?? Number.POSITIVE_INFINITY
    return {
      $metadata: metadata,
      Count: items.length,
      ScannedCount: filtered ? Math.max(items.length, Math.min(scanned, most)) : items.length,
      ...(input.Select === 'COUNT' ? {} : { Items: items.map(({ item }) => this.#shown(item)) }),
      ...(isLast || stored === undefined
        ? {}
        : {
            LastEvaluatedKey: {
              [hashAttribute]: { ...this.#hash },
              [table.options.partitionKey]: { ...stored },
            },
          }),
      ...(asksForCapacity && capacity !== undefined ? { ConsumedCapacity: capacity } : {}),
    } as QueryCommandOutput
  }

  #shown(item: Record<string, AttributeValue>): Record<string, AttributeValue> {
    const shown = presentedStoredItem(this.#read.table, item)
    for (const attribute of this.#fetched.hidden) delete shown[attribute]
    return shown
  }

  /** The items that no unread item precedes, after the last evaluated key of the index. */
  #ready(last: Record<string, AttributeValue> | undefined) {
    const items = this.#page.inOrder(this.#direction)
    if (this.#direction === 1 || last === undefined) return items
    // Every key that is not read yet precedes this place.
    const place = this.#placeOf(last)
    return items.filter(({ logical }) => compareKeys(logical, place) >= 0)
  }

  /** The part of the index to read. Keys in it that are not asked for are prefixes of its ends. */
  #storedRange(): StoredRange {
    const { lower, upper } = this.#range
    const low = lower && bytesOf(lower.value as SuffixableKey)
    const high = upper && bytesOf(upper.value as SuffixableKey)
    if (this.#start === undefined) return { low, high }
    if (this.#direction === 1) {
      return { low: low !== undefined && compareKeys(low, this.#start) > 0 ? low : this.#start, high }
    }
    return { low, high: high !== undefined && compareKeys(high, this.#start) < 0 ? high : this.#start }
  }

  /** Finds the keys that are stored behind the place although they precede it. One request skips many of them. */
  async #addKeysBehind(place: KeyBytes, read?: KeyBytes): Promise<void> {
    const { upper } = this.#range
    const isBound = upper !== undefined && compareKeys(bytesOf(upper.value as SuffixableKey), place) === 0
    // A filtered page ends with the key of its place, and no later one would look behind it again.
    const isEnd = read !== undefined && this.#read.input.FilterExpression !== undefined
    let left = this.#order.behind(place, isEnd || (isBound && upper.inclusive)).filter(({ logical }) => {
      const isRead = this.#page.has(logical) || (read !== undefined && compareKeys(read, logical) === 0)
      return !isRead && this.#isAsked(logical)
    })
    for (let [next] = left; next !== undefined; [next] = left) {
      const high = left.reduce((most, { last }) => (compareKeys(last, most) > 0 ? last : most), next.last)
      const found = await this.#firstIn({ low: next.first, high })
      if (found === undefined) return
      left = left.filter(({ last }) => compareKeys(last, found) >= 0)
      const here = left.filter(({ first }) => compareKeys(first, found) <= 0)
      for (const key of here) await this.#addKey(key)
      left = left.filter((key) => !here.includes(key))
    }
  }

  async #firstIn(range: StoredRange): Promise<KeyBytes | undefined> {
    const output = await this.#send(range, { limit: 1, forward: true })
    const key = output.LastEvaluatedKey ?? output.Items?.[0]
    return key && this.#placeOf(key)
  }

  /** Adds the items of one logical key, whatever shards they are in. */
  async #addKey({ logical }: KeyBehind): Promise<void> {
    const { table } = this.#read
    const key = this.#order.keyOf(logical) as LogicalKey
    const view = await table.views.forRead(key, { consistent: false })
    const shards = Array.from({ length: view.readable }, (_, index) => index + 1)
    await concurrently(shards, MAX_CONCURRENT_REQUESTS, async (shard) => {
      const stored = bytesOf(table.suffix.add(key, shard))
      if (fitsIndex(stored))
        await this.#fetch({ low: stored, high: stored }, { limit: undefined, start: undefined })
    })
  }

  async #fetch(
    range: StoredRange,
    { limit, start }: { limit: number | undefined; start: Record<string, AttributeValue> | undefined },
  ): Promise<QueryCommandOutput> {
    const output = await this.#send(range, { limit, start, forward: this.#direction === 1 })
    const { suffix, options } = this.#read.table
    for (const item of output.Items ?? []) {
      const stored = item[options.partitionKey] as SuffixableKey
      const logical = this.#order.logicalOf(bytesOf(stored))
      if (this.#isAsked(logical))
        this.#page.add({ item, stored, logical, shard: suffix.strip(stored)?.shard })
    }
    return output
  }

  async #send(
    { low, high }: StoredRange,
    how: {
      readonly limit: number | undefined
      readonly start?: Record<string, AttributeValue> | undefined
      readonly forward: boolean
    },
  ): Promise<QueryCommandOutput> {
    if (low !== undefined && high !== undefined && compareKeys(low, high) > 0) {
      return { $metadata: { attempts: 0 } }
    }
    const { table, reader, hashAttribute } = this.#read
    const bound = (bytes: KeyBytes | undefined) =>
      bytes && { value: this.#order.keyOf(bytes) as KeyValue, inclusive: true }
    const source = {
      sortKey: table.options.partitionKey,
      hashOf: () => ({ [hashAttribute]: { ...this.#hash } as AttributeValue }),
    }
    const sort = expressionOfRange({ lower: bound(low), upper: bound(high) })
    const request = {
      ...shardInput({ common: this.#common, source }, 1, sort),
      ScanIndexForward: how.forward,
    }
    if (how.limit !== undefined) request.Limit = how.limit
    if (how.start !== undefined) request.ExclusiveStartKey = how.start
    let attempt = 0
    const output = await reader.send(request, (reasons, index) => {
      attempt += 1
      void table.readHeat.scanThrottled({ attempt, reasons, index })
    })
    const seen = (output.LastEvaluatedKey ?? output.Items?.[0])?.[table.options.partitionKey]
    if (seen !== undefined) this.#order.learnType(seen as SuffixableKey)
    this.#page.count(output)
    return output
  }

  #isAsked(logical: KeyBytes): boolean {
    if (this.#start !== undefined && this.#direction * compareKeys(logical, this.#start) <= 0) return false
    return contains(this.#range, this.#order.keyOf(logical) as KeyValue)
  }

  #placeOf(key: Record<string, AttributeValue>): KeyBytes {
    return bytesOf(key[this.#read.table.options.partitionKey] as SuffixableKey)
  }

  /** @throws IsothermError `cursor.invalid` */
  #startOf(start: Record<string, AttributeValue>): KeyBytes {
    const { table, hashAttribute } = this.#read
    const { name, partitionKey } = table.options
    const names = Object.keys(start)
    const hash = keyValueOf(start[hashAttribute])
    const key = keyValueOf(start[partitionKey])
    const isHere =
      hash !== undefined && contains({ lower: bound(this.#hash), upper: bound(this.#hash) }, hash)
    if (names.length === 2 && isHere && key !== undefined && !('N' in key))
      return this.#order.logicalOf(bytesOf(key))
    throw invalidCursor(name, isHere ? partitionKey : hashAttribute)
  }
}

const bound = (value: KeyValue) => ({ value, inclusive: true })

function conditionOf(input: QueryCommandInput, hash: string, range: string) {
  const { KeyConditionExpression = '', ExpressionAttributeNames, ExpressionAttributeValues } = input
  const { partition, sort } = bindKeyCondition(
    parseCondition('KeyConditionExpression', KeyConditionExpression),
    new Placeholders(ExpressionAttributeNames, ExpressionAttributeValues as unknown as Item),
    { hash: [{ name: hash }], range: [{ name: range }] },
  )
  const [value] = partition
  if (value === undefined) throw new TypeError('A key condition has a value for the partition key.')
  return { partition: value, sort: sort[0] }
}
