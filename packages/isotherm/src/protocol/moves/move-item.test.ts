import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { scanned, shardedEngine } from '../../../test/sharded-engine.js'
import { dynamicShards } from '../../scaling/shards.js'
import { MOVE_ATTRIBUTES } from './move-attributes.js'
import { newMoveName } from './move-name.js'

describe('an item that a pass finds marked', () => {
  it('is read and not marked again, which a full partition would charge', async () => {
    const engine = await shardedEngine({ suffix: 'random', shards: dynamicShards(), transactions: false })
    const { client, clock } = engine
    const db = engine.process()
    let marks = 0
    client.middlewareStack.add(
      (next) => (args) => {
        if (
          (args.input as { TableName?: string; UpdateExpression?: string }).UpdateExpression?.includes(
            'moving',
          )
        )
          marks += 1
        return next(args)
      },
      { step: 'initialize', name: 'count-marks' },
    )
    await clock.run(async () => {
      const shards = db.shards('log', 'k')
      await shards.set(2)
      const item = (sk: number) => ({ pk: { S: 'k_2' }, sk: { N: String(sk) } })
      const mark = { [MOVE_ATTRIBUTES.moving]: { S: newMoveName(new SeededRandom(7), 1).text } }
      await client.send(new PutItemCommand({ TableName: 'log', Item: { ...item(1), ...mark } }))
      await client.send(new PutItemCommand({ TableName: 'log', Item: item(2) }))
      await shards.set(1)
      expect(await shards.drain()).toBe('settled')
      const items = await scanned(client, 'log')
      expect(items.map(({ pk, sk }) => `${pk?.S} ${sk?.N}`).sort()).toEqual(['k_1 1', 'k_1 2'])
    })
    expect(marks).toBe(1)
    db.destroy()
    await engine.close()
  })
})
