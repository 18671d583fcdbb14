import {
  type AttributeValue,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import type { Clock, Random } from '@isotherm/runtime'
import { IsothermError } from '../../errors/isotherm-error.js'
import { keyText, type LogicalKey, type SuffixableKey } from '../../keys/key.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { isRefusedByCondition } from '../../sdk/condition-refusal.js'
import type { PhysicalClient } from '../../sdk/physical-client.js'
import { newOrigin } from './card-origin.js'
import { type CardSettings, FORMAT } from './card-settings.js'
import { isShardMapEmpty } from './is-shard-map-empty.js'
import { guardedByMap } from './missing-shard-map.js'
import { CARD_KEY, keyLike } from './own-keys.js'
import { requireTable } from './require-table.js'
import { sendUntilAnswered } from './send-until-answered.js'
import type { TableCard } from './table-card.js'

/** Each process reads the whole card again and again. So many keys of 40 bytes are 40 KB, or ten read units. */
const MAX_LISTED = 1_000
const MAX_LISTED_BYTES = 64 * 1_024

const ATTRIBUTES = {
  format: 'format',
  settings: 'settings',
  keys: 'listed_keys',
  all: 'lists_all',
  version: 'version',
  made: 'made',
  table: 'table_name',
  shardMap: 'shard_map_name',
  rebuilt: 'rebuilt',
} as const

interface TableCardStoreOptions {
  readonly options: ShardedTable
  readonly client: PhysicalClient
  readonly clock: Clock
  readonly random: Random
  /**
   * Compares where items of the table are with the options and the shard map, before a card is made.
   * @param isEmpty whether the shard map has no item of a key
   */
  readonly requireItems: (isEmpty: boolean) => Promise<void>
}

/** Reads and writes the card of a table. Caches nothing. */
export class TableCardStore {
  readonly #table: TableCardStoreOptions

  constructor(table: TableCardStoreOptions) {
    this.#table = table
  }

  /**
   * Reads the card, or makes it with these settings, if the table has the keys that the options say.
   * @param like a key of the table, whose type the card's key has
   */
  async read(like: LogicalKey, settings: CardSettings): Promise<TableCard> {
    const card = await this.find(like)
    if (card !== undefined) return card
    const { client, options, requireItems } = this.#table
    // The table itself is looked at once, by the process that makes the card. Others compare with the card.
    await requireTable(options, client)
    // A shard map without a card may have items from before there was one. Then any key may have an item.
    const isEmpty = await isShardMapEmpty(this.#table, like)
    try {
      await requireItems(isEmpty)
    } catch (error) {
      // Another process may have made the card meanwhile, and stored items in more shards.
      const made = await this.find(like)
      if (made !== undefined) return made
      throw error
    }
    return (await this.#create(like, settings, isEmpty)) ?? this.read(like, settings)
  }

  /** Reads the card. */
  async find(like: LogicalKey): Promise<TableCard | undefined> {
    const { client, options } = this.#table
    const command = new GetItemCommand({ ...this.#item(like), ConsistentRead: true })
    const { Item } = await guardedByMap(options, () => client.send(command))
    return Item && this.#cardOf(Item)
  }

  /**
   * Lists a key. On a card that lists all keys, it only raises the version.
   * @param card as it was read last
   * @returns false if the card is full, or another one than was read
   */
  async list(key: LogicalKey, { listed }: Pick<TableCard, 'listed'>): Promise<boolean> {
    if (listed !== 'all' && bytesOf(listed) > MAX_LISTED_BYTES) return false
    const names = { '#version': ATTRIBUTES.version, '#all': ATTRIBUTES.all }
    const values = { ':one': { N: '1' } }
    return this.#update(
      key,
      listed === 'all'
        ? {
            UpdateExpression: 'ADD #version :one',
            ConditionExpression: 'attribute_exists(#all)',
            ExpressionAttributeNames: names,
            ExpressionAttributeValues: values,
          }
        : {
            UpdateExpression: 'ADD #keys :keys, #version :one',
            ConditionExpression:
              'attribute_exists(#settings) AND attribute_not_exists(#all) AND ' +
              '(attribute_not_exists(#keys) OR contains(#keys, :key) OR size(#keys) < :max)',
            ExpressionAttributeNames: {
              ...names,
              '#keys': ATTRIBUTES.keys,
              '#settings': ATTRIBUTES.settings,
            },
            ExpressionAttributeValues: {
              ...values,
              ':keys': setOf(key),
              ':key': plainValue(key),
              ':max': { N: String(MAX_LISTED) },
            },
          },
    )
  }

  /** Says on the card that the count of any key may be another one. */
  async listAll(like: LogicalKey): Promise<void> {
    await this.#update(like, {
      UpdateExpression: 'SET #all = :true REMOVE #keys ADD #version :one',
      ConditionExpression: 'attribute_exists(#settings)',
      ExpressionAttributeNames: {
        '#all': ATTRIBUTES.all,
        '#keys': ATTRIBUTES.keys,
        '#version': ATTRIBUTES.version,
        '#settings': ATTRIBUTES.settings,
      },
      ExpressionAttributeValues: { ':true': { BOOL: true }, ':one': { N: '1' } },
    })
  }

  /** Takes a key off the card, unless the card was changed after that version was read. */
  async unlist(key: LogicalKey, version: number): Promise<void> {
    await this.#update(key, {
      UpdateExpression: 'DELETE #keys :keys ADD #version :one',
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: { '#keys': ATTRIBUTES.keys, '#version': ATTRIBUTES.version },
      ExpressionAttributeValues: {
        ':keys': setOf(key),
        ':one': { N: '1' },
        ':version': { N: String(version) },
      },
    })
  }

  /** @returns whether its condition held */
  async #update(
    like: LogicalKey,
    update: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>,
  ): Promise<boolean> {
    const { client, options } = this.#table
    const command = new UpdateItemCommand({ ...this.#item(like), ...update })
    try {
      await sendUntilAnswered(this.#table, () => guardedByMap(options, () => client.send(command)))
      return true
    } catch (error) {
      if (isRefusedByCondition(error)) return false
      throw error
    }
  }

  /** @returns `undefined` if another process was first */
  async #create(like: LogicalKey, settings: CardSettings, isEmpty: boolean): Promise<TableCard | undefined> {
    const { client, options } = this.#table
    const { TableName, Key } = this.#item(like)
    const origin = newOrigin(options, this.#table)
    const command = new PutItemCommand({
      TableName,
      Item: {
        ...Key,
        [ATTRIBUTES.made]: { S: origin.made },
        [ATTRIBUTES.table]: { S: origin.table },
        [ATTRIBUTES.shardMap]: { S: origin.shardMap },
        [ATTRIBUTES.format]: { N: String(FORMAT) },
        [ATTRIBUTES.version]: { N: '1' },
        [ATTRIBUTES.settings]: {
          M: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, { S: value }])),
        },
        ...(isEmpty ? {} : { [ATTRIBUTES.all]: { BOOL: true } }),
      },
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': options.partitionKey },
    })
    try {
      await guardedByMap(options, () => client.send(command))
      return { ...origin, settings, listed: isEmpty ? new Set() : 'all', version: 1 }
    } catch (error) {
      if (isRefusedByCondition(error)) return undefined
      throw error
    }
  }

  #cardOf(item: Readonly<Record<string, AttributeValue>>): TableCard {
    const { options } = this.#table
    const format = Number(item[ATTRIBUTES.format]?.N)
    const settings = item[ATTRIBUTES.settings]?.M
    if (format !== FORMAT || settings === undefined) {
      throw new IsothermError(
        'card.format',
        `The card of ${options.name} in ${options.shardMap} has format ${item[ATTRIBUTES.format]?.N ?? 'none'}; this version reads format ${FORMAT}. Use a version of isotherm that knows it.`,
        { table: options.name, format },
      )
    }
    const keys = item[ATTRIBUTES.keys]
    return {
      settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value.S ?? ''])),
      listed:
        item[ATTRIBUTES.all]?.BOOL === true
          ? 'all'
          : new Set([
              ...(keys?.SS ?? []),
              ...(keys?.BS ?? []).map((B) => keyText({ B } as SuffixableKey as LogicalKey)),
            ]),
      version: Number(item[ATTRIBUTES.version]?.N ?? 0),
      made: item[ATTRIBUTES.made]?.S,
      table: item[ATTRIBUTES.table]?.S,
      shardMap: item[ATTRIBUTES.shardMap]?.S,
      isRebuilt: item[ATTRIBUTES.rebuilt]?.BOOL,
    }
  }

  #item(like: LogicalKey): { readonly TableName: string; readonly Key: Record<string, AttributeValue> } {
    const { shardMap, partitionKey } = this.#table.options
    return { TableName: shardMap, Key: { [partitionKey]: keyLike(like, CARD_KEY) } }
  }
}

function bytesOf(keys: ReadonlySet<string>): number {
  let bytes = 0
  for (const key of keys) bytes += key.length
  return bytes
}

function setOf(key: LogicalKey): AttributeValue {
  return 'S' in key ? { SS: [key.S] } : { BS: [key.B] }
}

function plainValue(key: LogicalKey): AttributeValue {
  return 'S' in key ? { S: key.S } : { B: key.B }
}
