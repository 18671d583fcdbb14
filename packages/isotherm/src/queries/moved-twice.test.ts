import {
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const SHARDS = [5, 3, 1] as const

/** Callbacks that run just before a page's query of a shard is answered, by shard. */
type Meanwhile = Partial<Record<number, () => Promise<void>>>

/** A key that had five shards, then three, then one, with one item in the fifth shard. */
async function twiceRetired(): Promise<ShardedEngine> {
  const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards() })
  await engine.setState({
    shards: 1,
    lastUpdated: 12,
    history: SHARDS.map((count, index) => `${10 + index}:${count}`),
  })
  await update(engine, 5, 'SET colour = :red', { ':red': { S: 'red' } })
  return engine
}

function update(
  { client }: ShardedEngine,
  shard: number,
  text: string,
  values: Record<string, { S: string }>,
) {
  return client.send(
    new UpdateItemCommand({
      TableName: 'log',
      Key: { pk: { S: `k_${shard}` }, sk: { N: '1' } },
      UpdateExpression: text,
      ExpressionAttributeValues: values,
    }),
  )
}

/** Marks the item like a process that drains the shard. The next update of the item completes the move. */
async function move(engine: ShardedEngine, source: number, target: number): Promise<void> {
  await update(engine, source, 'SET isotherm_moving = :name', { ':name': { S: `${target}:1` } })
  const Key = { pk: { S: 'k' }, sk: { N: '1' } }
  await engine
    .process()
    .send(new UpdateItemCommand({ TableName: 'log', Key, UpdateExpression: 'REMOVE no_such' }))
}

function interrupt({ client }: ShardedEngine, meanwhile: Meanwhile): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'QueryCommand') {
          const { ExpressionAttributeValues } = args.input as QueryCommandInput
          const physical = Object.values(ExpressionAttributeValues ?? {}).find(({ S }) => S !== undefined)?.S
          await meanwhile[Number(physical?.slice('k_'.length))]?.()
        }
        return next(args)
      },
    { step: 'initialize' },
  )
}

async function pageWhile(meanwhile: (engine: ShardedEngine) => Meanwhile): Promise<void> {
  const engine = await twiceRetired()
  interrupt(engine, meanwhile(engine))
  await engine.clock.run(async () => {
    const { Items } = await engine.process().send(
      new QueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'k' } },
      }),
    )
    expect(Items).toEqual([{ pk: { S: 'k' }, sk: { N: '1' }, colour: { S: 'red' } }])
    expect((await scanned(engine.client, 'log')).map(({ pk }) => pk)).toEqual([{ S: 'k_1' }])
  })
  await engine.close()
}

describe('an item that is moved twice is returned once', () => {
  it('when the second move happens while the page is read', async () => {
    await pageWhile((engine) => ({ 5: () => move(engine, 5, 3), 1: () => move(engine, 3, 1) }))
  })

  it('when the page reads it in each of its three shards', async () => {
    await pageWhile((engine) => ({ 3: () => move(engine, 5, 3), 1: () => move(engine, 3, 1) }))
  })

  it('when the page reads it in the first and the last of them', async () => {
    await pageWhile((engine) => ({
      1: async () => {
        await move(engine, 5, 3)
        await move(engine, 3, 1)
      },
    }))
  })
})

describe('an item that is moved, and then replaced, while a page is read is returned once', () => {
  const Put = {
    TableName: 'log',
    Item: { pk: { S: 'k' }, sk: { N: '1' }, colour: { S: 'red' } },
    ConditionExpression: 'attribute_exists(pk)',
  }

  it.each([
    ['put', new PutItemCommand(Put)],
    ['put in a transaction', new TransactWriteItemsCommand({ TransactItems: [{ Put }] })],
  ])('by a %s', async (_name, command) => {
    await pageWhile((engine) => ({
      1: async () => {
        await move(engine, 5, 1)
        await engine.process().send(command as PutItemCommand)
      },
    }))
  })
})
