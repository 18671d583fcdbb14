import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal, SPENT_INDEXES } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

const ITEM_UNITS = 10
const UNITS_PER_SECOND = 2_000
const SECONDS = 40

/**
 * Puts items with one status into an on-demand table, at a higher rate than one partition of an index accepts. @returns
 * the accepted share
 */
async function acceptedShare(shards: number | undefined): Promise<number> {
  const clock = new VirtualClock()
  const local = createLocal({ ...SPENT_INDEXES, clock, random: new SeededRandom(1), metrics: false })
  const client = await warmedUp(local.client({ maxAttempts: 1 }))
  const index = { partitionKey: 'status', sortKey: 'at', shards: fixedShards(shards ?? 1) }
  const db =
    shards === undefined
      ? client
      : isotherm(client, {
          tables: { files: { partitionKey: 'file', indexes: { by_status: index } } },
          clock,
        })
  const indexKey = shards === undefined ? 'status' : 'isotherm_by_status'
  const text = { S: 'x'.repeat(ITEM_UNITS * 1_024 - 200) }
  const offered = (UNITS_PER_SECOND / ITEM_UNITS) * SECONDS
  let accepted = 0
  await clock.run(async () => {
    await client.send(createTable('files', ['file'], { global: { by_status: [indexKey, 'at:N'] } }))
    const writes: Promise<unknown>[] = []
    for (let at = 0; at < offered; at++) {
      await clock.sleep((SECONDS * 1_000) / offered)
      const Item = { file: { S: `file ${at}` }, status: { S: 'open' }, at: { N: String(at) }, text }
      const write = db.send(new PutItemCommand({ TableName: 'files', Item }))
      writes.push(
        write.then(
          () => {
            accepted += 1
          },
          () => {},
        ),
      )
    }
    await Promise.all(writes)
  })
  await local.close()
  return accepted / offered
}

describe('an index with one value', () => {
  it('throttles the writes of its table, but not with 12 shards', async () => {
    const [plain, sharded] = [await acceptedShare(undefined), await acceptedShare(12)]
    expect(plain).toBeLessThan(0.7)
    expect(sharded).toBe(1)
  }, 120_000)
})
