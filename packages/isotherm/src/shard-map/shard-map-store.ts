import {
  type AttributeValue,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { IsothermError } from '../errors/isotherm-error.js'
import type { LogicalKey } from '../keys/key.js'
import type { ShardedTable } from '../options/parse-options.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import {
  changedState,
  firstState,
  fromAttributes,
  SHARD_MAP_ATTRIBUTES,
  type ShardState,
  toAttributes,
} from './shard-state.js'

/** The table of counts, request by request; nothing is kept. */
export class ShardMapStore {
  readonly #client: PhysicalClient
  readonly #clock: Clock
  readonly #table: ShardedTable

  constructor(client: PhysicalClient, clock: Clock, table: ShardedTable) {
    this.#client = client
    this.#clock = clock
    this.#table = table
  }

  async read(key: LogicalKey, consistent: boolean): Promise<ShardState | undefined> {
    const command = new GetItemCommand({
      TableName: this.#table.shardMap,
      Key: this.#key(key),
      ConsistentRead: consistent,
    })
    const { Item } = await this.#guarded(() => this.#client.send(command))
    return Item === undefined ? undefined : fromAttributes(this.#table.shardMap, Item)
  }

  /** Adds the key with so many shards, or returns what another process has added before. */
  async create(key: LogicalKey, shards: number): Promise<ShardState> {
    const state = firstState(shards, this.#epochSeconds())
    const command = new PutItemCommand({
      TableName: this.#table.shardMap,
      Item: { ...toAttributes(state), ...this.#key(key) },
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': this.#table.partitionKey },
    })
    const created = await this.#ifConditionHolds(() => this.#client.send(command))
    if (created) return state
    return (await this.read(key, true)) ?? state
  }

  /** Changes the count, unless another process was first. @returns the new state, or `undefined` for the loser */
  async change(key: LogicalKey, from: ShardState, shards: number): Promise<ShardState | undefined> {
    const state = changedState(from, shards, this.#epochSeconds())
    const command = new UpdateItemCommand({
      TableName: this.#table.shardMap,
      Key: this.#key(key),
      UpdateExpression: 'SET #shards = :shards, #updated = :updated, #history = :history',
      ConditionExpression: '#updated = :seen',
      ExpressionAttributeNames: {
        '#shards': SHARD_MAP_ATTRIBUTES.numberOfShards,
        '#updated': SHARD_MAP_ATTRIBUTES.lastUpdated,
        '#history': SHARD_MAP_ATTRIBUTES.shardHistory,
      },
      ExpressionAttributeValues: {
        ':shards': { N: String(state.shards) },
        ':updated': { N: String(state.lastUpdated) },
        ':history': { SS: [...state.history] },
        ':seen': { N: String(from.lastUpdated) },
      },
    })
    const changed = await this.#ifConditionHolds(() => this.#client.send(command))
    return changed ? state : undefined
  }

  #key(key: LogicalKey): Record<string, AttributeValue> {
    return { [this.#table.partitionKey]: 'S' in key ? { S: key.S } : { B: key.B } }
  }

  #epochSeconds(): number {
    return Math.floor(this.#clock.now() / 1_000)
  }

  async #ifConditionHolds(send: () => Promise<unknown>): Promise<boolean> {
    try {
      await this.#guarded(send)
      return true
    } catch (error) {
      if (isNamed(error, 'ConditionalCheckFailedException')) return false
      throw error
    }
  }

  async #guarded<Output>(send: () => Promise<Output>): Promise<Output> {
    try {
      return await send()
    } catch (error) {
      if (!isNamed(error, 'ResourceNotFoundException')) throw error
      const { name, shardMap } = this.#table
      throw new IsothermError(
        'shard-map.missing',
        `The shard map ${shardMap} of ${name} does not exist; dynamic shard counts are kept in it. ` +
          `Create it once with ensureShardMap(client, { table: '${name}' }), or name another with the option shardMap.`,
        { table: name, shardMap },
        { cause: error },
      )
    }
  }
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}
