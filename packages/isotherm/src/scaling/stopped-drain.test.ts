import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { expect, it } from 'vitest'
import { watchRequests } from '../../test/sent-requests.js'
import { scanned, shardedEngine } from '../../test/sharded-engine.js'
import { dynamicShards } from './shards.js'

const ITEMS = 30
const MOVED = 7

it('a drain that is stopped within a page reports the items of the page that have moved', async () => {
  const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards({ quiet: false }) })
  const { clock, client } = engine
  await clock.run(async () => {
    const db = engine.process()
    const shards = db.shards('log', 'k')
    await shards.set(2)
    for (let sk = 0; sk < ITEMS; sk++) {
      const Item = { pk: { S: 'k_2' }, sk: { N: String(sk) } }
      await client.send(new PutItemCommand({ TableName: 'log', Item }))
    }
    await shards.set(1)
    const stop = new AbortController()
    let moves = 0
    watchRequests(client, {
      before: ({ operation }) => {
        if (operation !== 'TransactWriteItems') return
        moves += 1
        if (moves > MOVED) stop.abort(new Error('stopped'))
      },
    })
    let reported = 0
    // At this rate, items move one by one.
    const options = { unitsPerSecond: 10, signal: stop.signal }
    await expect(shards.drain({ ...options, onProgress: ({ moved }) => (reported = moved) })).rejects.toThrow(
      'stopped',
    )
    const left = (await scanned(client, 'log')).filter(({ pk }) => pk?.S === 'k_2')
    expect(ITEMS - left.length).toBeGreaterThanOrEqual(MOVED)
    expect(reported).toBe(MOVED)
  })
  await engine.close()
})
