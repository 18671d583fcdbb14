import { beforeAll, describe, expect, it } from 'vitest'
import { runOf } from './determinism.fixture.js'

describe('two runs on virtual time', () => {
  let [first, again, other]: (readonly string[])[] = []

  beforeAll(async () => {
    first = await runOf(1)
    again = await runOf(1)
    other = await runOf(2)
  })

  it('with the same seed are identical to the byte in everything observable', () => {
    expect(again).toEqual(first)
    expect(again?.join('\n')).toBe(first?.join('\n'))
  })

  it('with different seeds differ', () => {
    expect(other?.join('\n')).not.toBe(first?.join('\n'))
  })

  it.each([
    '"cause":"heat"',
    '"cause":"size"',
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'IndexWrite',
    'TransactionConflict',
    'ConditionalCheckFailedException',
    '"UnprocessedItems":{"',
    '"PrincipalId":"dynamodb.amazonaws.com"',
    '"ParentShardId"',
    '"records"',
    '"report"',
    'ConsumedWriteCapacityUnits',
  ])('include %s', (what) => {
    expect(first?.some((line) => line.includes(what))).toBe(true)
  })
})
