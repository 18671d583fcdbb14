import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  TransactGetItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { dynamicShards } from '../scaling/shards.js'

const TableName = 'log'
const TABLE = { suffix: 'calculated', shards: dynamicShards({ initial: 2 }) } as const
const ITEMS = Array.from({ length: 8 }, (_, number) => ({ pk: { S: 'k' }, sk: { N: String(number) } }))
const [FIRST] = ITEMS

const TOGETHER = new TransactGetItemsCommand({
  TransactItems: ITEMS.map((Key) => ({ Get: { TableName, Key } })),
})

it.each([
  ['GetItem', new GetItemCommand({ TableName, Key: FIRST, ConsistentRead: true })],
  [
    'BatchGetItem',
    new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: ITEMS, ConsistentRead: true } } }),
  ],
  ['TransactGetItems', TOGETHER],
])(
  '%s that is consistent fails while the shard map does not answer, rather than miss items that have moved',
  async (_name, read) => {
    const { clock, client, process, close } = await shardedEngine(TABLE)
    let isOut = false
    const send: DynamoDBClient['send'] = async (command: never, options: never) => {
      const { TableName: asked } = (command as GetItemCommand).input
      if (isOut && asked === 'log_shard_map') {
        throw Object.assign(new Error('denied'), { name: 'AccessDeniedException', $metadata: {} })
      }
      return client.send(command, options)
    }
    const reader = isotherm<DynamoDBClient>(Object.create(client, { send: { value: send } }), {
      tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...TABLE } },
      clock,
      random: new SeededRandom(9),
    })
    await clock.run(async () => {
      const writer = process()
      for (const Item of ITEMS) await writer.send(new PutItemCommand({ TableName, Item }))
      // The reader knows the key, and could use what it knows for `staleReads`.
      const { Responses } = await reader.send(TOGETHER)
      expect(Responses?.filter(({ Item }) => Item)).toHaveLength(ITEMS.length)
      isOut = true
      const shards = writer.shards(TableName, 'k')
      await shards.set(7)
      expect(await shards.drain()).toBe('settled')
      await expect(reader.send(read as GetItemCommand)).rejects.toMatchObject({
        code: 'shard-map.unavailable',
      })
    })
    await close()
  },
)
