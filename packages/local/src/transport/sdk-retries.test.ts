import {
  BatchWriteItemCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SystemClock, VirtualClock } from '@isotherm/runtime'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLocal } from '../local.js'
import { type LocalWithEndpoint, startLocal } from '../start-local.js'

/**
 * The SDK's own retries, over a socket and in real time. The SDK multiplies its base delay by Math.random, so a mocked
 * draw makes delays known and short.
 */
const clock = new SystemClock()
let local: LocalWithEndpoint
let asked = 0

beforeEach(async () => {
  local = await startLocal({ port: 0 })
  const client = clientOf()
  for (const [TableName, units] of [
    ['small', 1],
    ['large', 1000],
  ] as const) {
    await client.send(createTable(TableName, ['id'], { units }))
  }
})

afterEach(async () => {
  vi.restoreAllMocks()
  await local.close()
})

function clientOf(config: DynamoDBClientConfig = {}): DynamoDBClient {
  return new DynamoDBClient({
    endpoint: local.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    ...config,
  })
}

/** Consumes the small table's units of the next minutes. */
async function drain(client: DynamoDBClient): Promise<void> {
  await client.send(
    new PutItemCommand({
      TableName: 'small',
      Item: { id: { S: 'large' }, text: { S: 'x'.repeat(390_000) } },
    }),
  )
  asked = local.statistics().requests
}

const put = (TableName = 'small', id = 'a') => new PutItemCommand({ TableName, Item: { id: { S: id } } })
const requests = () => local.statistics().requests - asked
const draw = (value: number) => vi.spyOn(Math, 'random').mockReturnValue(value)

/** The error of a request that must fail. */
async function failureOf(request: Promise<unknown>) {
  const [result] = await Promise.allSettled([request])
  if (result?.status !== 'rejected') throw new Error('The request was expected to fail.')
  return result.reason
}

describe('standard mode', () => {
  it('sends a throttled request four times, with delays that start near a second and double each time', async () => {
    const client = clientOf()
    await drain(client)
    draw(0.1)
    const failure = await failureOf(client.send(put()))
    expect(failure).toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      ThrottlingReasons: [{ reason: 'TableWriteProvisionedThroughputExceeded' }],
      $metadata: { httpStatusCode: 400, attempts: 4, totalRetryDelay: 100 + 200 + 400 },
    })
    expect(requests()).toBe(4)
  })

  it('succeeds as soon as there is capacity again', async () => {
    const client = clientOf()
    // Two units of the available one: a debt of less than a second.
    const Item = { id: { S: 'b' }, text: { S: 'x'.repeat(1500) } }
    await client.send(new PutItemCommand({ TableName: 'small', Item }))
    asked = local.statistics().requests
    draw(0.3)
    const { $metadata } = await client.send(put())
    const { attempts = 0, totalRetryDelay } = $metadata
    expect(attempts).toBeGreaterThan(1)
    expect(totalRetryDelay).toBe([0, 300, 300 + 600, 300 + 600 + 1200][attempts - 1])
    expect(requests()).toBe(attempts)
  })

  it('spends the 500 tokens of its client on one hot key, and then sends every request once', async () => {
    const client = clientOf()
    await drain(client)
    draw(0.001)
    await Promise.allSettled(Array.from({ length: 60 }, () => client.send(put())))
    // Each retry costs 5 tokens, so the 60 calls share 100 retries.
    expect(requests()).toBe(160)
    asked = local.statistics().requests
    for (const id of ['a', 'b', 'c']) {
      expect((await failureOf(client.send(put('small', id)))).$metadata.attempts).toBe(1)
    }
    expect(requests()).toBe(3)
    // The retries of another client have their own budget.
    expect((await failureOf(clientOf().send(put()))).$metadata.attempts).toBe(4)
  })

  it('does not retry a transaction that was cancelled by a throttle', async () => {
    const client = clientOf()
    await drain(client)
    const Put = { TableName: 'small', Item: { id: { S: 'a' } } }
    const failure = await failureOf(client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] })))
    expect(failure).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ProvisionedThroughputExceeded' }],
      $metadata: { attempts: 1 },
    })
    expect(requests()).toBe(1)
  })

  it('does not retry the unprocessed members of a batch', async () => {
    const client = clientOf()
    await drain(client)
    const write = (id: string) => [{ PutRequest: { Item: { id: { S: id } } } }]
    const { UnprocessedItems, $metadata } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { small: write('a'), large: write('b') } }),
    )
    expect(UnprocessedItems).toEqual({ small: write('a') })
    expect($metadata).toMatchObject({ httpStatusCode: 200, attempts: 1 })
    expect(requests()).toBe(1)
  })

  it('retries a batch whose members were all throttled', async () => {
    const client = clientOf()
    await drain(client)
    draw(0.01)
    const small = [{ PutRequest: { Item: { id: { S: 'a' } } } }]
    const failure = await failureOf(client.send(new BatchWriteItemCommand({ RequestItems: { small } })))
    expect(failure.$metadata.attempts).toBe(4)
    expect(requests()).toBe(4)
  })
})

describe('adaptive mode', () => {
  /** The time taken by reads of a table that has capacity for them. */
  async function innocentReads(client: DynamoDBClient, count: number): Promise<number> {
    const from = clock.now()
    for (let read = 0; read < count; read++) {
      await client.send(new GetItemCommand({ TableName: 'large', Key: { id: { S: 'a' } } }))
    }
    return clock.now() - from
  }

  it('slows down all requests of the client after its first throttle, including those for other tables', async () => {
    const [adaptive, standard] = [
      clientOf({ retryMode: 'adaptive', maxAttempts: 1 }),
      clientOf({ maxAttempts: 1 }),
    ]
    await drain(standard)
    await innocentReads(adaptive, 3)
    for (const client of [adaptive, standard]) {
      expect(await failureOf(client.send(put()))).toMatchObject({ $metadata: { attempts: 1 } })
    }
    const unhindered = await innocentReads(standard, 6)
    expect(await innocentReads(adaptive, 6)).toBeGreaterThan(500 + unhindered)
  })

  it('does the same in process, on the clock of the engine', async () => {
    const virtual = new VirtualClock()
    await virtual.run(async () => {
      const inProcess = createLocal({ clock: virtual })
      const client = inProcess.client({ retryMode: 'adaptive', maxAttempts: 1 })
      const provisioned = (TableName: string, units: number) => createTable(TableName, ['id'], { units })
      await client.send(provisioned('small', 1))
      await client.send(provisioned('large', 1000))
      const elapsed = async (TableName: string, count: number) => {
        const from = virtual.now()
        for (let request = 0; request < count; request++) await client.send(put(TableName)).catch(() => {})
        return virtual.now() - from
      }
      expect(await elapsed('large', 20)).toBe(0)
      expect(await elapsed('small', 2)).toBe(0)
      // Nothing has been measured yet, so the rate is the minimum: one request every two seconds.
      expect(await elapsed('large', 1)).toBe(2000)
      const slow = await elapsed('large', 5)
      expect(slow).toBeGreaterThan(500)
      await elapsed('large', 100)
      // It grows again with time and success.
      expect(await elapsed('large', 5)).toBeLessThan(slow)
      await inProcess.close()
    })
  })
})
