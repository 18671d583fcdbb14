import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { type QueueOptions, queue, queueTable } from './index.js'

const options = { table: 'jobs', partitionKey: 'id', lease: '30s', shards: 2 } as const
const untilEmpty = { untilEmpty: true } as const

async function engineWith(given: Partial<QueueOptions> = {}) {
  const engine = await patternEngine([new CreateTableCommand(queueTable(options))], { throttle: false })
  const { clock, client } = engine
  const failing = failQueries(client)
  const jobs = queue<number>(client, { ...options, clock, random: new SeededRandom(1), ...given })
  return { ...engine, failing, jobs }
}

/** A worker that goes on does one more job, and is stopped. */
async function expectOneMore(
  { clock, jobs }: Awaited<ReturnType<typeof engineWith>>,
  work: Promise<unknown>,
  stop: AbortController,
) {
  await jobs.enqueue(1)
  await clock.sleep(5_000)
  stop.abort()
  expect(await work).toMatchObject({ done: 1 })
}

/** Makes queries fail with an error, as long as there is one. Only the first `spared` of them are answered. */
function failQueries(client: DynamoDBClient) {
  const failing = { error: undefined as Error | undefined, spared: 0, queries: 0 }
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'QueryCommand') return next(args)
        failing.queries += 1
        failing.spared -= 1
        if (failing.error !== undefined && failing.spared < 0) throw failing.error
        return next(args)
      },
    { step: 'initialize', name: 'failQueries' },
  )
  return failing
}

const noAnswer = () => Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
const ofService = (name: string, more: object = {}) =>
  Object.assign(new Error('bad'), { name, $fault: 'client', $metadata: { httpStatusCode: 400 }, ...more })

describe('a worker that cannot claim', () => {
  it('does not report an empty queue, but throws the error after the timeout', async () => {
    const { clock, failing, jobs } = await engineWith({ timeout: '10s' })
    await clock.run(async () => {
      for (let n = 0; n < 10; n++) await jobs.enqueue(n)
      failing.error = noAnswer()
      const from = clock.now()
      await expect(jobs.work(async () => {}, untilEmpty)).rejects.toThrow('No answer came.')
      expect(clock.now() - from).toBeGreaterThanOrEqual(10_000)
      expect(clock.now() - from).toBeLessThan(12_000)
      failing.error = undefined
      expect(await jobs.work(async () => {}, untilEmpty)).toMatchObject({ done: 10 })
    })
  })

  it('works until nothing is due if the failures end before the timeout, whatever the poll interval', async () => {
    const { clock, failing, jobs } = await engineWith({ timeout: '10s' })
    await clock.run(async () => {
      for (let n = 0; n < 10; n++) await jobs.enqueue(n)
      failing.error = noAnswer()
      const from = clock.now()
      const work = jobs.work(async () => {}, { untilEmpty: true, pollInterval: '1h' })
      await clock.sleep(5_000)
      failing.error = undefined
      expect(await work).toMatchObject({ done: 10 })
      expect(clock.now() - from).toBeLessThan(10_000)
    })
  })

  it('without untilEmpty waits for a service that does not answer, however long', async () => {
    const { clock, failing, jobs } = await engineWith()
    await clock.run(async () => {
      await jobs.enqueue(1)
      failing.error = noAnswer()
      const stop = new AbortController()
      const work = jobs.work(async () => {}, { signal: stop.signal })
      await clock.sleep(3_600_000)
      failing.error = undefined
      await clock.sleep(5_000)
      stop.abort()
      expect(await work).toMatchObject({ done: 1 })
    })
  })

  it('works on what it has claimed in one shard of the index when another cannot be read', async () => {
    const { clock, failing, jobs } = await engineWith({ timeout: 0 })
    await clock.run(async () => {
      for (let n = 0; n < 10; n++) await jobs.enqueue(n)
      failing.error = noAnswer()
      failing.spared = 1
      const worked: number[] = []
      const work = jobs.work(
        async ({ payload }) => {
          worked.push(payload)
        },
        { untilEmpty: true, concurrency: 10 },
      )
      await expect(work).rejects.toThrow('No answer came.')
      expect(worked.length).toBeGreaterThan(0)
      expect((await allStats(failing, jobs)).later).toBe(0)
    })
  })

  it.each([
    ['SerializationException', ofService('SerializationException')],
    ['AccessDeniedException', ofService('AccessDeniedException')],
  ])('throws %s at once, because no wait would cure it', async (name, error) => {
    const { clock, failing, jobs } = await engineWith()
    await clock.run(async () => {
      failing.error = error
      const from = clock.now()
      await expect(jobs.work(async () => {})).rejects.toMatchObject({ name })
      await expect(jobs.work(async () => {}, untilEmpty)).rejects.toMatchObject({ name })
      expect(clock.now() - from).toBeLessThan(100)
    })
  })

  it.each([
    'ExpiredTokenException',
    'UnrecognizedClientException',
    'InvalidSignatureException',
    'CredentialsProviderError',
    'TokenProviderError',
  ])('waits up to the timeout for the credentials of %s to be refreshed, then throws it', async (name) => {
    const world = await engineWith({ timeout: '10s' })
    const { clock, failing, jobs } = world
    await clock.run(async () => {
      const error = name.endsWith('Exception') ? ofService(name) : Object.assign(new Error(), { name })
      const stop = new AbortController()
      const work = jobs.work(async () => {}, { signal: stop.signal })
      for (let times = 0; times < 3; times++) {
        await clock.sleep(60_000)
        failing.error = error
        await clock.sleep(6_000)
        failing.error = undefined
      }
      await expectOneMore(world, work, stop)
      failing.error = error
      const from = clock.now()
      await expect(jobs.work(async () => {})).rejects.toMatchObject({ name })
      expect(clock.now() - from).toBeGreaterThanOrEqual(10_000)
      expect(clock.now() - from).toBeLessThan(12_000)
    })
  })

  it('gives credentials the whole timeout, however long it could not claim for other reasons before', async () => {
    const world = await engineWith({ timeout: '10s' })
    const { clock, failing, jobs } = world
    await clock.run(async () => {
      const withoutCredentials = Object.assign(new Error(), { name: 'CredentialsProviderError' })
      const stop = new AbortController()
      const work = jobs.work(async () => {}, { signal: stop.signal })
      failing.error = withoutCredentials
      await clock.sleep(6_000)
      for (let times = 0; times < 3; times++) {
        failing.error = ofService('ThrottlingException')
        await clock.sleep(60_000)
        failing.error = withoutCredentials
        await clock.sleep(6_000)
      }
      failing.error = undefined
      await expectOneMore(world, work, stop)
    })
  })

  it('with untilEmpty throws the error of the credentials as soon as all failures together last for the timeout', async () => {
    const { clock, failing, jobs } = await engineWith({ timeout: '10s' })
    await clock.run(async () => {
      failing.error = noAnswer()
      const from = clock.now()
      const work = jobs.work(async () => {}, untilEmpty)
      const ended = expect(work).rejects.toMatchObject({ name: 'CredentialsProviderError' })
      await clock.sleep(8_000)
      failing.error = Object.assign(new Error(), { name: 'CredentialsProviderError' })
      await ended
      expect(clock.now() - from).toBeGreaterThanOrEqual(10_000)
      expect(clock.now() - from).toBeLessThan(12_000)
    })
  })

  it.each([
    ['a throttle', ofService('ThrottlingException')],
    ['a transaction', ofService('TransactionConflictException')],
    ['another region', ofService('ReplicatedWriteConflictException', { $retryable: {} })],
    ['too many requests', ofService('Unknown', { $metadata: { httpStatusCode: 429 } })],
    ['a failure of the service', ofService('Unknown', { $metadata: { httpStatusCode: 502 } })],
  ])('takes %s for no mistake', async (_kind, error) => {
    const { clock, failing, jobs } = await engineWith()
    await clock.run(async () => {
      await jobs.enqueue(1)
      failing.error = error
      const stop = new AbortController()
      const work = jobs.work(async () => {}, { signal: stop.signal })
      await clock.sleep(120_000)
      failing.error = undefined
      await clock.sleep(30_000)
      stop.abort()
      expect(await work).toMatchObject({ done: 1 })
    })
  })
})

describe('a worker that ends with an error', () => {
  it('lets its handlers end before', async () => {
    const { clock, failing, jobs } = await engineWith()
    await clock.run(async () => {
      await jobs.enqueue(1)
      let hasEnded = false
      const work = jobs.work(
        async () => {
          failing.error = ofService('AccessDeniedException')
          await clock.sleep(15_000)
          hasEnded = true
        },
        { concurrency: 2 },
      )
      await expect(work).rejects.toMatchObject({ name: 'AccessDeniedException' })
      expect(hasEnded).toBe(true)
      expect(await allStats(failing, jobs)).toMatchObject({ due: 0, later: 0 })
    })
  })

  it('gives back what does not end within the stop timeout, and such a handler can write no more', async () => {
    const { clock, failing, jobs } = await engineWith()
    await clock.run(async () => {
      await jobs.enqueue(1)
      const from = clock.now()
      let wasAborted = false
      const work = jobs.work(
        async ({ signal }) => {
          failing.error = ofService('AccessDeniedException')
          await clock.sleep(60_000)
          wasAborted = signal.aborted
          return [{ Put: { TableName: 'jobs', Item: { id: { S: 'late' } } } }]
        },
        { concurrency: 2, stopTimeout: '20s' },
      )
      await expect(work).rejects.toMatchObject({ name: 'AccessDeniedException' })
      expect(clock.now() - from).toBeLessThan(21_000)
      expect(await allStats(failing, jobs)).toMatchObject({ due: 1 })
      await clock.sleep(60_000)
      expect(wasAborted).toBe(true)
      expect(await allStats(failing, jobs)).toMatchObject({ due: 1 })
    })
  })
})

function allStats(failing: { error: Error | undefined }, jobs: { stats(): Promise<object> }) {
  failing.error = undefined
  return jobs.stats() as Promise<{ readonly due: number; readonly later: number }>
}
