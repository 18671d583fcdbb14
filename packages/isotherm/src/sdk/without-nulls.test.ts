import { describe, expect, it } from 'vitest'
import { withoutNulls } from './without-nulls.js'

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

describe('an input whose nulls are removed', () => {
  it('is the same object when it has none', () => {
    const input = { TransactItems: [{ Put: { TableName: 'log', Item: { pk: { S: 'k' } } } }] }
    expect(withoutNulls(input)).toBe(input)
  })

  it('lacks the null parameters, while the original still has them', () => {
    const input = frozen({ TableName: 'log', Limit: null, Key: { pk: null }, Expected: null })
    expect(withoutNulls(input)).toEqual({ TableName: 'log', Key: { pk: null } })
    expect(input).toHaveProperty('Limit', null)
  })

  it('lacks those inside batches and transactions, but keeps those inside keys and items', () => {
    const Item = { pk: null, list: { L: [null] } }
    const write = frozen({ RequestItems: { log: [{ PutRequest: { Item }, DeleteRequest: null }] } })
    expect(withoutNulls(write)).toEqual({ RequestItems: { log: [{ PutRequest: { Item } }] } })
    const read = frozen({
      RequestItems: { log: { Keys: [{ pk: null }], ConsistentRead: null }, other: null },
    })
    expect(withoutNulls(read)).toEqual({ RequestItems: { log: { Keys: [{ pk: null }] } } })
    const Put = { TableName: 'log', Item, ConditionExpression: null }
    const transaction = frozen({ TransactItems: [{ Put, Update: null }], ClientRequestToken: null })
    expect(withoutNulls(transaction)).toEqual({ TransactItems: [{ Put: { TableName: 'log', Item } }] })
  })
})
