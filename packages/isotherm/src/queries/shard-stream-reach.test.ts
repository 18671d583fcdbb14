import type { QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { neighbourKeyValue } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import {
  type OpenedStream,
  openedStream,
  positionOf,
  storedItem,
  storedKey,
} from '../../test/opened-stream.js'

const REACH = positionOf(5, 1)

const page = (first: number, last: number, hasMore = true): Partial<QueryCommandOutput> => ({
  Items: Array.from({ length: last - first + 1 }, (_, index) => storedItem(2, first + index)),
  ...(hasMore ? { LastEvaluatedKey: storedKey(2, last) } : {}),
})

const conditionOf = ({ KeyConditionExpression = '', ExpressionAttributeValues = {} }: QueryCommandInput) =>
  KeyConditionExpression.replace('#isotherm_partition = :isotherm_partition', '')
    .replace(' AND ', '')
    .replace('#isotherm_sort', 'sort')
    .replace(/:isotherm_\w+/g, (name) => ExpressionAttributeValues[name]?.N ?? '')

const opened = (more: OpenedStream) => openedStream({ shard: 2, ...more })

describe('a shard that is read up to a sort key', () => {
  it('is not asked for items after it', async () => {
    const { stream, requests } = opened({ answers: [page(1, 4)] })
    await stream.fetch(10, REACH)
    expect(requests.map(conditionOf)).toEqual(['sort <= 5'])
  })

  it('is known up to that sort key in all shards if it has no more items there', async () => {
    const { stream } = opened({ answers: [page(1, 4, false)] })
    await stream.fetch(10, REACH)
    expect(stream.frontier).toEqual({ ...positionOf(5, 4), key: undefined })
    expect(stream.isFinished).toBe(false)
    expect([stream.covers(positionOf(5, 4)), stream.covers(positionOf(6, 1))]).toEqual([true, false])
  })

  it('is known up to the last key of the piece if there is more of it before that sort key', async () => {
    const { stream, requests } = opened({ answers: [page(1, 3), page(4, 4, false)] })
    await stream.fetch(3, REACH)
    expect(stream.frontier).toEqual({ ...positionOf(3, 2), key: storedKey(2, 3) })
    await stream.fetch(3, REACH)
    expect(requests[1]?.ExclusiveStartKey).toEqual(storedKey(2, 3))
    expect(stream.frontier).toEqual({ ...positionOf(5, 4), key: undefined })
  })

  it('is known up to that sort key if the piece ends with the only item that can have it', async () => {
    const { stream } = opened({ answers: [page(1, 5)] })
    await stream.fetch(5, REACH)
    expect(stream.frontier).toEqual({ ...positionOf(5, 4), key: undefined })
  })

  it.each([
    [true, { Items: [storedItem(2, 4)] }],
    [false, { Items: [storedItem(2, 6)] }],
  ])('then continues after it with the condition of the query: ascending %s', async (forward, answer) => {
    const { stream, requests } = opened({
      input: {
        KeyConditionExpression: 'pk = :k AND #at BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':from': { N: '1' }, ':to': { N: '9' } },
        ScanIndexForward: forward,
      },
      answers: [answer, {}],
    })
    await stream.fetch(10, REACH)
    await stream.fetch(10, undefined)
    expect(requests.map(conditionOf)).toEqual([
      forward ? 'sort BETWEEN 1 AND 5' : 'sort BETWEEN 5 AND 9',
      'sort BETWEEN 1 AND 9',
    ])
    expect(requests.map(({ ExclusiveStartKey }) => ExclusiveStartKey)).toEqual([undefined, storedKey(2, 5)])
    expect(stream.isFinished).toBe(true)
  })

  it('then continues with the condition of the query, even if the page began in the middle of its range', async () => {
    const range = { lower: { value: { N: '3' }, inclusive: true }, upper: undefined }
    const { stream, requests } = opened({
      restOf: () => ({ range, startKey: undefined }),
      answers: [page(3, 3), page(4, 5, false), {}],
    })
    await stream.fetch(1, undefined)
    await stream.fetch(10, REACH)
    await stream.fetch(10, undefined)
    expect(requests.map(conditionOf)).toEqual(['sort >= 3', 'sort BETWEEN 3 AND 5', ''])
    expect(requests.map(({ ExclusiveStartKey }) => ExclusiveStartKey)).toEqual([
      undefined,
      storedKey(2, 3),
      storedKey(2, 5),
    ])
  })

  it('continues after the last such sort key in an index', async () => {
    const entry = (time: number) => storedItem(2, 100 + time, { time: { N: String(time) } })
    const { stream, requests } = opened({
      indexes: [{ kind: 'covering', name: 'by_time', sortKey: 'time' }],
      input: {
        IndexName: 'by_time',
        KeyConditionExpression: 'pk = :k AND #t > :from',
        ExpressionAttributeNames: { '#t': 'time' },
        ExpressionAttributeValues: { ':from': { N: '0' } },
      },
      answers: [{ Items: [entry(1)] }, { Items: [entry(6)], LastEvaluatedKey: entry(6) }, {}, {}],
    })
    for (const reach of [REACH, undefined, positionOf(7, 1), undefined]) await stream.fetch(1, reach)
    // Nothing at 0 is asked for, and of an index a request could end there.
    const behindZero = neighbourKeyValue({ N: '0' }, 1) as { readonly N: string }
    expect(requests.map(conditionOf)).toEqual([
      `sort BETWEEN ${behindZero.N} AND 5`,
      'sort > 5',
      'sort BETWEEN 5 AND 7',
      'sort > 7',
    ])
    expect(requests.map(({ ExclusiveStartKey }) => ExclusiveStartKey)).toEqual([
      undefined,
      undefined,
      entry(6),
      undefined,
    ])
  })

  it.each([
    [true, 'pk = :k AND #at > :start', 1],
    [false, 'pk = :k AND #at < :start', 9],
  ])('begins behind the start of the query: ascending %s', async (forward, condition, start) => {
    const { stream, requests } = opened({
      input: {
        KeyConditionExpression: condition,
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':start': { N: String(start) } },
        ScanIndexForward: forward,
      },
    })
    expect(stream.skip(REACH)).toBe(false)
    await stream.fetch(1, REACH)
    expect(requests.map(conditionOf)).toEqual([forward ? 'sort BETWEEN 1 AND 5' : 'sort BETWEEN 5 AND 9'])
    expect(requests[0]?.ExclusiveStartKey).toEqual(storedKey(2, start))
  })

  it.each([
    ['lower', 6, true, true],
    ['lower', 5, false, true],
    ['lower', 5, true, false],
    ['lower', 4, false, false],
    ['upper', 4, true, true],
    ['upper', 5, false, true],
    ['upper', 5, true, false],
    ['upper', 6, false, false],
  ] as const)(
    'is not read if its rest has a %s end at %i behind it, included %s: %s',
    (end, at, inclusive, isSkipped) => {
      const bound = { value: { N: String(at) }, inclusive }
      const range = { lower: undefined, upper: undefined, [end]: bound }
      const { stream } = opened({
        input: { ScanIndexForward: end === 'lower' },
        restOf: () => ({ range, startKey: undefined }),
      })
      expect([stream.skip(undefined), stream.skip(REACH)]).toEqual([false, isSkipped])
      expect(stream.frontier).toEqual(isSkipped ? { ...positionOf(5, 4), key: undefined } : undefined)
    },
  )

  it.each([
    [true, 'pk = :k AND #at <= :end'],
    [false, 'pk = :k AND #at >= :end'],
  ])('has ended if the query ends there: ascending %s', async (forward, condition) => {
    const { stream } = opened({
      input: {
        KeyConditionExpression: condition,
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':end': { N: '5' } },
        ScanIndexForward: forward,
      },
      answers: [{ Items: [] }],
    })
    await stream.fetch(10, REACH)
    expect(stream.isFinished).toBe(true)
  })
})

describe('a shard of a table without sort keys', () => {
  const key = { pk: { S: 'k_2' } }

  it('is read again if the response says where to continue, because only the next one shows its end', async () => {
    const reach = { sort: undefined, shard: 1 }
    const { stream, requests } = opened({
      sortKey: undefined,
      stage: 1,
      answers: [{ Items: [key], LastEvaluatedKey: key }, { Items: [] }],
    })
    await stream.fetch(1, reach)
    expect(stream.isFinished).toBe(false)
    expect(stream.frontier).toEqual({ sort: undefined, shard: 4, key })
    await stream.fetch(1, reach)
    expect(requests.map(({ ExclusiveStartKey }) => ExclusiveStartKey)).toEqual([undefined, key])
    expect(stream.isFinished).toBe(true)
  })
})
