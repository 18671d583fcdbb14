import { DescribeTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { IsothermError } from '../errors/isotherm-error.js'
import { requireUnshardedClient } from '../options/given-client.js'
import { defaultShardMapName } from '../options/sharded-table.js'
import { CARD_KEY, cardOf } from '../protocol/index.js'
import { dynamicShards } from '../scaling/shards.js'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { calculated } from '../writes/calculated.js'
import type { ShardedTableOptions } from './options.js'

const CALCULATED = 'calculated from '

/** A table whose options are read. */
export interface OptionsOnCardRequest {
  /** The table's name. */
  readonly table: string
  /** The name of its shard map. The default is `<table>_shard_map`. */
  readonly shardMap?: string
}

/**
 * Reads from the card of a table how it is sharded, for tools that do not have the options of the application. The count of every key is
 * read from the shard map later, as always. The result has no `cacheTtl` and `lateRequests`, which are not on the card.
 *
 * @param client a `DynamoDBClient` that is not sharded
 * @returns options for `isotherm`, with `dynamicShards` that removes no shards by itself; `undefined` if there is no shard map, or no
 * card in it
 * @throws IsothermError `card.format` if a later version has written the card; `card.unreadable` if the suffix is calculated by a
 * function of the application; the SDK's errors
 * @example
 * const options = await optionsOnCard(client, { table: 'orders' })
 * if (options !== undefined) await isotherm(client, { tables: { orders: options } }).migrate('orders', { initial: 8 })
 */
export async function optionsOnCard(
  client: { readonly config: object; readonly middlewareStack: object },
  { table, shardMap = defaultShardMapName(table) }: OptionsOnCardRequest,
): Promise<ShardedTableOptions | undefined> {
  requireUnshardedClient(client)
  const key = await keyOf(client as unknown as PhysicalClient, shardMap)
  if (key === undefined) return undefined
  const { Item } = await (client as unknown as PhysicalClient).send(
    new GetItemCommand({
      TableName: shardMap,
      Key: { [key.name]: key.type === 'B' ? { B: Buffer.from(CARD_KEY) } : { S: CARD_KEY } },
      ConsistentRead: true,
    }),
  )
  if (Item === undefined) return undefined
  const { settings, initial } = cardOf({ name: table, shardMap }, Item)
  const { partitionKey = key.name, sortKey, suffix = '', delimiter = '_', adopt } = settings
  // The options of an adopted table with a calculated suffix always begin with one shard. Of one that was migrated, the count of the card is
  // what holds.
  const isOne = adopt === 'true' && suffix !== 'random'
  const first = isOne ? 1 : Number(settings.initial ?? initial.shards)
  return {
    partitionKey,
    ...(sortKey === undefined ? {} : { sortKey }),
    suffix: suffix === 'random' ? 'random' : calculatedFrom(table, suffix),
    shards: dynamicShards({ initial: first, max: 1_000, quiet: false }),
    shardMap,
    delimiter,
    adopt: adopt === 'true',
  }
}

function calculatedFrom(table: string, suffix: string) {
  if (suffix.startsWith(CALCULATED)) return calculated({ from: suffix.slice(CALCULATED.length).split(', ') })
  throw new IsothermError(
    'card.unreadable',
    `The card of ${table} says that its suffix is ${suffix}. Only the application has that function: use the library there.`,
    { table, suffix },
  )
}

async function keyOf(
  client: PhysicalClient,
  TableName: string,
): Promise<{ readonly name: string; readonly type: string | undefined } | undefined> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }))
    const name = Table?.KeySchema?.[0]?.AttributeName
    if (name === undefined) return undefined
    const type = Table?.AttributeDefinitions?.find((each) => each.AttributeName === name)?.AttributeType
    return { name, type }
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined
    throw error
  }
}
