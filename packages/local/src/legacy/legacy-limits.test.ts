import { beforeEach, describe, expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const KEY = { pk: { S: 'a' } }
const fields = (count: number, member: object) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, member]))
const EQUALS = { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'x' }] }
const KEY_CONDITIONS = { pk: { ...EQUALS, AttributeValueList: [KEY.pk] } }

const PARAMETERS: readonly (readonly [
  name: string,
  operation: string,
  request: (count: number) => object,
])[] = [
  [
    'AttributeUpdates',
    'UpdateItem',
    (n) => ({ Key: KEY, AttributeUpdates: fields(n, { Action: 'DELETE' }) }),
  ],
  ['Expected', 'PutItem', (n) => ({ Item: KEY, Expected: fields(n, { Exists: false }) })],
  ['ScanFilter', 'Scan', (n) => ({ ScanFilter: fields(n, { ComparisonOperator: 'NULL' }) })],
  ['QueryFilter', 'Query', (n) => ({ KeyConditions: KEY_CONDITIONS, QueryFilter: fields(n, EQUALS) })],
]

describe('legacy parameters', () => {
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

  it.each(PARAMETERS)('%s may name 10,000 attributes, and no more', (name, operation, request) => {
    const ask = (count: number) => ({ TableName: 'things', ...request(count) })
    expect(() => fixture.ask(operation, ask(10_000))).not.toThrow()
    expect(fixture.failure(operation, ask(10_001))).toBe(
      `ValidationException: ${name} names 10001 attributes. This engine accepts at most 10000 in one request; nothing was done. Name fewer attributes.`,
    )
  })

  it.each([
    ['one condition', (n: number) => ({ a: { ComparisonOperator: 'IN', AttributeValueList: values(n) } })],
    [
      'all conditions together',
      (n: number) => ({
        a: { ComparisonOperator: 'IN', AttributeValueList: values(n - 6000) },
        b: { ComparisonOperator: 'IN', AttributeValueList: values(6000) },
      }),
    ],
  ])('may have 10,000 values in %s, and no more', (_, conditions) => {
    const scan = (count: number) => ({ TableName: 'things', ScanFilter: conditions(count) })
    const put = (count: number) => ({ TableName: 'things', Item: KEY, Expected: conditions(count) })
    expect(fixture.ask('Scan', scan(10_000))).toMatchObject({ Count: 0 })
    expect(fixture.failure('Scan', scan(10_001))).toContain('have 10001 values in their AttributeValueList')
    expect(fixture.failure('PutItem', put(10_000))).toMatch(/^ConditionalCheckFailedException/)
    expect(fixture.failure('PutItem', put(10_001))).toContain('have 10001 values in their AttributeValueList')
  })
})

function values(count: number): object[] {
  return Array.from({ length: count }, (_, n) => ({ N: `${n}` }))
}
