import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { VirtualClock } from '@isotherm/runtime'
import { fixedShards, isotherm } from 'isotherm'
import { describe, expect, it } from 'vitest'
import { processKeys } from './process-keys.js'

/** The figures of a process are of this long. */
const WINDOW_SECONDS = 5

describe('the hottest keys of a process', () => {
  it('were asked for what they accepted, also where the answers of earlier requests came late', async () => {
    const clock = new VirtualClock(1_800_000_000_000)
    const local = createLocal({ clock })
    const client = local.client()
    await client.send(createTable('log', ['pk', 'sk']))
    client.middlewareStack.add(
      (next) => async (args) => {
        await clock.sleep((WINDOW_SECONDS + 1) * 1_000)
        return next(args)
      },
      { step: 'build' },
    )
    const tables = {
      log: { partitionKey: 'pk', sortKey: 'sk', suffix: 'random', shards: fixedShards(1) },
    } as const
    const db = isotherm(client, { tables, clock })
    const put = (sk: string) =>
      db.send(new PutItemCommand({ TableName: 'log', Item: { pk: { S: '/sale' }, sk: { S: sk } } }))
    await clock.run(() => Promise.all(Array.from({ length: 40 }, (_, at) => put(String(at)))))
    const [now] = processKeys(db, 'log', undefined).writes
    expect(now).toMatchObject({ key: '/sale', offered: 8, accepted: 8, throttled: 0 })
    await local.close()
  })
})
