import { CreateTableCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLocal, type Local } from './local.js'
import { overTurns } from './storage/over-turns.js'
import { MachineClock } from './timers/machine-clock.js'

let local: Local

beforeEach(async () => {
  local = createLocal()
  await local.client().send(
    new CreateTableCommand({
      TableName: 'orders',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  )
  vi.useFakeTimers()
})

afterEach(async () => {
  vi.useRealTimers()
  await local.close()
})

describe('while a test fakes the timers of its process', () => {
  it('a transaction ends', async () => {
    const Put = { TableName: 'orders', Item: { id: { S: '1' } } }
    const { $metadata } = await local
      .client()
      .send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }))
    expect($metadata.httpStatusCode).toBe(200)
  })

  it('a throttled client tries again', async () => {
    const client = local.client()
    const Item = { id: { S: '1' }, text: { S: 'x'.repeat(390_000) } }
    const put = () => client.send(new PutItemCommand({ TableName: 'orders', Item }))
    let attempts = 1
    for (let puts = 0; attempts === 1 && puts < 2_000; puts++) {
      attempts = await put().then(
        ({ $metadata }) => $metadata.attempts ?? 1,
        (error) => error.$metadata.attempts,
      )
    }
    expect(attempts).toBeGreaterThan(1)
  })

  it('work over several turns of the event loop ends', async () => {
    function* steps(): Generator<undefined, string> {
      yield
      yield
      return 'done'
    }
    expect(await overTurns(steps())).toBe('done')
  })

  it('the clock passes', async () => {
    const clock = new MachineClock()
    const from = clock.now()
    await clock.sleep(5)
    expect(clock.now() - from).toBeGreaterThan(3)
  })
})

describe("the machine's clock", () => {
  it('ends a sleep whose signal aborts, with the reason', async () => {
    const abort = new AbortController()
    const sleeping = new MachineClock().sleep(3_600_000, abort.signal)
    abort.abort(new Error('enough'))
    await expect(sleeping).rejects.toThrow('enough')
    await expect(new MachineClock().sleep(1, abort.signal)).rejects.toThrow('enough')
  })

  it('sleeps for longer than a timer of Node lasts, until a signal aborts', async () => {
    const abort = new AbortController()
    const woken: string[] = []
    const clock = new MachineClock()
    const asleep = clock.sleep(60 * 86_400_000, abort.signal).catch((reason) => woken.push(reason))
    await clock.sleep(5)
    expect(woken).toEqual([])
    abort.abort('by a signal')
    await asleep
    expect(woken).toEqual(['by a signal'])
  })
})
