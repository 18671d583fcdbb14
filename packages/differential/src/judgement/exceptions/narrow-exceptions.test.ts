import { describe, expect, it } from 'vitest'
import type { Comparable, ComparableError } from '../comparable.js'
import { EXCEPTIONS } from './exceptions.js'

const ok = (body: object = {}): Comparable => ({ status: 200, body })
const error = (message: string, more: Partial<ComparableError> = {}): ComparableError => ({
  status: 400,
  error: 'ValidationException',
  message,
  members: {},
  ...more,
})

function isExcused(name: string, operation: string, request: object, ours: Comparable, theirs: Comparable) {
  const exception = EXCEPTIONS.find((each) => each.name === name)
  if (exception === undefined) throw new Error(`There is no exception ${name}.`)
  return exception.applies({ step: { operation, request }, ours, theirs })
}

describe('null-behind-another-mistake', () => {
  const UNREADABLE = error('Unexpected field type', { error: 'SerializationException' })
  const excused = (request: object, theirs: Comparable = error('The parameter is not valid')) =>
    isExcused('null-behind-another-mistake', 'PutItem', request, UNREADABLE, theirs)

  it.each([
    ['an attribute', { Item: { a: null } }],
    ['an attribute in a map', { Item: { a: { M: { b: null } } } }],
    ['an element of a list', { Item: { a: { L: [{ S: 'x' }, null] } } }],
    ['an attribute of a key in a batch', { RequestItems: { t: { Keys: [{ pk: null }] } } }],
    ['a table of a batch', { RequestItems: { t: null } }],
    ['an action of a transaction', { TransactItems: [null] }],
    ['a value of an expression', { ExpressionAttributeValues: { ':a': null } }],
  ])('excuses a null that is %s', (_, request) => {
    expect(excused(request)).toBe(true)
  })

  it.each([
    ['of a member, which may be missing', { Item: { a: { S: 'x' } }, ReturnValues: null }],
    ['of a type in a value', { Item: { a: { S: null } } }],
    ['of a type in a value whose name is that of a map', { Item: { M: { S: null } } }],
    ['of a member of an action', { TransactItems: [{ Put: null }] }],
    ['in a text', { Item: { a: { S: ':null' } }, Key: 3 }],
  ])('does not excuse a null %s', (_, request) => {
    expect(excused(request)).toBe(false)
  })

  it('excuses that they miss an expression first', () => {
    const unused = 'ExpressionAttributeValues can only be specified when using expressions'
    expect(excused({ Item: { a: null } }, error(`${unused}: ConditionExpression is null`))).toBe(true)
  })

  it('does not excuse another answer to the null itself', () => {
    const request = { Item: { a: null } }
    expect(excused(request, error('Attribute a is null'))).toBe(false)
    expect(excused(request, error('NULL_VALUE', { error: 'SerializationException' }))).toBe(false)
    expect(excused(request, ok())).toBe(false)
  })
})

describe('overlooks-empty-placeholders', () => {
  const excused = (request: object, ours: Comparable, theirs: Comparable) =>
    isExcused('overlooks-empty-placeholders', 'UpdateItem', request, ours, theirs)
  const NO_NAMES = { ExpressionAttributeNames: {}, ExpressionAttributeValues: { ':a': { S: 'x' } } }
  const refusal = error('ExpressionAttributeNames must not be empty')

  it('excuses that they accept the request, or report another mistake', () => {
    expect(excused(NO_NAMES, refusal, ok())).toBe(true)
    expect(excused(NO_NAMES, refusal, error('Invalid UpdateExpression: Syntax error'))).toBe(true)
    const unused = error('ExpressionAttributeNames can only be specified when using expressions')
    expect(excused(NO_NAMES, unused, error('Value provided in ExpressionAttributeValues unused'))).toBe(true)
  })

  it('does not excuse a refusal of the member that is not empty', () => {
    const ours = error('ExpressionAttributeValues can only be specified when using expressions')
    expect(excused(NO_NAMES, ours, ok())).toBe(false)
  })

  it('does not excuse another text about the same member', () => {
    const theirs = error('ExpressionAttributeNames can only be specified when using expressions')
    expect(excused(NO_NAMES, refusal, theirs)).toBe(false)
  })

  it('does not excuse that only they refuse', () => {
    expect(excused(NO_NAMES, ok(), refusal)).toBe(false)
  })
})

describe('update-that-only-removes', () => {
  const NESTED = error('The document path provided in the update expression is invalid for update')
  const Key = { pk: { S: 'a' }, sk: { N: '1' } }
  const update = (UpdateExpression: string, more: object = {}) => ({ Key, UpdateExpression, ...more })
  const excused = (request: object, ours: Comparable, theirs: Comparable, operation = 'UpdateItem') =>
    isExcused('update-that-only-removes', operation, request, ours, theirs)

  it('excuses that they refuse a nested path', () => {
    expect(excused(update('REMOVE a.b'), ok(), NESTED)).toBe(true)
    expect(excused(update('DELETE a[0] :set'), ok(), NESTED)).toBe(true)
  })

  it('does not excuse another refusal, one of a plain path, or one of an update that sets', () => {
    expect(excused(update('REMOVE a.b'), ok(), error(`${NESTED.message} expression`))).toBe(false)
    expect(excused(update('REMOVE a'), ok(), NESTED)).toBe(false)
    expect(excused(update('REMOVE a.b SET c = :c'), ok(), NESTED)).toBe(false)
    expect(excused(update('REMOVE a.b'), NESTED, ok())).toBe(false)
  })

  it('excuses that they refuse a key that is too long for an index', () => {
    const tooLong = error('One or more parameter values were invalid: Size limit exceeded')
    expect(excused(update('REMOVE a DELETE b :set'), ok(), tooLong)).toBe(true)
    expect(excused(update('REMOVE a SET b = :b'), ok(), tooLong)).toBe(false)
    expect(excused(update('REMOVE a'), tooLong, ok())).toBe(false)
  })

  const created = { Attributes: Key, ConsumedCapacity: { CapacityUnits: 2 } }
  const ours = ok({ ConsumedCapacity: { CapacityUnits: 1 } })
  const returning = update('REMOVE a', { ReturnValues: 'ALL_NEW' })

  it('excuses that they return the key of the item that they created', () => {
    expect(excused(returning, ours, ok(created))).toBe(true)
  })

  it('does not excuse more attributes, other members, or attributes of ours', () => {
    expect(excused(returning, ours, ok({ ...created, Attributes: { ...Key, a: { S: 'x' } } }))).toBe(false)
    expect(excused(returning, ours, ok({ ...created, Attributes: { pk: Key.pk, a: { S: 'x' } } }))).toBe(
      false,
    )
    expect(excused(returning, ours, ok({ ...created, ItemCollectionMetrics: {} }))).toBe(false)
    expect(excused(returning, ours, ok({ Attributes: Key }))).toBe(false)
    expect(excused(returning, ok({ Attributes: Key }), ok(created))).toBe(false)
    expect(excused(update('REMOVE a', { ReturnValues: 'ALL_OLD' }), ours, ok(created))).toBe(false)
    expect(excused(update('ADD a :a', { ReturnValues: 'ALL_NEW' }), ours, ok(created))).toBe(false)
  })

  const transaction = (expression: string) => ({
    TransactItems: [{ Put: { Item: Key } }, { Update: update(expression) }],
  })
  const excusedThere = (expression: string, theirs: Comparable) =>
    excused(transaction(expression), ok(), theirs, 'TransactWriteItems')

  it('excuses that they refuse a transaction for such an update', () => {
    expect(excusedThere('REMOVE a.b', NESTED)).toBe(true)
  })

  it('does not excuse that they refuse a transaction without such an update, or cancel one', () => {
    expect(excusedThere('REMOVE a', NESTED)).toBe(false)
    expect(excusedThere('REMOVE a.b SET c = :c', NESTED)).toBe(false)
    const reasons = 'Transaction cancelled, reasons [None, ValidationError]'
    expect(excusedThere('REMOVE a.b', error(reasons, { error: 'TransactionCanceledException' }))).toBe(false)
  })
})

describe('half-of-a-throughput', () => {
  const refusal = (value: string, rule: string) =>
    error(
      `1 validation error detected: Value ${value} at 'globalSecondaryIndexes.1.member.provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must ${rule}`,
    )
  const excused = (ours: Comparable, theirs: Comparable) =>
    isExcused('half-of-a-throughput', 'CreateTable', {}, ours, theirs)

  it('excuses an index without units that only this engine refuses', () => {
    expect(excused(refusal('null', 'not be null'), ok())).toBe(true)
    expect(excused(refusal("'0'", 'have value greater than or equal to 1'), ok())).toBe(true)
  })

  it('does not excuse an accepted index, or other refusals', () => {
    expect(excused(ok(), refusal("'0'", 'have value greater than or equal to 1'))).toBe(false)
    expect(excused(refusal("'0'", 'have value less than or equal to 1'), ok())).toBe(false)
  })
})

describe('mistakes of which each side reports another one', () => {
  const SEGMENT =
    "1 validation error detected: Value '1' at 'segment' failed to satisfy constraint: Member must have value less than or equal to 0"
  const CAPACITY =
    "1 validation error detected: Value 'SIZE' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
  const DUPLICATES = 'Provided list of item keys contains duplicates'
  const NO_ITEM_KEY = 'The number of conditions on the keys is invalid'
  const EMPTY_SET = 'One or more parameter values were invalid: An number set  may not be empty'

  it.each([
    ['two-mistakes-of-a-batch', 'BatchGetItem', DUPLICATES, EMPTY_SET],
    [
      'two-mistakes-of-a-batch',
      'BatchWriteItem',
      'Requested resource not found',
      'Invalid attribute value type',
    ],
    ['two-mistakes-at-all', 'Scan', CAPACITY, SEGMENT],
  ])('are %s in a %s', (name, operation, ours, theirs) => {
    expect(isExcused(name, operation, {}, error(ours), error(theirs))).toBe(true)
    expect(isExcused(name, operation, {}, ok(), error(theirs))).toBe(false)
    expect(isExcused(name, operation, {}, error(ours), ok())).toBe(false)
  })

  it('are not two texts for one', () => {
    expect(isExcused('two-mistakes-at-all', 'Scan', {}, error(SEGMENT), error(SEGMENT))).toBe(false)
    expect(isExcused('two-mistakes-of-a-batch', 'PutItem', {}, error(DUPLICATES), error(NO_ITEM_KEY))).toBe(
      false,
    )
  })
})
