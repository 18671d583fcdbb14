import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from '../scaling/shards.js'

const ITEM = { pk: { S: 'k' }, sk: { N: '1' } }

it('returns the deleted item, even if the shard map is read again before further copies are deleted', async () => {
  const shards = dynamicShards({ initial: 5, quiet: false })
  const engine = await shardedEngine({ suffix: 'random', shards, cacheTtl: '10s' })
  const { clock, client } = engine
  const db = engine.process()
  for (const pk of ['k_2', 'k_4']) {
    const Item = { ...ITEM, pk: { S: pk }, text: { S: pk } }
    await client.send(new PutItemCommand({ TableName: 'log', Item }))
  }
  let deletions = 0
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'DeleteItemCommand' && ++deletions === 2) await clock.sleep(11_000)
        return next(args)
      },
    { step: 'build', name: 'slow' },
  )
  const deletion = new DeleteItemCommand({
    TableName: 'log',
    Key: ITEM,
    ConditionExpression: 'attribute_exists(pk)',
    ReturnValues: 'ALL_OLD',
  })
  const { Attributes } = await clock.run(() => db.send(deletion))
  expect(Attributes).toEqual({ ...ITEM, text: { S: 'k_2' } })
  expect(await scanned(client, 'log')).toEqual([])
  await engine.close()
})
