import { describe, expect, it } from 'vitest'
import { openedStream, positionOf, storedItem, storedKey } from '../../test/opened-stream.js'

const sortsOf = (items: readonly { readonly item: Record<string, { N?: string }> }[]) =>
  items.map(({ item }) => Number(item.at?.N))

const page = (first: number, last: number) => ({
  Items: Array.from({ length: last - first + 1 }, (_, index) => storedItem(2, first + index)),
  LastEvaluatedKey: storedKey(2, last),
})

describe('a piece of a shard', () => {
  it('continues after the one before, with the same condition', async () => {
    const { stream, requests } = openedStream({
      shard: 2,
      input: {
        KeyConditionExpression: 'pk = :k AND #at > :low',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':low': { N: '0' } },
      },
      answers: [page(1, 3), page(4, 5), { Items: [storedItem(2, 6)] }],
    })
    await stream.fetch(3, undefined)
    await stream.fetch(2, undefined)
    await stream.fetch(undefined, undefined)
    expect(sortsOf(stream.buffered)).toEqual([1, 2, 3, 4, 5, 6])
    expect(requests.map(({ Limit, ExclusiveStartKey }) => [Limit, ExclusiveStartKey])).toEqual([
      [3, undefined],
      [2, storedKey(2, 3)],
      [undefined, storedKey(2, 5)],
    ])
    const conditions = requests.map(({ KeyConditionExpression, ExpressionAttributeValues }) => [
      KeyConditionExpression,
      ExpressionAttributeValues,
    ])
    expect(conditions[1]).toEqual(conditions[0])
    expect(conditions[2]).toEqual(conditions[0])
  })

  it('is counted, and its limit is kept', async () => {
    const { stream } = openedStream({ shard: 2, answers: [page(1, 3), page(4, 5)] })
    expect([stream.given, stream.lastAsked]).toEqual([0, 0])
    await stream.fetch(3, undefined)
    expect([stream.given, stream.lastAsked]).toEqual([3, 3])
    await stream.fetch(undefined, undefined)
    expect([stream.given, stream.lastAsked]).toEqual([5, Number.POSITIVE_INFINITY])
  })

  it('is empty if the response has no list of items', async () => {
    const { stream } = openedStream({ answers: [{ ScannedCount: 0 }] })
    expect(await stream.fetch(3, undefined)).toMatchObject({ scanned: 0, passed: 0 })
    expect(stream.buffered).toEqual([])
    expect(stream.isFinished).toBe(true)
  })

  it('counts the items that a filter dropped as scanned', async () => {
    const { stream } = openedStream({ shard: 2, answers: [{ ...page(1, 3), ScannedCount: 40 }] })
    expect(await stream.fetch(40, undefined)).toMatchObject({ scanned: 40, passed: 3 })
  })

  it('fails if an item has no sort key, because it has no position in the order', async () => {
    const { stream } = openedStream({ answers: [{ Items: [{ pk: { S: 'k_1' } }] }] })
    await expect(stream.fetch(3, undefined)).rejects.toThrow(TypeError)
  })
})

describe('a shard', () => {
  it('is dry when all its items have been taken and it has more', async () => {
    const { stream } = openedStream({ shard: 2, answers: [page(1, 3), { Items: [storedItem(2, 4)] }] })
    expect(stream.isDry).toBe(true)
    await stream.fetch(3, undefined)
    expect(stream.isDry).toBe(false)
    expect(sortsOf(stream.takeUpTo(positionOf(2, 4)))).toEqual([1, 2])
    expect(stream.isDry).toBe(false)
    expect(sortsOf(stream.takeUpTo(undefined))).toEqual([3])
    expect(stream.isDry).toBe(true)
    await stream.fetch(3, undefined)
    stream.takeUpTo(undefined)
    expect(stream.isDry).toBe(false)
  })

  it('covers everything up to the last key of its newest piece, and everything after its last piece', async () => {
    const { stream } = openedStream({ shard: 2, answers: [page(1, 3), { Items: [] }] })
    expect(stream.covers(positionOf(1, 2))).toBe(false)
    expect(stream.covers(undefined)).toBe(false)
    await stream.fetch(3, undefined)
    expect(stream.frontier).toEqual({ ...positionOf(3, 2), key: storedKey(2, 3) })
    const places = [positionOf(2, 4), positionOf(3, 1), positionOf(3, 2), positionOf(3, 3), positionOf(4, 1)]
    expect(places.map((place) => stream.covers(place))).toEqual([true, true, true, false, false])
    expect(stream.covers(undefined)).toBe(false)
    await stream.fetch(3, undefined)
    expect(stream.frontier).toBeUndefined()
    expect(stream.covers(positionOf(9, 4))).toBe(true)
    expect(stream.covers(undefined)).toBe(true)
  })

  it.each([
    ['pk = :k AND #at BETWEEN :from AND :to', true, { ':from': { N: '1' }, ':to': { N: '3' } }],
    ['pk = :k AND #at <= :to', true, { ':to': { N: '3' } }],
    ['pk = :k AND #at >= :from', false, { ':from': { N: '3' } }],
  ])('ends with the only item that can have the last sort key of %s', async (condition, forward, values) => {
    const ordered = forward ? page(1, 3) : { ...page(3, 5), LastEvaluatedKey: storedKey(2, 3) }
    const { stream } = openedStream({
      shard: 2,
      input: {
        KeyConditionExpression: condition,
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: values,
        ScanIndexForward: forward,
      },
      answers: [ordered],
    })
    await stream.fetch(3, undefined)
    expect(stream.isFinished).toBe(true)
  })

  it('does not end before the last sort key of the condition', async () => {
    const { stream } = openedStream({
      shard: 2,
      input: {
        KeyConditionExpression: 'pk = :k AND #at <= :to',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':to': { N: '4' } },
      },
      answers: [page(1, 3)],
    })
    await stream.fetch(3, undefined)
    expect(stream.isFinished).toBe(false)
  })
})
