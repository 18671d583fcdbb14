import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { retryAtOnce } from '../../test/retry-at-once.js'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { hotPartitionError } from '../../test/throttling.js'
import { dynamicShards } from '../scaling/shards.js'

const ITEM = { pk: { S: 'k' }, sk: { N: '1' } }
const BEFORE = { shards: 5, lastUpdated: 1, history: ['1:5'] }

const WRITES = {
  put: new PutItemCommand({ TableName: 'log', Item: ITEM }),
  batch: new BatchWriteItemCommand({ RequestItems: { log: [{ PutRequest: { Item: ITEM } }] } }),
  // Creates the item in the shard determined by its sort key.
  update: new UpdateItemCommand({
    TableName: 'log',
    Key: ITEM,
    UpdateExpression: 'SET seen = :now',
    ExpressionAttributeValues: { ':now': { N: '7' } },
  }),
}

/**
 * A write whose first attempt gets no response, and takes effect at once or at the end. Then its process is suspended.
 */
async function resumed(
  write: keyof typeof WRITES,
  { movesItem = false, isLate = false, refuses = false, count = 5, history = ['1:5'] },
) {
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
    await engine.setState({ shards: count, lastUpdated, history })
    await clock.sleep(14_000)
  }
  retryAtOnce(client, meanwhile)
  let arrive: (() => Promise<unknown>) | undefined
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const isOther = 'TableName' in args.input && args.input.TableName === 'log_shard_map'
        if (isOther || commandName !== WRITES[write].constructor.name) return next(args)
        if (arrive !== undefined) return refuses ? refused(args.input) : next(args)
        arrive = async () => (isLate ? next(args) : undefined)
        if (!isLate) await next(args)
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
  await arrive?.()
  const places = (await scanned(client, 'log')).map(({ pk }) => pk?.S)
  await engine.close()
  return { outcome, places }
}

/** Throttles a put, or leaves the member of a batch unprocessed. */
function refused(input: object) {
  if (!('RequestItems' in input)) throw hotPartitionError()
  return { response: {}, output: { $metadata: {}, UnprocessedItems: input.RequestItems } }
}

describe.each(['put', 'batch', 'update'] as const)('a %s without a response before a long pause', (write) => {
  it.each([
    ['nothing has changed', {}],
    ['there are more shards', { count: 8, history: ['1:5', '2:8'] }],
  ])('continues in its shard where %s', async (_case, meanwhile) => {
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
  it('leaves no second copy if that attempt takes effect at the end', async () => {
    const { outcome, places } = await resumed(write, { isLate: true, count: 1, history: ['1:5', '2:1'] })
    expect(outcome).toBe('No answer came.')
    expect(places).toHaveLength(1)
  })
})

describe.each(['put', 'batch'] as const)(
  'a %s without a response that is throttled from then on',
  (write) => {
    it('is not reported as rejected, because it would then be written again elsewhere', async () => {
      const { outcome, places } = await resumed(write, { refuses: true })
      expect(outcome).toBe('No answer came.')
      expect(places).toHaveLength(1)
    })
  },
)
