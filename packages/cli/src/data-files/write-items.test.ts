import {
  type BatchWriteItemCommand,
  type DynamoDBClient,
  ProvisionedThroughputExceededException,
} from '@aws-sdk/client-dynamodb'
import { SystemClock } from '@isotherm/runtime'
import { expect, it, vi } from 'vitest'
import { MAX_TRIES } from './patience.js'
import { writeItems } from './write-items.js'

const BATCH = 25

it('wait for an item that a later one replaces, however late its batch ends', async () => {
  const clock = new SystemClock()
  const table = new Map<string, string>()
  let delay = 50
  const client = {
    async send({ input }: BatchWriteItemCommand) {
      // The first batch takes longest.
      delay /= 2
      await clock.sleep(delay)
      for (const { PutRequest } of input.RequestItems?.orders ?? []) {
        table.set(PutRequest?.Item?.pk?.S ?? '', PutRequest?.Item?.version?.S ?? '')
      }
      return {}
    },
  }
  async function* items() {
    for (const version of ['first', 'second']) {
      for (let at = 0; at < 2 * BATCH; at++) yield { pk: { S: `${at}` }, version: { S: version } }
    }
  }
  const written = await writeItems(client as Partial<DynamoDBClient> as DynamoDBClient, 'orders', items(), {
    keyOf: ({ pk }) => pk?.S ?? '',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  expect(written).toBe(4 * BATCH)
  expect(new Set(table.values())).toEqual(new Set(['second']))
})

it('wait for capacity where a whole batch was refused', async () => {
  const written: string[] = []
  let refusals = 2
  const client = {
    async send({ input }: BatchWriteItemCommand) {
      if (refusals-- > 0)
        throw new ProvisionedThroughputExceededException({ message: 'exceeded', $metadata: {} })
      for (const { PutRequest } of input.RequestItems?.orders ?? [])
        written.push(PutRequest?.Item?.pk?.S ?? '')
      return {}
    },
  }
  async function* items() {
    for (const pk of ['one', 'two']) yield { pk: { S: pk } }
  }
  await writeItems(client as Partial<DynamoDBClient> as DynamoDBClient, 'orders', items(), {
    keyOf: ({ pk }) => pk?.S ?? '',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  expect(written).toEqual(['one', 'two'])
})

it('end before the error of an item that cannot be read is reported', async () => {
  const clock = new SystemClock()
  let written = 0
  const client = {
    async send({ input }: BatchWriteItemCommand) {
      await clock.sleep(20)
      written += input.RequestItems?.orders?.length ?? 0
      return {}
    },
  }
  async function* items() {
    for (let at = 0; at < BATCH; at++) yield { pk: { S: `${at}` } }
    throw new Error('line 26 is broken')
  }
  const writing = writeItems(client as Partial<DynamoDBClient> as DynamoDBClient, 'orders', items(), {
    keyOf: ({ pk }) => pk?.S ?? '',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  })
  await expect(writing).rejects.toThrow('line 26 is broken')
  expect(written).toBe(BATCH)
})

it('give up after refusals in a row, and not after as many in all', async () => {
  vi.useFakeTimers()
  try {
    const written: string[] = []
    let requests = 0
    const client = {
      async send({ input }: BatchWriteItemCommand) {
        const [first, ...left] = input.RequestItems?.orders ?? []
        requests += 1
        // Five refusals, and then room for one item.
        if (requests % 6 !== 0) return { UnprocessedItems: input.RequestItems }
        written.push(first?.PutRequest?.Item?.pk?.S ?? '')
        return { UnprocessedItems: left.length === 0 ? {} : { orders: left } }
      },
    }
    async function* items() {
      for (let at = 0; at < BATCH; at++) yield { pk: { S: `${at}` } }
    }
    const work = writeItems(client as Partial<DynamoDBClient> as DynamoDBClient, 'orders', items(), {
      keyOf: ({ pk }) => pk?.S ?? '',
      signal: new AbortController().signal,
      onProgress: () => undefined,
    })
    await vi.runAllTimersAsync()
    expect(await work).toBe(BATCH)
    expect(written).toHaveLength(BATCH)
    expect(requests).toBeGreaterThan(MAX_TRIES)
  } finally {
    vi.useRealTimers()
  }
})
