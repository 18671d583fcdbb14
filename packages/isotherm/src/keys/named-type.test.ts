import { describe, expect, it } from 'vitest'
import { readItemKey } from './item-key.js'

const TABLE = { name: 'orders', partitionKey: 'p', sortKey: 's' }

function messageFor(attributes: object): string {
  try {
    readItemKey(TABLE, attributes as never)
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

describe('a key in a wrong form', () => {
  it.each([
    [
      { p: 'alice' },
      `is "alice", which is no attribute value such as { S: 'a' }. A DynamoDBDocumentClient takes plain`,
    ],
    [{ p: 7n }, 'The partition key p of orders is 7, which is no attribute value'],
    [{ p: 'x'.repeat(5_000) }, `is "${'x'.repeat(40)}…", which is no attribute value`],
    [{ p: { S: undefined } }, 'The partition key p of orders is undefined (as S). Set it.'],
    [{ p: {} }, 'The partition key p of orders is an empty object, which is no attribute value'],
    [
      { p: { M: { S: { S: 'a' } } } },
      'is an attribute value, sent by a DynamoDBDocumentClient, which takes plain values.',
    ],
    [
      { p: { M: { name: { S: 'a' } } } },
      'The partition key p of orders is of type M; only a string (S) or binary',
    ],
    [
      { p: { N: '1' } },
      'The partition key p of orders is of type N; only a string (S) or binary (B) key can carry a suffix. Send the value as the table has it. If its key is neither, leave the table out of the options.',
    ],
    [{ p: { S: undefined, N: '1' } }, 'The partition key p of orders is of type N; only a string'],
    [{ p: { S: 'a' }, s: 1 }, 'The sort key s of orders is 1, which is no attribute value such as'],
    [
      { p: { S: 'a' }, s: { BOOL: true } },
      'The sort key s of orders is of type BOOL; a key is a string (S), a number',
    ],
    [
      { s: { S: 'a' } },
      'has no p, which the options name as the partition key. Add it, or correct partitionKey in',
    ],
    [
      { p: { S: 'a' } },
      'has no s, which the options name as the sort key. Add it, or correct sortKey in the options',
    ],
  ])('is refused with the cure: %o', (attributes, message) => {
    expect(messageFor(attributes)).toContain(message)
  })
})
