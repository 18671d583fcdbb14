import { describe, expect, it } from 'vitest'
import { type OpenedStream, openedStream, storedItem } from '../../test/opened-stream.js'
import type { KnownIndex } from '../indexes/index-options.js'
import { fixedShards } from '../scaling/shards.js'

const REASONS = ['TableReadKeyRangeThroughputExceeded']

const capacity = (CapacityUnits: number) => ({ ConsumedCapacity: { TableName: 'log', CapacityUnits } })

const TEXT = { text: { S: 'x'.repeat(5_000) } }

const COVERING = {
  indexes: [{ kind: 'covering', name: 'by_time', sortKey: 'time' }],
  input: {
    IndexName: 'by_time',
    KeyConditionExpression: 'pk = :k AND #t > :from',
    ExpressionAttributeNames: { '#t': 'time' },
    ExpressionAttributeValues: { ':from': { N: '0' } },
  },
} as const

const BY_STATUS: KnownIndex = {
  kind: 'sharded',
  name: 'by_status',
  partitionKey: 'status',
  sortKey: 'time',
  shards: fixedShards(3),
  shard: { in: 'shadow-key', attribute: 'status_shard' },
}

async function recorded(more: OpenedStream) {
  const { stream, answered, throttled } = openedStream({ shard: 3, ...more })
  await stream.fetch(10, undefined)
  return { answered, throttled }
}

async function units(more: OpenedStream) {
  const { answered } = await recorded(more)
  return answered.map(([, units]) => units)
}

describe('the read units of a query of one shard', () => {
  it('are those that the response reports', async () => {
    const { answered } = await recorded({ answers: [capacity(7.5)] })
    expect(answered).toEqual([[{ S: 'k' }, 7.5, { wasThrottled: false, shards: 1, spread: { by: 'query' } }]])
  })

  it('are calculated from the items where the database reports none', async () => {
    // 5 KB are two units of 4 KB, and an eventually consistent read takes half of that.
    const answers = [{ Items: [storedItem(3, 1, TEXT)] }]
    expect(await units({ answers })).toEqual([1])
    expect(await units({ answers, input: { ConsistentRead: true } })).toEqual([2])
    expect(await units({ answers, stage: 1 })).toEqual([2])
  })

  it('are not the heat of the key if an index answers: its own, or a replica', async () => {
    const answers = [capacity(7.5)]
    expect(await units({ ...COVERING, answers })).toEqual([])
    expect(await units({ answers, isAtSource: false })).toEqual([])
    expect(await units({ ...COVERING, answers, isAtSource: false })).toEqual([])
  })
})

describe('a throttled query of one shard', () => {
  it('is recorded with its key, its shard, and the number of its attempts', async () => {
    const attempt = { reasons: REASONS, index: undefined }
    const { answered, throttled } = await recorded({ throttles: [attempt, attempt], answers: [capacity(1)] })
    const read = { key: { S: 'k' }, shard: 3, shards: 1, reasons: REASONS, spread: { by: 'query' } }
    expect(throttled).toEqual([
      { ...read, attempt: 1, index: undefined },
      { ...read, attempt: 2, index: undefined },
    ])
    expect(answered).toMatchObject([[{ S: 'k' }, 1, { wasThrottled: true }]])
  })

  it('is recorded for the index that throttled it, which is not the heat of the key', async () => {
    const throttles = [{ reasons: REASONS, index: 'copy' }]
    const { answered, throttled } = await recorded({ throttles, answers: [capacity(1)] })
    expect(throttled).toMatchObject([{ index: 'copy', attempt: 1 }])
    expect(answered).toMatchObject([[{ S: 'k' }, 1, { wasThrottled: false }]])
  })

  it.each([
    ['text', { S: 'open' }, { S: 'open' }],
    ['a number', { N: '7.0' }, { S: '7' }],
    ['bytes', { B: Uint8Array.of(1, 2) }, { B: Uint8Array.of(1, 2) }],
  ])("is recorded for the index's own key: %s", async (_type, value, key) => {
    const { throttled } = await recorded({
      indexes: [BY_STATUS],
      input: {
        IndexName: 'by_status',
        KeyConditionExpression: '#s = :s',
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':s': value },
      },
      throttles: [{ reasons: REASONS, index: 'by_status' }],
    })
    expect(throttled).toMatchObject([{ key, index: 'by_status' }])
  })
})
