import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { createLocal } from '../local.js'

/** A table with one write unit per second, and a client for it, on virtual time. */
async function smallTable(clock: VirtualClock, maxAttempts?: number) {
  const local = createLocal({ clock, random: new SeededRandom(3) })
  const client = local.client(maxAttempts === undefined ? {} : { maxAttempts })
  await client.send(createTable('small', ['pk'], { units: 1 }))
  const put = () => client.send(new PutItemCommand({ TableName: 'small', Item: { pk: { S: 'a' } } }))
  return { put, local }
}

describe('the retries of an in-process client', () => {
  it('wait on the virtual clock until there is capacity again', async () => {
    const clock = new VirtualClock()
    await clock.run(async () => {
      const { put } = await smallTable(clock)
      await put()
      const from = clock.now()
      const { $metadata } = await put()
      expect($metadata.attempts).toBeGreaterThan(1)
      expect(clock.now() - from).toBeGreaterThan(0)
      expect($metadata.totalRetryDelay).toBeCloseTo(clock.now() - from)
    })
  })

  it('stop after four attempts, as the SDK does for DynamoDB', async () => {
    const clock = new VirtualClock()
    await clock.run(async () => {
      const { put } = await smallTable(clock)
      const failures = (await Promise.allSettled(Array.from({ length: 30 }, put))).flatMap((result) =>
        result.status === 'rejected' ? [result.reason] : [],
      )
      expect(failures.length).toBeGreaterThan(0)
      for (const failure of failures) {
        expect(failure.name).toBe('ProvisionedThroughputExceededException')
        expect(failure.$metadata.attempts).toBe(4)
      }
    })
  })

  it('share one budget, which one hot key uses up for all keys of the client', async () => {
    const clock = new VirtualClock()
    await clock.run(async () => {
      const { put } = await smallTable(clock)
      await Promise.allSettled(Array.from({ length: 200 }, put))
      const [late] = await Promise.allSettled([put(), put()].slice(1))
      expect(late).toMatchObject({ status: 'rejected', reason: { $metadata: { attempts: 1 } } })
    })
  })

  it('can be switched off', async () => {
    const clock = new VirtualClock()
    await clock.run(async () => {
      const { put } = await smallTable(clock, 1)
      await put()
      await expect(put()).rejects.toMatchObject({ $metadata: { attempts: 1 } })
    })
  })
})
