import { describe, expect, it } from 'vitest'
import { MAX_SHARDS } from '../options/shard-limits.js'
import { namedShard, readCursor, writeCursor } from './cursor.js'
import type { QuerySource, StoredKey } from './query-source.js'
import { rangeOf } from './sort-range.js'

const ALL = rangeOf(undefined)

/** The shards of the key `k`. An index has the attribute `rank` in its key, too, and equal sort keys. */
function sourceOf(options: { isUnique?: boolean; sortKey?: string | undefined } = {}): QuerySource {
  const { isUnique = true } = options
  const sortKey = 'sortKey' in options ? options.sortKey : 'at'
  const keys = ['pk', ...(sortKey === undefined ? [] : [sortKey])]
  return {
    indexName: undefined,
    sortKey,
    keyAttributes: isUnique ? keys : [...keys, 'rank'],
    isUnique,
    hasRoom: () => true,
    hashOf: (shard) => ({ pk: { S: `k_${shard}` } }),
    shardOf: ({ pk }) => (pk?.S?.startsWith('k_') ? Number(pk.S.slice(2)) : undefined),
    isLogical: ({ pk }) => pk?.S === 'k',
  }
}

const read = (key: StoredKey, source = sourceOf(), range = ALL) => readCursor('log', source, range, key)

describe('a start key', () => {
  it('is the position of the item with this key', () => {
    const key = { pk: { S: 'k_3' }, at: { N: '5' } }
    expect(read(key)).toEqual({ sort: { N: '5' }, shard: 3, key })
    expect(namedShard(read(key))).toBe(3)
  })

  it('with the logical key is behind the items of all shards with its sort key', () => {
    const cursor = read({ pk: { S: 'k' }, at: { N: '5' } })
    expect(cursor.shard).toBeGreaterThan(MAX_SHARDS)
    expect(namedShard(cursor)).toBe(1)
  })

  it('has only a shard where there is no sort key', () => {
    const key = { pk: { S: 'k_3' } }
    expect(read(key, sourceOf({ sortKey: undefined }))).toEqual({ sort: undefined, shard: 3, key })
  })

  it.each([
    ['is of another key', { pk: { S: 'other_1' }, at: { N: '5' } }, 'pk'],
    ['has no partition key', { at: { N: '5' } }, 'pk'],
    ['has no sort key', { pk: { S: 'k_3' } }, 'at'],
    ['has another attribute', { pk: { S: 'k_3' }, at: { N: '5' }, more: { S: 'x' } }, 'more'],
    ['has a sort key that is no key', { pk: { S: 'k_3' }, at: { BOOL: true } }, 'at'],
  ] as const)('is rejected if it %s, with the attribute that is wrong', (_what, key, attribute) => {
    expect(() => read(key)).toThrow(
      expect.objectContaining({ code: 'cursor.invalid', details: { table: 'log', attribute } }),
    )
  })

  it('with the logical key is rejected in an index, where it names no position', () => {
    const key = { pk: { S: 'k' }, at: { N: '5' }, rank: { N: '1' } }
    expect(() => read(key, sourceOf({ isUnique: false }))).toThrow(
      expect.objectContaining({ code: 'cursor.invalid' }),
    )
    expect(read({ ...key, pk: { S: 'k_2' } }, sourceOf({ isUnique: false })).shard).toBe(2)
    const { rank: _rank, ...incomplete } = { ...key, pk: { S: 'k_2' } }
    expect(() => read(incomplete, sourceOf({ isUnique: false }))).toThrow(
      expect.objectContaining({ details: { table: 'log', attribute: 'rank' } }),
    )
  })

  it('outside of the range is rejected in the words of the service', () => {
    const range = rangeOf({ operator: '<', value: { N: '5' } })
    expect(() => read({ pk: { S: 'k_3' }, at: { N: '5' } }, sourceOf(), range)).toThrow(
      expect.objectContaining({ name: 'ValidationException' }),
    )
    expect(read({ pk: { S: 'k_3' }, at: { N: '4' } }, sourceOf(), range).shard).toBe(3)
  })
})

describe('the key of a position', () => {
  const place = { sort: { N: '5' }, shard: 3 }

  it('follows from its shard and its sort key', () => {
    const stored = { pk: { S: 'k_9' }, at: { N: '7' }, other: { S: 'x' } }
    expect(writeCursor(sourceOf(), place, stored)).toEqual({ pk: { S: 'k_3' }, at: { N: '5' } })
    expect(writeCursor(sourceOf({ sortKey: undefined }), { ...place, sort: undefined }, stored)).toEqual({
      pk: { S: 'k_3' },
    })
  })

  it('in an index is that of the stored item, without its other attributes', () => {
    const stored = { pk: { S: 'k_9' }, at: { N: '7' }, rank: { N: '1' }, other: { S: 'x' } }
    const { other: _other, ...key } = stored
    expect(writeCursor(sourceOf({ isUnique: false }), place, stored)).toEqual(key)
    const { rank: _rank, ...unranked } = key
    expect(writeCursor(sourceOf({ isUnique: false }), place, unranked)).toStrictEqual(unranked)
  })
})
