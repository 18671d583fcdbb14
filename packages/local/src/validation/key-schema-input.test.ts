import { describe, expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const many = <T>(count: number, each: (number: number) => T) =>
  Array.from({ length: count }, (_, at) => each(at))

describe('a new table', () => {
  const failure = (input: object) =>
    new EngineFixture().failure('CreateTable', {
      TableName: 'things',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'a0', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'a0', AttributeType: 'S' }],
      ...input,
    })

  it('is refused with more definitions than any table can use', () => {
    const definitions = many(501, (n) => ({ AttributeName: `a${n}`, AttributeType: 'S' }))
    expect(failure({ AttributeDefinitions: definitions })).toContain(
      'Number of attributes in KeySchema does not exactly match',
    )
  })

  it('is refused for a long key schema, of which the first hundred elements are printed', () => {
    const elements = many(101, (n) => ({ AttributeName: `a${n}`, KeyType: 'HASH' }))
    const text = failure({ KeySchema: elements })
    expect(text).toContain('KeySchemaElement(attributeName=a99, keyType=HASH), ...]')
    expect(text).not.toContain('a100')
  })
})
