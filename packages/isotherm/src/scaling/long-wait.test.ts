import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import { dynamicShards } from './shards.js'

const MINUTE = 60_000
const OPTIONS = {
  suffix: 'calculated',
  shards: dynamicShards({ quiet: false }),
  cacheTtl: '10s',
  lateRequests: '5m',
} as const

/** A clock that is set forward after the given time. Its timers are unaffected. */
function setForward(clock: Clock, afterMilliseconds: number, byMilliseconds: number): Clock {
  const from = clock.now()
  const isSet = () => clock.now() - from >= afterMilliseconds
  return {
    now: () => clock.now() + (isSet() ? byMilliseconds : 0),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
  }
}

describe('a phase of a change that lasts for minutes', () => {
  it.each([0, 20 * MINUTE])('is not shortened by a calendar that is set forward by %i ms', async (jump) => {
    const { client, clock } = await shardedEngine(OPTIONS)
    const elapsed = await clock.run(async () => {
      const db = isotherm<DynamoDBClient>(client, {
        tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...OPTIONS } },
        clock: setForward(clock, 1.5 * MINUTE, jump),
      })
      const from = clock.now()
      const shards = db.shards('log', 'k')
      await shards.set(2)
      await shards.drain()
      db.destroy()
      return clock.now() - from
    })
    const phase = 5 * MINUTE + 10_000
    expect(elapsed).toBeGreaterThanOrEqual(2 * phase)
    expect(elapsed).toBeLessThan(2 * phase + MINUTE)
  })
})
