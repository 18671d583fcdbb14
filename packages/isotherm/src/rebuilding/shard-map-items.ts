import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  type GetItemCommandOutput,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { MoveSender } from '../attempts/move-sender.js'
import { answerOf } from '../attempts/outcome.js'
import { pagesOf } from '../attempts/pages-of.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import { readKey } from '../keys/read-key.js'
import type { ShardedTable } from '../options/sharded-table.js'
import {
  fromAttributes,
  later,
  OWN_KEYS,
  readableShards,
  SHARD_MAP_ATTRIBUTES,
  type ShardState,
  toAttributes,
} from '../protocol/index.js'
import { isRefusedByCondition } from '../sdk/condition-refusal.js'

/** The items of a shard map, for its rebuild. Those of keys are not locked, because no process goes by them. */
export class ShardMapItems {
  readonly #table: Pick<ShardedTable, 'shardMap' | 'partitionKey'>
  readonly #isBinary: boolean
  readonly #sender: MoveSender
  readonly #signal: AbortSignal | undefined

  /** @param table with a key of the type that the shard map's keys have */
  constructor(
    {
      options,
      like,
    }: { readonly options: Pick<ShardedTable, 'shardMap' | 'partitionKey'>; readonly like: LogicalKey },
    sender: MoveSender,
    signal: AbortSignal | undefined,
  ) {
    this.#table = options
    this.#isBinary = 'B' in like
    this.#sender = sender
    this.#signal = signal
  }

  async read(key: LogicalKey): Promise<ShardState | undefined> {
    const { shardMap } = this.#table
    const command = new GetItemCommand({ TableName: shardMap, Key: this.#key(key), ConsistentRead: true })
    const { Item } = await this.#sender.answer<GetItemCommandOutput>(command, 1)
    return Item && fromAttributes(shardMap, Item)
  }

  async put(key: LogicalKey, state: ShardState): Promise<void> {
    const Item = { ...toAttributes(state), ...this.#key(key) }
    await this.#sender.answer(new PutItemCommand({ TableName: this.#table.shardMap, Item }), 1)
  }

  /**
   * Puts the state of a value of an index, unless as many shards are read already. Processes go by these items meanwhile, and change them,
   * so each is replaced as it was read.
   */
  async raise(key: LogicalKey, state: ShardState): Promise<void> {
    for (;;) {
      const before = await this.read(key)
      if (before !== undefined && readableShards(before) >= readableShards(state)) return
      const lastUpdated = before === undefined ? state.lastUpdated : later(before, state.lastUpdated)
      const [name, condition] =
        before === undefined
          ? [this.#table.partitionKey, 'attribute_not_exists(#seen)']
          : [SHARD_MAP_ATTRIBUTES.lastUpdated, '#seen = :seen']
      const outcome = await this.#sender.send(
        new PutItemCommand({
          TableName: this.#table.shardMap,
          Item: { ...toAttributes({ ...state, lastUpdated }), ...this.#key(key) },
          ConditionExpression: condition,
          ExpressionAttributeNames: { '#seen': name },
          ...(before && { ExpressionAttributeValues: { ':seen': { N: String(before.lastUpdated) } } }),
        }),
        1,
      )
      const isRefused = outcome.kind === 'failed' && isRefusedByCondition(outcome.error)
      if (!isRefused) {
        answerOf(outcome)
        return
      }
    }
  }

  async remove(key: LogicalKey): Promise<void> {
    const command = new DeleteItemCommand({ TableName: this.#table.shardMap, Key: this.#key(key) })
    await this.#sender.answer(command, 1)
  }

  /** The keys that have items. The items of indexes, and the card, belong to no key. */
  async *keys(): AsyncGenerator<LogicalKey> {
    const { shardMap, partitionKey } = this.#table
    const pages = pagesOf(this.#sender, this.#signal, {
      TableName: shardMap,
      ConsistentRead: true,
      ProjectionExpression: '#key',
      ExpressionAttributeNames: { '#key': partitionKey },
    })
    for await (const { Items = [] } of pages) {
      for (const item of Items) {
        const key = readKey(shardMap, partitionKey, item[partitionKey])
        if (!isOwn(key)) yield key as LogicalKey
      }
    }
  }

  #key(key: LogicalKey): Record<string, AttributeValue> {
    const value: AttributeValue =
      'B' in key ? { B: key.B } : this.#isBinary ? { B: Buffer.from(key.S) } : { S: key.S }
    return { [this.#table.partitionKey]: value }
  }
}

function isOwn(key: SuffixableKey): boolean {
  const text = 'S' in key ? key.S : Buffer.from(key.B).toString('latin1')
  return text.startsWith(OWN_KEYS)
}
