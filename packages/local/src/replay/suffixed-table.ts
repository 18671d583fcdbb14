import { createHash } from 'node:crypto'
import { type Random, randomInteger } from '@isotherm/runtime'
import { isObject, type JsonObject, listIn, objectIn, tableName } from './members-of.js'
import { wrong } from './replay-design.js'
import { suffixed, suffixedCondition, suffixedUpdate } from './suffixed-expressions.js'

/** The requests that replace a request. `isAdapted` is false when the request should have changed but could not. */
export interface Rewritten {
  readonly requests: readonly JsonObject[]
  readonly isAdapted: boolean
}

/**
 * A table with a suffix on one of its partition keys, its own or an index's, as sharding would add it.
 *
 * The suffix of an item is computed from its other key attributes, so that a request with the whole key finds the item:
 * from the sort key for the table's own partition key, and from the table's key for an index's. A table without a sort
 * key has no other key attributes. Then each write draws a random suffix, and reads query all shards. Queries of a
 * sharded key always query all shards.
 */
export class SuffixedTable {
  readonly #attribute: string
  readonly #shards: number
  readonly #seed: number
  readonly #random: Random
  readonly #hash: string
  readonly #range: string | undefined
  /** Partition keys of global indexes by name. */
  readonly #indexes: ReadonlyMap<string, string>

  /** @throws LocalError `replay.design` */
  constructor(
    create: JsonObject,
    suffix: { attribute: string; shards: number },
    seed: number,
    random: Random,
  ) {
    this.#attribute = suffix.attribute
    this.#shards = suffix.shards
    this.#seed = seed
    this.#random = random
    const [hash = '', range] = keyNames(create)
    this.#hash = hash
    this.#range = range
    const indexes = listIn(create, 'GlobalSecondaryIndexes')
    this.#indexes = new Map(indexes.map((index) => [String(index.IndexName), keyNames(index)[0] ?? '']))
    const partitionKeys = [hash, ...this.#indexes.values()]
    const [definition] = listIn(create, 'AttributeDefinitions').filter(
      ({ AttributeName }) => AttributeName === suffix.attribute,
    )
    if (partitionKeys.includes(suffix.attribute) && definition?.AttributeType === 'S') return
    throw wrong(
      `Attribute ${suffix.attribute} of table ${String(create.TableName)} cannot have a suffix; it must be a partition key of type S, of the table or of a global index.`,
    )
  }

  rewrite(operation: string, request: JsonObject, table: string): Rewritten {
    const one = (changed: JsonObject): Rewritten => ({ requests: [changed], isAdapted: true })
    switch (operation) {
      case 'PutItem':
        return one({ ...request, Item: this.#item(request.Item) })
      case 'DeleteItem':
        return one({ ...request, Key: this.#key(request.Key) })
      case 'UpdateItem':
        return this.#update(request)
      case 'GetItem':
        return this.#fannedOut(this.#isUnknown, (shard) => ({
          ...request,
          Key: this.#key(request.Key, shard),
        }))
      case 'Query':
        return this.#query(request)
      case 'BatchWriteItem':
        return one(this.#batch(request, table, (write) => this.#action(write)))
      case 'BatchGetItem':
        return this.#fannedOut(this.#isUnknown, (shard) => {
          const keysOf = (asked: unknown) => {
            if (!isObject(asked)) return asked
            return { ...asked, Keys: listIn(asked, 'Keys').map((key) => this.#key(key, shard)) }
          }
          return withTable(request, table, keysOf)
        })
      case 'TransactWriteItems':
      case 'TransactGetItems':
        return this.#fannedOut(this.#isUnknown && operation === 'TransactGetItems', (shard) => ({
          ...request,
          TransactItems: listIn(request, 'TransactItems').map((action) => {
            const isOurs = Object.values(action).some(
              (each) => isObject(each) && tableName(each.TableName) === table,
            )
            return isOurs ? this.#action(action, shard) : action
          }),
        }))
      case 'Scan':
        return one(request)
      default:
        return { requests: [request], isAdapted: false }
    }
  }

  /** Whether the shard of an item cannot be computed. */
  get #isUnknown(): boolean {
    return this.#attribute === this.#hash && this.#range === undefined
  }

  #fannedOut(isToAll: boolean, request: (shard: number | undefined) => JsonObject): Rewritten {
    const shards = isToAll ? Array.from({ length: this.#shards }, (_, shard) => shard) : [undefined]
    return { requests: shards.map(request), isAdapted: true }
  }

  #query(request: JsonObject): Rewritten {
    const index = request.IndexName === undefined ? undefined : this.#indexes.get(String(request.IndexName))
    if ((index ?? this.#hash) !== this.#attribute) return { requests: [request], isAdapted: true }
    const shards = Array.from({ length: this.#shards }, (_, shard) =>
      suffixedCondition(request, this.#attribute, shard),
    )
    const requests = shards.filter((each) => each !== undefined)
    return requests.length < shards.length
      ? { requests: [request], isAdapted: false }
      : { requests, isAdapted: true }
  }

  /** An update computes its item's suffix. When it sets the key of an index, the suffix is added to that value. */
  #update(request: JsonObject): Rewritten {
    if (this.#attribute === this.#hash) {
      return { requests: [{ ...request, Key: this.#key(request.Key) }], isAdapted: true }
    }
    const changed = suffixedUpdate(request, this.#attribute, this.#shardOf(objectIn(request, 'Key')))
    return { requests: [changed ?? request], isAdapted: changed !== undefined }
  }

  #batch(request: JsonObject, table: string, change: (write: JsonObject) => JsonObject): JsonObject {
    return withTable(request, table, (asked) =>
      Array.isArray(asked) ? asked.filter(isObject).map(change) : asked,
    )
  }

  /** Adapts a member of a batch or a transaction, such as `{ Put: { Item } }` or `{ DeleteRequest: { Key } }`. */
  #action(action: JsonObject, shard?: number): JsonObject {
    const changed = Object.entries(action).map(([kind, each]) => {
      if (!isObject(each)) return [kind, each]
      if (each.Item !== undefined) return [kind, { ...each, Item: this.#item(each.Item) }]
      if (kind === 'Update') return [kind, this.#update(each).requests[0]]
      return [kind, { ...each, Key: this.#key(each.Key, shard) }]
    })
    return Object.fromEntries(changed)
  }

  #item(item: unknown): unknown {
    return isObject(item) ? this.#withSuffix(item, this.#shardOf(item)) : item
  }

  #key(key: unknown, shard?: number): unknown {
    return isObject(key) ? this.#withSuffix(key, shard ?? this.#shardOf(key)) : key
  }

  #withSuffix(attributes: JsonObject, shard: number): JsonObject {
    const value = attributes[this.#attribute]
    if (!isObject(value) || typeof value.S !== 'string') return attributes
    return { ...attributes, [this.#attribute]: { S: suffixed(value.S, shard) } }
  }

  #shardOf(attributes: JsonObject): number {
    if (this.#isUnknown) return randomInteger(this.#random, 0, this.#shards - 1)
    const range = this.#range === undefined ? undefined : attributes[this.#range]
    const identity = this.#attribute === this.#hash ? range : [attributes[this.#hash], range]
    const digest = createHash('sha256')
      .update(JSON.stringify([this.#seed, identity]))
      .digest()
    return digest.readUInt32BE(0) % this.#shards
  }
}

function keyNames(holder: JsonObject): string[] {
  const schema = listIn(holder, 'KeySchema')
  const of = (type: string) => schema.filter(({ KeyType }) => KeyType === type)
  return [...of('HASH'), ...of('RANGE')].map(({ AttributeName }) => String(AttributeName))
}

function withTable(request: JsonObject, table: string, change: (asked: unknown) => unknown): JsonObject {
  const items = Object.entries(objectIn(request, 'RequestItems'))
  const changed = items.map(([name, asked]) => [name, tableName(name) === table ? change(asked) : asked])
  return { ...request, RequestItems: Object.fromEntries(changed) }
}
