import { describe, expect, it } from 'vitest'
import { type HandMadeItem, ownPlaceOf } from './own-place.js'

/** What the function gets for a key. */
function given(
  sort: { S: string } | { N: string } | { B: Uint8Array } | undefined,
): HandMadeItem | undefined {
  let item: HandMadeItem | undefined
  const place = ownPlaceOf(
    'votes',
    (got) => {
      item = got
      return 1
    },
    1,
  )
  place({ S: 'Campaign#101' }, sort, 10)
  return item
}

describe('a placement function of an application', () => {
  it('gets the key as the document client returns it', () => {
    expect(given({ S: '2026' })).toEqual({ partitionKey: 'Campaign#101', sortKey: '2026', shards: 10 })
    expect(given({ B: new Uint8Array([1]) })?.sortKey).toEqual(new Uint8Array([1]))
    expect(given({ N: '1700000000000' })?.sortKey).toBe(1_700_000_000_000)
    expect(given({ N: '-0.25' })?.sortKey).toBe(-0.25)
  })

  it('gets a number that JavaScript would round as text', () => {
    expect(given({ N: '9007199254740993' })?.sortKey).toBe('9007199254740993')
    expect(given({ N: '0.1000000000000000055511151231257827' })?.sortKey).toBe(
      '0.1000000000000000055511151231257827',
    )
    expect(given({ N: '1000000000000000000000' })?.sortKey).toBe(1e21)
  })

  it.each([
    [7, 1, 7],
    [0, 0, 1],
    [9n, 0, 10],
    [200, 200, 1],
    ['b', ['a', 'b'], 2],
  ] as const)('that returns %s with the labels %j means shard %d', (value, labels, shard) => {
    const shards = typeof labels === 'number' ? 10 : labels.length
    expect(ownPlaceOf('votes', () => value, labels)({ S: 'k' }, { S: 's' }, shards)).toBe(shard)
  })

  it.each([
    [10, 0],
    [0, 1],
    ['7', 1],
    [1e300, 1],
    [Number.NaN, 1],
    ['c', ['a', 'b']],
    ['', ['a', 'b']],
  ] as const)('that returns %s with the labels %j is rejected', (value, labels) => {
    const shards = typeof labels === 'number' ? 10 : labels.length
    expect(() => ownPlaceOf('votes', () => value, labels)({ S: 'k' }, { S: 's' }, shards)).toThrow(
      expect.objectContaining({ code: 'scheme.placement', details: expect.objectContaining({ value }) }),
    )
  })
})
