import { beforeEach, describe, expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const KEY = { pk: { S: 'a' } }
const fields = (count: number, each: (n: number) => readonly [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => each(n)))

describe('a request with more members than any can have', () => {
  let fixture: EngineFixture
  beforeEach(() => {
    fixture = new EngineFixture({ throttle: false })
    fixture.ask('CreateTable', {
      TableName: 'things',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    })
  })
  const update = (UpdateExpression: string, placeholders: object) =>
    fixture.failure('UpdateItem', { TableName: 'things', Key: KEY, UpdateExpression, ...placeholders })

  it('is refused for the first unused placeholders, and not for used ones', () => {
    const values = { ExpressionAttributeValues: fields(10_000, (n) => [`:a${n}`, { N: '1' }]) }
    expect(update('SET a = :a1', values)).toMatch(/unused in expressions: keys: \{:a0, :a2, .*:a1000\}$/)
    const names = { ExpressionAttributeNames: fields(10_000, (n) => [`#a${n}`, `a${n}`]) }
    expect(update('REMOVE #a0, #a999', names)).toMatch(
      /^ValidationException: 1 validation error detected: Value provided in ExpressionAttributeNames unused in expressions: keys: \{#a1, #a2, .*#a998, #a1000, #a1001\}$/,
    )
  })

  it('lists all unused placeholders when there are fewer', () => {
    const names = { ExpressionAttributeNames: fields(5000, (n) => [`#a${n}`, `a${n}`]) }
    expect(update('REMOVE #a0', names)).toMatch(/keys: \{#a1, .*#a4998, #a4999\}$/)
  })

  it('is refused for its tables, whatever is in them', () => {
    const requests = (count: number, member: unknown) => ({
      RequestItems: fields(count, (n) => [`things${n}`, member]),
    })
    expect(fixture.failure('BatchGetItem', requests(1001, null))).toBe(
      'ValidationException: Too many items requested for the BatchGetItem call',
    )
    const one = [{ DeleteRequest: { Key: KEY } }]
    expect(fixture.failure('BatchWriteItem', requests(1001, one)).slice(0, 20_000)).toBe(
      fixture.failure('BatchWriteItem', requests(1000, one)).slice(0, 20_000),
    )
  })

  it('prints a batch as JSON, and no more of it than 20,000 characters', () => {
    const bad = (count: number) => ({
      RequestItems: { 'bad!': { Keys: Array.from({ length: count }, () => ({ pk: { S: '"' } })) } },
    })
    expect(fixture.failure('BatchGetItem', bad(2))).toContain(
      `Value '{"bad!":{"Keys":[{"pk":{"S":"\\""}},{"pk":{"S":"\\""}}]}}' at 'requestItems'`,
    )
    expect(fixture.failure('BatchGetItem', bad(100_000)).length).toBeLessThan(21_000)
  })

  describe('and an expensive filter', () => {
    const ITEMS = 400
    const found = Array.from({ length: ITEMS }, (_, n) => n).filter((n) => n % 2 === 0)
    beforeEach(() => {
      for (let n = 0; n < ITEMS; n++) {
        fixture.ask('PutItem', { TableName: 'things', Item: { pk: { S: `${n}` }, n: { N: `${n % 2}` } } })
      }
    })

    it.each([
      [
        'Scan',
        {
          TableName: 'things',
          ConditionalOperator: 'OR',
          ReturnConsumedCapacity: 'TOTAL',
          ScanFilter: {
            ...fields(1000, (n) => [`a${n}`, { ComparisonOperator: 'NOT_NULL' }]),
            n: { ComparisonOperator: 'EQ', AttributeValueList: [{ N: '0' }] },
          },
        },
      ],
      [
        'ExecuteStatement',
        {
          Statement: `SELECT pk FROM things WHERE n = 0${' OR n = 2'.repeat(149)}`,
          ReturnConsumedCapacity: 'TOTAL',
        },
      ],
    ])('is answered by %s in a later turn, with the whole page', async (operation, input) => {
      const response = fixture.ask(operation, input)
      expect(response).toBeInstanceOf(Promise)
      // The page is of the time when it was read.
      for (const n of found) fixture.ask('DeleteItem', { TableName: 'things', Key: { pk: { S: `${n}` } } })
      const { Items, ConsumedCapacity } = await response
      expect(
        Items.map(({ pk }: { pk: { S: string } }) => Number(pk.S)).sort((a: number, b: number) => a - b),
      ).toEqual(found)
      expect(ConsumedCapacity.CapacityUnits).toBeGreaterThan(0)
    })
  })
})
