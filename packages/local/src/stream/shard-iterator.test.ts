import { describe, expect, it } from 'vitest'
import { sequenceNumberAt } from './sequence-number.js'
import { isExpired, parseIterator, printIterator, type ShardIterator } from './shard-iterator.js'

const ITERATOR: ShardIterator = {
  streamArn: 'arn:aws:dynamodb:local:000000000000:table/t/stream/2026',
  shardId: 'shardId-1',
  after: sequenceNumberAt(5),
  issuedAt: 1_000,
}

/** An iterator with this place in its shard. */
const withPlace = (place: string, version = '1') =>
  parseIterator(`arn|${version}|${Buffer.from(place).toString('base64')}`)

describe('an iterator of a shard', () => {
  it.each([
    ['behind a record', ITERATOR],
    ['at the oldest record', { ...ITERATOR, after: undefined }],
  ])('is one text: %s', (_what, iterator) => {
    expect(parseIterator(printIterator(iterator))).toEqual(iterator)
  })

  it('was issued in whole milliseconds', () => {
    expect(parseIterator(printIterator({ ...ITERATOR, issuedAt: 1_000.7 }))).toEqual(ITERATOR)
  })

  it('is valid for fifteen minutes', () => {
    expect(isExpired(ITERATOR, 1_000 + 899_999)).toBe(false)
    expect(isExpired(ITERATOR, 1_000 + 900_000)).toBe(true)
  })

  const number = '"000000000000500000000"'
  it.each([
    ['nothing', ''],
    ['an ARN alone', 'arn'],
    ['no place', 'arn|1'],
  ])('is not %s', (_what, text) => {
    expect(parseIterator(text)).toBeUndefined()
  })

  it.each([
    ['of another version', `["s",${number},7]`, '2'],
    ['that is no JSON', '["s"', '1'],
    ['that is no list', '{"shardId":"s"}', '1'],
    ['without a shard', `[7,${number},7]`, '1'],
    ['with a number for a text', '["s",500000000,7]', '1'],
    ['with a short number', '["s","5",7]', '1'],
    ['with a number that is too long', `["s","${'5'.repeat(41)}",7]`, '1'],
    ['with more than a number', `["s","x${'5'.repeat(21)}",7]`, '1'],
    ['without a time', `["s",${number},"now"]`, '1'],
    ['without a position', '["s"]', '1'],
  ])('is not one %s', (_what, place, version) => {
    expect(withPlace(place, version)).toBeUndefined()
  })

  it('may have a number of 21 to 40 digits', () => {
    for (const digits of [21, 40]) {
      expect(withPlace(`["s","${'5'.repeat(digits)}",7]`)).toMatchObject({ after: '5'.repeat(digits) })
    }
  })
})
