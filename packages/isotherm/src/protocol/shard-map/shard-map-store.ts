import {
  type AttributeValue,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import { requestToken } from '../../attempts/request-token.js'
import type { LogicalKey } from '../../keys/key.js'
import type { ShardNames } from '../../keys/shard-names.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { isRefusedByCondition } from '../../sdk/condition-refusal.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { type Diagnosis, type Growth, growthText, type HeatTotals } from '../states/fleet-signs.js'
import type { ShardState } from '../states/shard-state.js'
import {
  FLEET_ATTRIBUTES,
  foundAttribute,
  HEAT_OF_ONE_COUNT,
  heatOfItems,
  SHARD_MAP_ATTRIBUTES,
} from '../stored-state/shard-map-attributes.js'
import { fromAttributes, toAttributes } from '../stored-state/shard-map-item.js'
import { guardedByMap } from '../table-card/missing-shard-map.js'
import { sendUntilAnswered } from '../table-card/send-until-answered.js'

/** How long a diagnosis is not repeated. */
const FOUND_SECONDS = 3_600

interface ShardMapStoreOptions {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  readonly suffix: ShardNames
}

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

  /** Adds the key with this state, or returns the state that another process added first. */
  async create(key: LogicalKey, state: ShardState): Promise<ShardState> {
    const { client, options } = this.#table
    const { TableName, Key } = this.#item(key)
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
   * @param growth recorded with the state, if the count grows because of heat
   * @returns whether the state was replaced
   */
  async replace(key: LogicalKey, seen: ShardState, next: ShardState, growth?: Growth): Promise<boolean> {
    const { client, random } = this.#table
    const name = requestToken(random)
    const { sets, removes, names, values } = assignments({
      ...toAttributes(next),
      [SHARD_MAP_ATTRIBUTES.lastWrite]: { S: name },
      ...(growth && { [FLEET_ATTRIBUTES.lastGrowth]: { S: growthText(growth) } }),
    })
    const command = new UpdateItemCommand({
      ...this.#item(key),
      // An update, not a put: attributes that users added to the item stay.
      UpdateExpression: `SET ${sets.join(', ')} REMOVE ${removes.join(', ')}`,
      // mark: shard-map-is-locked
      ConditionExpression: '#last_updated = :seen',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':seen': { N: String(seen.lastUpdated) } },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    try {
      await sendUntilAnswered(this.#table, () => this.#guarded(() => client.send(command)))
      return true
    } catch (error) {
      if (isRefusedByCondition(error)) return error.Item?.[SHARD_MAP_ATTRIBUTES.lastWrite]?.S === name
      throw error
    }
  }

  /**
   * Adds units to the key's totals, if it still has this count.
   * @returns the state after it, or the state with another count; `undefined` if there is none, or an engine does not return it
   */
  async report(key: LogicalKey, shards: number, heat: HeatTotals): Promise<ShardState | undefined> {
    const { client, options } = this.#table
    const added: Record<string, number> = {
      [FLEET_ATTRIBUTES.heatAccepted]: heat.acceptedUnits,
      [FLEET_ATTRIBUTES.heatOffered]: heat.offeredUnits,
      [FLEET_ATTRIBUTES.heatSamples]: heat.samples,
    }
    for (const [hash, units] of heat.throttledUnits.entries()) if (units > 0) added[heatOfItems(hash)] = units
    const names = Object.keys(added)
    const command = new UpdateItemCommand({
      ...this.#item(key),
      UpdateExpression: `ADD ${names.map((_, at) => `#a${at} :a${at}`).join(', ')}`,
      ExpressionAttributeNames: {
        '#count': SHARD_MAP_ATTRIBUTES.numberOfShards,
        ...Object.fromEntries(names.map((name, at) => [`#a${at}`, name])),
      },
      ExpressionAttributeValues: {
        ':count': numeric(shards),
        ...Object.fromEntries(names.map((name, at) => [`:a${at}`, numeric(inThousandths(added[name] ?? 0))])),
      },
      // Heat under another count proves nothing. The condition also keeps a deleted item deleted.
      ConditionExpression: '#count = :count',
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    try {
      const { Attributes } = await this.#guarded(() => client.send(command))
      return Attributes && fromAttributes(options.shardMap, Attributes)
    } catch (error) {
      if (!isRefusedByCondition(error)) throw error
      return error.Item && fromAttributes(options.shardMap, error.Item)
    }
  }

  /**
   * Records why more shards would not help the key.
   * @returns whether this process is the first to find it out, for this count and within the last hour
   */
  find(key: LogicalKey, { shards }: ShardState, diagnosis: Diagnosis): Promise<boolean> {
    const now = this.#epochSeconds()
    return this.sign(key, {
      update: 'SET #found = :now',
      names: { '#found': foundAttribute(diagnosis) },
      values: { ':now': numeric(now), ':count': numeric(shards), ':before': numeric(now - FOUND_SECONDS) },
      condition: '#count = :count AND (attribute_not_exists(#found) OR #found < :before)',
    })
  }

  /** Records that the key is too busy for fewer shards. */
  async tellBusy(key: LogicalKey): Promise<void> {
    const values = { ':now': numeric(this.#epochSeconds()) }
    await this.sign(key, {
      update: 'SET #busy = :now',
      names: { '#busy': FLEET_ATTRIBUTES.lastBusy },
      values,
    })
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

  #guarded<Output>(send: () => Promise<Output>): Promise<Output> {
    return guardedByMap(this.#table.options, send)
  }
}

/**
 * Builds an update that sets the given attributes of the shard map and removes its others, and the heat under the count before.
 */
function assignments(attributes: Record<string, AttributeValue>) {
  const sets: string[] = []
  const removes: string[] = []
  const names: Record<string, string> = {}
  const values: Record<string, AttributeValue> = {}
  const all = new Set([
    ...Object.values(SHARD_MAP_ATTRIBUTES),
    ...HEAT_OF_ONE_COUNT,
    ...Object.keys(attributes),
  ])
  for (const attribute of all) {
    const value = attributes[attribute]
    names[`#${attribute}`] = attribute
    if (value === undefined) removes.push(`#${attribute}`)
    else {
      sets.push(`#${attribute} = :${attribute}`)
      values[`:${attribute}`] = value
    }
  }
  return { sets, removes, names, values }
}

/**
 * Reads use so small a share of a partition that whole units would round those of each class of items to nothing, or double them. An
 * exact fraction could have more digits in a sum than a number of the service.
 */
function inThousandths(units: number): number {
  return Math.round(units * 1_000) / 1_000
}

function numeric(value: number): AttributeValue.NMember {
  return { N: String(value) }
}
