import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import {
  type OpenedStream,
  openedStream,
  positionOf,
  storedItem,
  storedKey,
} from '../../test/opened-stream.js'

/** An item of shard 2 that has come there from these shards, the last one first. */
const movedItem = (at: number, origins: string) =>
  storedItem(2, at, { isotherm_moved: { S: `${origins}:1` } })

const INDEX = {
  indexes: [{ kind: 'covering', name: 'by_time', sortKey: 'time' }],
  input: {
    IndexName: 'by_time',
    KeyConditionExpression: 'pk = :k AND #t > :from',
    ExpressionAttributeNames: { '#t': 'time' },
    ExpressionAttributeValues: { ':from': { N: '0' } },
  },
} as const

const entry = (time: number, at: number, origins?: string) => ({
  ...(origins === undefined ? storedItem(2, at) : movedItem(at, origins)),
  time: { N: String(time) },
})

/** The shards by which the items of shard 2 are ordered. */
async function placesOf(Items: Record<string, AttributeValue>[], more: OpenedStream = {}) {
  const { stream } = openedStream({ shard: 2, stage: 1, answers: [{ Items }], ...more })
  await stream.fetch(undefined, undefined)
  expect(stream.buffered.map(({ heldBy }) => heldBy)).toEqual(Items.map(() => 2))
  return stream.buffered.map(({ shard }) => shard)
}

describe('the place of an item among those with the same sort key', () => {
  it('is that of the retired shard from which it came, while retired shards are drained', async () => {
    expect(
      await placesOf([storedItem(2, 1), movedItem(2, '3'), movedItem(3, '4'), movedItem(4, '3,4')]),
    ).toEqual([2, 3, 4, 3])
  })

  it('is that of its shard if it came from a shard that is not read any more', async () => {
    expect(await placesOf([movedItem(1, '5'), movedItem(2, '9,3')])).toEqual([2, 2])
  })

  it('is that of its shard if it came from a lower one, or from the same', async () => {
    expect(await placesOf([movedItem(1, '1'), movedItem(2, '2')])).toEqual([2, 2])
  })

  it('is that of its shard while nothing moves', async () => {
    expect(await placesOf([movedItem(1, '3')], { stage: 0 })).toEqual([2])
  })

  it('is that of its shard with a calculated suffix, where all copies of an item have one place', async () => {
    expect(await placesOf([movedItem(1, '3')], { suffix: 'calculated' })).toEqual([2])
  })

  it('is that of its shard in an index, which has its own order of equal sort keys', async () => {
    expect(await placesOf([entry(1, 1, '3')], INDEX)).toEqual([2])
  })
})

describe('a shard into which items may have moved', () => {
  it('is read consistently, because its items are not in their former shards any more', async () => {
    const { stream, requests } = openedStream({ stage: 1 })
    await stream.fetch(3, undefined)
    expect(requests[0]?.ConsistentRead).toBe(true)
  })

  it('is known up to the place of every shard, because an item has the place of the shard it came from', async () => {
    const { stream } = openedStream({
      shard: 2,
      stage: 1,
      answers: [{ Items: [storedItem(2, 3)], LastEvaluatedKey: storedKey(2, 3) }],
    })
    await stream.fetch(1, undefined)
    expect(stream.frontier).toEqual({ ...positionOf(3, 4), key: storedKey(2, 3) })
  })

  it('is known only up to its own place in an index', async () => {
    const { stream } = openedStream({
      ...INDEX,
      shard: 2,
      stage: 1,
      answers: [{ Items: [entry(3, 1)], LastEvaluatedKey: entry(3, 1) }],
    })
    await stream.fetch(1, undefined)
    expect(stream.frontier).toMatchObject(positionOf(3, 2))
  })

  it('returns no item that an earlier page returned, and every item after these', async () => {
    const Items = [
      storedItem(2, 4),
      // The last item of the page before. Its place was that of its shard, since nothing moved at that time.
      movedItem(5, '4'),
      storedItem(2, 6),
    ]
    const { stream } = openedStream({ shard: 2, stage: 1, after: positionOf(5, 2), answers: [{ Items }] })
    expect(await stream.fetch(undefined, undefined)).toMatchObject({ scanned: 1, passed: 1 })
    expect(stream.buffered.map(({ item }) => item)).toEqual([storedItem(2, 6)])
    expect(stream.given).toBe(1)
  })

  it('returns an item with the same sort key that came from a later shard than the end of the page before', async () => {
    const answers = [{ Items: [movedItem(5, '4')] }]
    const { stream } = openedStream({ shard: 2, stage: 1, after: positionOf(5, 3), answers })
    await stream.fetch(undefined, undefined)
    expect(stream.buffered.map(({ shard }) => shard)).toEqual([4])
  })

  it('returns no item with the same sort key that came from an earlier shard than the end of the page before', async () => {
    const answers = [{ Items: [movedItem(5, '3')] }]
    const { stream } = openedStream({ shard: 2, stage: 1, after: positionOf(5, 4), answers })
    await stream.fetch(undefined, undefined)
    expect(stream.buffered).toEqual([])
  })
})
