import fc, { type Arbitrary } from 'fast-check'
import { nested } from '../generators/values.js'
import type { Family, Step } from './family.js'

const ITEM_BYTES = 409_600
const NAMES_BYTES = 'pk'.length + 'k'.length + 'big'.length

const about = (limit: number): Arbitrary<number> => fc.constantFrom(limit - 1, limit, limit + 1)
const filled = (bytes: number, unit = 'x') => unit.repeat(Math.max(0, bytes))
const put = (Item: object, more: object = {}): Step => ({
  operation: 'PutItem',
  request: { TableName: 'text', Item, ReturnConsumedCapacity: 'TOTAL', ...more },
})
const condition = (ConditionExpression: string, more: object = {}): Step =>
  put({ pk: { S: 'k' } }, { ConditionExpression, ...more })
const update = (UpdateExpression: string, more: object = {}): Step => ({
  operation: 'UpdateItem',
  request: {
    TableName: 'text',
    Key: { pk: { S: 'k' } },
    UpdateExpression,
    ReturnConsumedCapacity: 'TOTAL',
    ...more,
  },
})
const many = <T>(count: number, member: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => member(index))

const steps: readonly Arbitrary<Step>[] = [
  // An item of 400 KB: put whole, or grown by an update.
  about(ITEM_BYTES).map((bytes) => put({ pk: { S: 'k' }, big: { S: filled(bytes - NAMES_BYTES) } })),
  about(ITEM_BYTES).map((bytes) =>
    update('SET big = :big', { ExpressionAttributeValues: { ':big': { S: filled(bytes - NAMES_BYTES) } } }),
  ),
  // The borders of capacity units.
  fc
    .constantFrom(1023, 1024, 1025, 4095, 4096, 4097)
    .map((bytes) => put({ pk: { S: 'k' }, big: { S: filled(bytes - NAMES_BYTES) } })),
  fc.constant({
    operation: 'GetItem',
    request: { TableName: 'text', Key: { pk: { S: 'k' } }, ReturnConsumedCapacity: 'TOTAL' },
  }),
  fc.constant({
    operation: 'DeleteItem',
    request: { TableName: 'text', Key: { pk: { S: 'k' } }, ReturnConsumedCapacity: 'TOTAL' },
  }),
  // Keys.
  about(2048).map((bytes) => put({ pk: { S: filled(bytes) } })),
  about(2048).map((bytes) => ({
    operation: 'GetItem',
    request: { TableName: 'text', Key: { pk: { S: filled(bytes) } } },
  })),
  about(1024).map((bytes) => ({
    operation: 'PutItem',
    request: { TableName: 'text-text', Item: { pk: { S: 'limits' }, sk: { S: filled(bytes) } } },
  })),
  about(1024).map((bytes) => ({
    operation: 'Query',
    request: {
      TableName: 'text-text',
      KeyConditionExpression: 'pk = :p AND sk = :s',
      ExpressionAttributeValues: { ':p': { S: 'limits' }, ':s': { S: filled(bytes) } },
    },
  })),
  fc.tuple(about(2048), fc.constantFrom('g', 'h')).map(([bytes, name]) => ({
    operation: 'PutItem',
    request: {
      TableName: 'text-text',
      Item: { pk: { S: 'limits' }, sk: { S: 'g' }, [name]: { S: filled(bytes) } },
    },
  })),
  // Names.
  about(65_535).map((bytes) => put({ pk: { S: 'k' }, [filled(bytes)]: { S: 'a' } })),
  about(65_535).map((bytes) => put({ pk: { S: 'k' }, a: { M: { [filled(bytes)]: { S: 'a' } } } })),
  about(65_535).map((bytes) =>
    condition('attribute_not_exists(#long)', { ExpressionAttributeNames: { '#long': filled(bytes) } }),
  ),
  about(255).map((bytes) => {
    const token = `#${filled(bytes - 1)}`
    return condition(`attribute_not_exists(${token})`, { ExpressionAttributeNames: { [token]: 'a' } })
  }),
  about(255).map((bytes) => {
    const token = `:${filled(bytes - 1)}`
    return condition(`a <> ${token}`, { ExpressionAttributeValues: { [token]: { S: 'a' } } })
  }),
  about(255).map((length) => ({ operation: 'DescribeTable', request: { TableName: filled(length) } })),
  about(3).map((length) => ({ operation: 'DescribeTable', request: { TableName: filled(length) } })),
  // Expressions.
  about(4096).map((bytes) => condition(`attribute_not_exists(${filled(bytes - 22)})`)),
  about(4096).map((bytes) => update(`REMOVE ${filled(bytes - 7)}`)),
  about(300).map((operators) => condition(many((operators + 1) / 2, () => 'a = a1').join(' OR '))),
  about(300).map((operators) => condition(`${filled(operators - 1, 'NOT ')} a = a1`)),
  about(300).map((operators) => update(`SET ${many(operators, (index) => `a${index} = n + a`).join(',')}`)),
  about(100).map((operands) =>
    condition(`a IN (${many(operands, (index) => `:v${index}`).join(',')}) OR attribute_not_exists(none)`, {
      ExpressionAttributeValues: Object.fromEntries(
        many(operands, (index) => [`:v${index}`, { N: String(index) }]),
      ),
    }),
  ),
  about(32).map((steps) => condition(`attribute_not_exists(a${filled(steps - 1, '.b')})`)),
  about(32).map((steps) => condition(`attribute_not_exists(a${filled(steps - 1, '[0]')})`)),
  about(32).map((steps) => update(`REMOVE a${filled(steps - 1, '.b')}`)),
  fc.constantFrom(31, 32, 33, 34, 40).map((depth) => put({ pk: { S: 'k' }, a: nested(depth) })),
  fc
    .constantFrom(31, 32, 33, 34)
    .map((depth) => update('SET a = :deep', { ExpressionAttributeValues: { ':deep': nested(depth) } })),
  fc.constantFrom(30, 31, 32, 33).map((depth) =>
    update('SET doc = :map, a = :deep', {
      ExpressionAttributeValues: { ':map': { M: { x: { M: {} } } }, ':deep': nested(depth) },
    }),
  ),
  // Lists of requests.
  about(25).map((count) => ({
    operation: 'BatchWriteItem',
    request: {
      RequestItems: {
        text: many(count, (index) => ({ DeleteRequest: { Key: { pk: { S: `none-${index}` } } } })),
      },
    },
  })),
  about(100).map((count) => ({
    operation: 'BatchGetItem',
    request: { RequestItems: { text: { Keys: many(count, (index) => ({ pk: { S: `none-${index}` } })) } } },
  })),
  about(50).map((count) => ({
    operation: 'BatchGetItem',
    request: {
      RequestItems: {
        text: { Keys: many(count, (index) => ({ pk: { S: `none-${index}` } })) },
        number: { Keys: many(50, (index) => ({ pk: { N: `${index + 1000}` } })) },
      },
    },
  })),
  about(100).map((count) => ({
    operation: 'TransactGetItems',
    request: {
      TransactItems: many(count, (index) => ({
        Get: { TableName: 'text', Key: { pk: { S: `none-${index}` } } },
      })),
    },
  })),
  about(100).map((count) => ({
    operation: 'TransactWriteItems',
    request: {
      TransactItems: many(count, (index) => ({
        Delete: { TableName: 'text', Key: { pk: { S: `none-${index}` } } },
      })),
    },
  })),
]

/** Requests just below, at and just above each limit of size and number. */
export const LIMITS: Family = {
  name: 'limits',
  operations: ['PutItem', 'UpdateItem'],
  weight: 40,
  steps: fc.oneof(...steps),
}
