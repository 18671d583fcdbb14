import { BatchWriteItemCommand, DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { retryAtOnce } from '../../test/retry-at-once.js'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../options/shards.js'

const ITEM = { pk: { S: 'k' }, sk: { N: '1' } }
const BEFORE = { shards: 5, lastUpdated: 1, history: ['1:5'], change: undefined }

const WRITES = {
  put: new PutItemCommand({ TableName: 'log', Item: ITEM }),
  batch: new BatchWriteItemCommand({ RequestItems: { log: [{ PutRequest: { Item: ITEM } }] } }),
}

/** A write whose first attempt is carried out and goes without an answer. Then its process stands still. */
async function resumed(write: keyof typeof WRITES, { movesItem = false, count = 5, history = ['1:5'] }) {
  const shards = dynamicShards({ quiet: false })
  const engine = await shardedEngine({ suffix: 'random', shards, cacheTtl: '10s' })
  const { clock, client } = engine
  await engine.setState(BEFORE)
  const db = engine.process()

  const meanwhile = async () => {
    const [stored] = await scanned(client, 'log')
    if (movesItem && stored !== undefined) {
      const { pk, sk } = stored
      await client.send(new DeleteItemCommand({ TableName: 'log', Key: { pk, sk } as typeof ITEM }))
      await client.send(new PutItemCommand({ TableName: 'log', Item: { ...stored, pk: { S: 'k_1' } } }))
    }
    const lastUpdated = Number(history.at(-1)?.split(':')[0])
    await engine.setState({ shards: count, lastUpdated, history, change: undefined })
    await clock.sleep(14_000)
  }
  retryAtOnce(client, meanwhile)
  let isLost = false
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const output = await next(args)
        if (isLost || commandName !== WRITES[write].constructor.name) return output
        isLost = true
        throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
      },
    { step: 'deserialize', priority: 'high', name: 'lost' },
  )

  const outcome = await clock.run(() =>
    db.send(WRITES[write] as PutItemCommand).then(
      () => 'written',
      (error: Error) => error.message,
    ),
  )
  const places = (await scanned(client, 'log')).map(({ pk }) => pk?.S)
  await engine.close()
  return { outcome, places }
}

describe.each(['put', 'batch'] as const)('a %s that went without an answer before a long pause', (write) => {
  it.each([
    ['nothing has changed', {}],
    ['there are more shards', { count: 8, history: ['1:5', '2:8'] }],
  ])('goes on into its shard where %s', async (_case, meanwhile) => {
    const { outcome, places } = await resumed(write, meanwhile)
    expect(outcome).toBe('written')
    expect(places).toEqual([expect.stringMatching(/^k_[2-5]$/)])
  })

  it.each([
    ['is not in use any more', { count: 1, history: ['1:5', '2:1'] }],
    ['was given up and is back', { history: ['1:5', '2:1', '9:5'] }],
    ['was given up, forgotten and is back', { history: ['5:1', '9:5'] }],
  ])('ends with the error of that attempt where its shard %s', async (_case, meanwhile) => {
    const { outcome, places } = await resumed(write, { movesItem: true, ...meanwhile })
    expect(outcome).toBe('No answer came.')
    expect(places).toEqual(['k_1'])
  })
})
