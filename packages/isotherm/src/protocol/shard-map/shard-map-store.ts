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

/** How often a change is sent before it fails. Each send has the SDK's own retries. */
const MAX_SENDS = 3

interface ShardMapStoreOptions {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  readonly suffix: Suffix
}

/** The rates of a key that a process reports: added to the reports of other processes, or replacing all outdated reports. */
export type RateReport =
  | { readonly kind: 'too'; readonly report: string }
  | { readonly kind: 'instead'; readonly reports: readonly string[] }

/** An update of attributes in which processes record how busy a key is, and how much it is read. */
export interface FleetUpdate {
  readonly update: string
  readonly names: Record<string, string>
  readonly values: Record<string, AttributeValue>
  readonly condition?: string
}

/** Reads and writes the items of the shard map. Caches nothing. */
export class ShardMapStore {
  readonly #table: ShardMapStoreOptions

  constructor(table: ShardMapStoreOptions) {
    this.#table = table
  }

  /**
   * Reads the current state. An eventually consistent read costs half, but returns a state of unknown age.
   * @throws IsothermError `key.*` for a key that no item of the table can have, before any request is sent
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

  /** Adds the key with the given number of shards, or returns the state that another process added first. */
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
   * Replaces the state that was seen, unless another process has changed it. A request without a response is sent again. It takes
   * effect at most once, however late, because it changes the attribute that its condition checks.
   * @returns whether the state was replaced
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
      // An update, not a put: attributes that users added to the item stay.
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

  /** Adds the report of one process to the reports of the others, or replaces all reports. */
  async report(key: LogicalKey, report: RateReport): Promise<void> {
    const { heatReports } = FLEET_ATTRIBUTES
    if (report.kind === 'too') await this.#sign(key, 'ADD #sign :sign', heatReports, { SS: [report.report] })
    else await this.#sign(key, 'SET #sign = :sign', heatReports, { SS: [...report.reports] })
  }

  /** Records that the key is too busy for fewer shards. */
  async tellBusy(key: LogicalKey): Promise<void> {
    await this.#sign(key, 'SET #sign = :sign', FLEET_ATTRIBUTES.lastBusy, { N: String(this.#epochSeconds()) })
  }

  async #sign(key: LogicalKey, update: string, attribute: string, value: AttributeValue): Promise<void> {
    await this.sign(key, { update, names: { '#sign': attribute }, values: { ':sign': value } })
  }

  /**
   * Writes signs of the fleet, without a lock.
   * @returns whether the key has an item, and the condition of the update held
   */
  sign(key: LogicalKey, { update, names, values, condition }: FleetUpdate): Promise<boolean> {
    // Without this condition, the update would recreate a deleted item without its count.
    const exists = 'attribute_exists(#count)'
    const command = new UpdateItemCommand({
      ...this.#item(key),
      UpdateExpression: update,
      ExpressionAttributeNames: { ...names, '#count': SHARD_MAP_ATTRIBUTES.numberOfShards },
      ExpressionAttributeValues: values,
      ConditionExpression: condition === undefined ? exists : `${exists} AND (${condition})`,
    })
    return this.#ifConditionHolds(() => this.#table.client.send(command))
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
 * Builds an update that sets the given attributes of the shard map and removes its others. Heat reports are removed too: reports
 * from another count prove nothing, and the item stays small.
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

/**
 * Whether the request may have taken effect: there was no response, or a server error. A refusal of the service is a client
 * error.
 */
function mayBeCarriedOut(error: unknown): boolean {
  return !(error instanceof IsothermError) && (error as { readonly $fault?: unknown }).$fault !== 'client'
}
