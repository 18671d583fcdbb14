import { neighbourKeyValue } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { openedStream, positionOf, storedItem } from '../../test/opened-stream.js'

const INDEX = {
  indexes: [{ kind: 'covering', name: 'by_time', sortKey: 'time' }],
  shard: 2,
} as const

const bound = (value: number, inclusive: boolean) => ({ value: { N: String(value) }, inclusive })

const entry = (time: number) => storedItem(2, 100 + time, { time: { N: String(time) } })

const timesOf = (items: readonly { readonly item: Record<string, { N?: string }> }[]) =>
  items.map(({ item }) => Number(item.time?.N))

/** The items that a shard returns of those which a condition with BETWEEN finds. */
async function givenOf(lower: ReturnType<typeof bound>, upper: ReturnType<typeof bound>) {
  const { stream, requests } = openedStream({
    ...INDEX,
    input: {
      IndexName: 'by_time',
      KeyConditionExpression: 'pk = :k AND #t > :from',
      ExpressionAttributeNames: { '#t': 'time' },
      ExpressionAttributeValues: { ':from': { N: '1' } },
    },
    restOf: () => ({ range: { lower, upper }, startKey: undefined }),
    answers: [{ Items: [entry(1), entry(2), entry(3)], ScannedCount: 3 }],
  })
  const { scanned } = await stream.fetch(undefined, undefined)
  expect(requests[0]?.KeyConditionExpression).toContain('BETWEEN')
  expect(scanned).toBe(stream.given)
  return timesOf(stream.buffered)
}

describe('conditions with two bounds, which in DynamoDB always include their ends', () => {
  it('find the items at both ends, and those that the range does not include are left out', async () => {
    expect(await givenOf(bound(1, true), bound(3, true))).toEqual([1, 2, 3])
    expect(await givenOf(bound(1, false), bound(3, true))).toEqual([2, 3])
    expect(await givenOf(bound(1, true), bound(3, false))).toEqual([1, 2])
    expect(await givenOf(bound(1, false), bound(3, false))).toEqual([2])
  })

  it('are only sent to read a range without an end up to a sort key, and not to continue from there', async () => {
    const { stream, requests } = openedStream({
      ...INDEX,
      input: {
        IndexName: 'by_time',
        KeyConditionExpression: 'pk = :k AND #t > :from',
        ExpressionAttributeNames: { '#t': 'time' },
        ExpressionAttributeValues: { ':from': { N: '1' } },
      },
      answers: [{ Items: [entry(3)] }, { Items: [entry(4)] }],
    })
    await stream.fetch(undefined, positionOf(3, 1))
    await stream.fetch(undefined, undefined)
    expect(requests.map(({ KeyConditionExpression }) => KeyConditionExpression)).toEqual([
      expect.stringContaining('BETWEEN'),
      expect.stringContaining('>'),
    ])
    // Of the items at an end that is not included, there may be more than a page has.
    const behind = neighbourKeyValue({ N: '1' }, 1)
    expect(Object.values(requests[0]?.ExpressionAttributeValues ?? {})).toContainEqual(behind)
    expect(timesOf(stream.buffered)).toEqual([3, 4])
  })
})
