import {
  type AttributeValue,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import { backoffMilliseconds } from '../../attempts/backoff.js'
import { requestToken } from '../../attempts/request-token.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import type { LogicalKey } from '../../keys/key.js'
import type { Suffix } from '../../keys/suffix.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { isRefusedByCondition } from '../../sdk/condition-refusal.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { firstState, type ShardState } from '../states/shard-state.js'
import { FLEET_ATTRIBUTES, SHARD_MAP_ATTRIBUTES } from './shard-map-attributes.js'
import { fromAttributes, toAttributes } from './shard-map-item.js'

/** How often a change is sent, each time by the SDK's own attempts, before it counts as failed. */
const MAX_SENDS = 3

interface ShardMapStoreOptions {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  readonly suffix: Suffix
}

/** What a process reports of a key's rates: beside the reports of the others, or instead of all that are out of date. */
export type RateReport =
  | { readonly kind: 'too'; readonly report: string }
  | { readonly kind: 'instead'; readonly reports: readonly string[] }

/** The table of counts, request by request; nothing is kept. */
export class ShardMapStore {
  readonly #table: ShardMapStoreOptions

  constructor(table: ShardMapStoreOptions) {
    this.#table = table
  }

  /**
   * As it is now: half the price of an eventually consistent read is not worth an answer of unknown age.
   * @throws IsothermError `key.*` for a key that no item of the table can have, before it is asked for or added
   */
  async read(key: LogicalKey): Promise<ShardState | undefined> {
    const { client, options, suffix } = this.#table
    suffix.add(key, 1)
    const command = new GetItemCommand({
      ...this.#item(key),
      // mark: shard-map-is-read-consistently
      ConsistentRead: true,
    })
    const { Item } = await this.#guarded(() => client.send(command))
    return Item && fromAttributes(options.shardMap, Item)
  }

  /** Adds the key with so many shards, or returns what another process has added before. */
  async create(key: LogicalKey, shards: number): Promise<ShardState> {
    const { client, options } = this.#table
    const { TableName, Key } = this.#item(key)
    const state = firstState(shards, this.#epochSeconds())
    const command = new PutItemCommand({
      TableName,
      Item: { ...toAttributes(state), ...Key },
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': options.partitionKey },
    })
    const created = await this.#ifConditionHolds(() => client.send(command))
    return created ? state : ((await this.read(key)) ?? state)
  }

  /**
   * Puts a state in the place of the one that was seen, unless another process was first. Without an answer it is sent again: it
   * is carried out once at most, however late, since it changes what its condition asks for.
   * @returns whether it did
   */
  async replace(key: LogicalKey, seen: ShardState, next: ShardState): Promise<boolean> {
    const { client, clock, random } = this.#table
    const name = requestToken(random)
    const { sets, removes, names, values } = assignments({
      ...toAttributes(next),
      [SHARD_MAP_ATTRIBUTES.lastWrite]: { S: name },
    })
    const command = new UpdateItemCommand({
      ...this.#item(key),
      // An update and not a put: whatever else people keep in the item stays.
      UpdateExpression: `SET ${sets.join(', ')} REMOVE ${removes.join(', ')}`,
      // mark: shard-map-is-locked
      ConditionExpression: '#lastUpdated = :seen',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':seen': { N: String(seen.lastUpdated) } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    for (let sent = 1; ; sent++) {
      try {
        await this.#guarded(() => client.send(command))
        return true
      } catch (error) {
        if (isRefusedByCondition(error)) {
          return error.Item?.[SHARD_MAP_ATTRIBUTES.lastWrite]?.S === name
        }
        if (sent >= MAX_SENDS || !mayBeCarriedOut(error)) throw error
        await clock.sleep(backoffMilliseconds(random, sent))
      }
    }
  }

  /** Adds a report of a process to those of the others, or puts these in the place of all. */
  async report(key: LogicalKey, report: RateReport): Promise<void> {
    const { heatReports } = FLEET_ATTRIBUTES
    if (report.kind === 'too') await this.#sign(key, 'ADD #sign :sign', heatReports, { SS: [report.report] })
    else await this.#sign(key, 'SET #sign = :sign', heatReports, { SS: [...report.reports] })
  }

  /** Says that the key is too busy for fewer shards. */
  async tellBusy(key: LogicalKey): Promise<void> {
    await this.#sign(key, 'SET #sign = :sign', FLEET_ATTRIBUTES.lastBusy, { N: String(this.#epochSeconds()) })
  }

  async #sign(key: LogicalKey, UpdateExpression: string, attribute: string, value: AttributeValue) {
    const command = new UpdateItemCommand({
      ...this.#item(key),
      UpdateExpression,
      ExpressionAttributeNames: { '#sign': attribute, '#count': SHARD_MAP_ATTRIBUTES.numberOfShards },
      ExpressionAttributeValues: { ':sign': value },
      // An item that people took away does not come back as half a one.
      ConditionExpression: 'attribute_exists(#count)',
    })
    await this.#ifConditionHolds(() => this.#table.client.send(command))
  }

  #epochSeconds(): number {
    return Math.floor(this.#table.clock.now() / 1_000)
  }

  #item(key: LogicalKey): { readonly TableName: string; readonly Key: Record<string, AttributeValue> } {
    const { shardMap, partitionKey } = this.#table.options
    return { TableName: shardMap, Key: { [partitionKey]: 'S' in key ? { S: key.S } : { B: key.B } } }
  }

  async #ifConditionHolds(send: () => Promise<unknown>): Promise<boolean> {
    try {
      await this.#guarded(send)
      return true
    } catch (error) {
      if (isRefusedByCondition(error)) return false
      throw error
    }
  }

  async #guarded<Output>(send: () => Promise<Output>): Promise<Output> {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ResourceNotFoundException')) throw error
      const { name, shardMap } = this.#table.options
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

/**
 * An update that leaves the item with exactly these of the shard map's attributes. Reports of heat are removed: what was reported
 * under another count proves nothing, and the item stays small.
 */
function assignments(attributes: Record<string, AttributeValue>) {
  const sets: string[] = []
  const removes: string[] = []
  const names: Record<string, string> = {}
  const values: Record<string, AttributeValue> = {}
  const { heatReports } = FLEET_ATTRIBUTES
  for (const [name, attribute] of Object.entries({ ...SHARD_MAP_ATTRIBUTES, heatReports })) {
    const value = attributes[attribute]
    names[`#${name}`] = attribute
    if (value === undefined) removes.push(`#${name}`)
    else {
      sets.push(`#${name} = :${name}`)
      values[`:${name}`] = value
    }
  }
  return { sets, removes, names, values }
}

/** Whether no answer came, or one that says nothing of the request. What the service refuses it says is the client's fault. */
function mayBeCarriedOut(error: unknown): boolean {
  return !(error instanceof IsothermError) && (error as { readonly $fault?: unknown }).$fault !== 'client'
}
