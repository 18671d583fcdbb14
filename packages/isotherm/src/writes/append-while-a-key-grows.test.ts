import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { retryAtOnce } from '../../test/retry-at-once.js'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

it('a put without a response is sent again to its shard, although its key has got a count of its own since', async () => {
  const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards() })
  const { client, clock } = engine
  const [writer, other] = [engine.process(), engine.process()] as const
  const at: string[] = []
  client.middlewareStack.add(
    (next) => async (args) => {
      const { TableName, Item } = args.input as { TableName?: string; Item?: { pk?: { S?: string } } }
      const answer = await next(args)
      if (TableName !== 'log' || Item?.pk?.S === undefined) return answer
      at.push(Item.pk.S)
      if (at.length > 1) return answer
      // The view that the put was sent on has ended by then.
      await clock.sleep(31_000)
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' })
    },
    { step: 'deserialize', priority: 'high', name: 'lost-response' },
  )
  retryAtOnce(client)
  await clock.run(async () => {
    const put = writer.send(
      new PutItemCommand({ TableName: 'log', Item: { pk: { S: 'k' }, sk: { N: '1' } } }),
    )
    await clock.sleep(5_000)
    await other.shards('log', 'k').set(4)
    await put
  })
  expect(at).toEqual(['k_1', 'k_1'])
  expect(await scanned(client, 'log')).toHaveLength(1)
  for (const process of [writer, other]) process.destroy()
  await engine.close()
})
