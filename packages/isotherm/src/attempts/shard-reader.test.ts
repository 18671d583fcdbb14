import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type Answer, answerWith, ScriptedClient, serviceError } from '../../test/scripted-client.js'
import { hotPartitionError } from '../../test/throttling.js'
import type { SendingTable } from './sending-table.js'
import { ShardReader } from './shard-reader.js'

const REASON = 'TableWriteKeyRangeThroughputExceeded'
const INPUT = { TableName: 'log', KeyConditionExpression: 'pk = :k' }

function readerOf(
  answers: readonly Answer[],
  {
    replica,
    maxAttempts = 5,
    retryMilliseconds = 10_000,
  }: { replica?: string; maxAttempts?: number; retryMilliseconds?: number } = {},
) {
  const clock = new VirtualClock(0)
  const scripted = new ScriptedClient(...answers)
  const options = { name: 'log', maxAttempts, retryMilliseconds }
  const table = { client: scripted.client, clock, random: new SeededRandom(1), options }
  const throttles: unknown[] = []
  const caller = new AbortController()
  const carried: unknown[] = []
  const request = { carryMiddleware: (to: unknown) => carried.push(to) }
  const reader = new ShardReader(
    table as unknown as SendingTable,
    request as never,
    undefined,
    caller.signal,
    replica,
  )
  const send = (input: object = INPUT) =>
    reader.send(input as typeof INPUT, (reasons, index) => throttles.push([...reasons, index]))
  return { clock, scripted, reader, send, throttles, caller, carried }
}

describe('a request of a query', () => {
  it('is sent again while it is throttled, and its answer counts all attempts', async () => {
    const { clock, scripted, send, throttles, carried, caller } = readerOf([
      hotPartitionError(),
      answerWith({ Count: 7 }),
    ])
    await clock.run(async () => {
      expect(await send()).toMatchObject({ Count: 7, $metadata: { attempts: 2 } })
    })
    expect(throttles).toEqual([[REASON, undefined]])
    expect(carried).toHaveLength(1)
    expect(scripted.requests[0]?.options).toEqual({ abortSignal: caller.signal })
  })

  it('tells the index that was throttled', async () => {
    const { clock, send, throttles } = readerOf([hotPartitionError(), answerWith()])
    await clock.run(() => send({ ...INPUT, IndexName: 'by-date' }))
    expect(throttles).toEqual([[REASON, 'by-date']])
  })

  it('has its own attempts, and shares the time of the query', async () => {
    const { clock, scripted, send } = readerOf([hotPartitionError()], {
      maxAttempts: 3,
      retryMilliseconds: 500,
    })
    await clock.run(async () => {
      await expect(send()).rejects.toMatchObject({ name: 'ThrottlingException', $metadata: { attempts: 3 } })
      await expect(send()).rejects.toThrow()
      expect(scripted.attempts).toBe(6)
      await clock.sleep(500)
      await expect(send()).rejects.toThrow()
      expect(scripted.attempts).toBe(7)
    })
  })

  it('fails at once with any other error', async () => {
    const { clock, scripted, send } = readerOf([serviceError('ValidationException')])
    await clock.run(() => expect(send()).rejects.toMatchObject({ name: 'ValidationException' }))
    expect(scripted.attempts).toBe(1)
  })
})

describe('a query of a replica', () => {
  const replica = 'copy'

  it('asks the index instead of the table', async () => {
    const { clock, scripted, reader, send } = readerOf([answerWith({ Count: 7 })], { replica })
    await clock.run(async () => expect(await send()).toMatchObject({ Count: 7 }))
    expect(scripted.requests.map(({ input }) => input.IndexName)).toEqual(['copy'])
    expect(reader.isAtSource).toBe(false)
  })

  it.each([
    ['a throttle', hotPartitionError(), [[REASON, 'copy']]],
    ['any other error', serviceError('ValidationException'), []],
  ])('asks the table from the first error of the index on: %s', async (_what, error, seen) => {
    const { clock, scripted, reader, send, throttles } = readerOf([error, answerWith()], { replica })
    await clock.run(async () => {
      await send()
      await send()
    })
    expect(scripted.requests.map(({ input }) => input.IndexName)).toEqual(['copy', undefined, undefined])
    expect(throttles).toEqual(seen)
    expect(reader.isAtSource).toBe(true)
  })

  it('ends if the application aborts it', async () => {
    const { clock, scripted, send, caller } = readerOf([serviceError('AbortError')], { replica })
    scripted.onAttempt = () => caller.abort()
    await clock.run(() => expect(send()).rejects.toMatchObject({ name: 'AbortError' }))
    expect(scripted.attempts).toBe(1)
  })
})
