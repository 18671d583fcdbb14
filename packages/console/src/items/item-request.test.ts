import { describe, expect, it } from 'vitest'
import type { KeyDescription } from './item.js'
import { type ItemFilter, type ItemQuery, NO_FILTER, parseItemQuery } from './item-query.js'
import { itemRequest } from './item-request.js'

const ORDERS: KeyDescription = {
  TableName: 'orders',
  KeySchema: [
    { AttributeName: 'customer', KeyType: 'HASH' },
    { AttributeName: 'number', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'customer', AttributeType: 'S' },
    { AttributeName: 'number', AttributeType: 'N' },
  ],
}

const queryOf = (part: Partial<ItemQuery>): ItemQuery => ({ ...parseItemQuery(''), ...part })
const above7 = { operator: '>', value: '7', upper: '' } as const

describe('the request of a query', () => {
  it('is a Query with both conditions, if the partition key is given', () => {
    const { operation, input } = itemRequest(ORDERS, '', queryOf({ partition: ['ann'], sort: [above7] }))
    expect(operation).toBe('Query')
    expect(input).toMatchObject({
      KeyConditionExpression: '#0 = :0 AND #1 > :1',
      ExpressionAttributeValues: { ':0': { S: 'ann' }, ':1': { N: '7' } },
    })
    expect(input.FilterExpression).toBeUndefined()
  })

  it('is a Scan that filters by the sort key, if only that is given', () => {
    const { operation, input } = itemRequest(ORDERS, '', queryOf({ sort: [above7] }))
    expect(operation).toBe('Scan')
    expect(input).toMatchObject({
      FilterExpression: '#0 > :0',
      ExpressionAttributeNames: { '#0': 'number' },
      ExpressionAttributeValues: { ':0': { N: '7' } },
    })
    expect(input).not.toHaveProperty('KeyConditionExpression')
  })

  it.each([
    { value: '3', upper: '7', condition: '#1 BETWEEN :1 AND :2', values: ['3', '7'] },
    { value: '3', upper: '', condition: '#1 >= :1', values: ['3'] },
    { value: '', upper: '7', condition: '#1 <= :1', values: ['7'] },
  ])('takes a range from "$value" to "$upper", open at an end without a value', (range) => {
    const { value, upper, condition, values } = range
    const sort = [{ operator: 'between', value, upper } as const]
    const { input } = itemRequest(ORDERS, '', queryOf({ partition: ['ann'], sort }))
    expect(input.KeyConditionExpression).toBe(`#0 = :0 AND ${condition}`)
    expect(Object.values(Object(input.ExpressionAttributeValues)).slice(1)).toEqual(
      values.map((N) => ({ N })),
    )
  })

  it('has no condition for a range without ends', () => {
    const sort = [{ operator: 'between', value: '', upper: '' } as const]
    const { input } = itemRequest(ORDERS, '', queryOf({ partition: ['ann'], sort }))
    expect(input.KeyConditionExpression).toBe('#0 = :0')
  })

  it.each<Partial<ItemFilter>>([{ value: 'open' }, { operator: 'attribute_exists' }, { type: 'NULL' }])(
    'is refused with a filter that has %j and names no attribute',
    (part) => {
      const filters = [
        { ...NO_FILTER, attribute: 'state', value: 'paid' },
        { ...NO_FILTER, ...part },
      ]
      expect(() => itemRequest(ORDERS, '', queryOf({ filters }))).toThrow(
        'Filter 2 names no attribute. Write the name of the attribute to compare, or remove the filter.',
      )
    },
  )

  it('leaves out a filter that was added and not filled in', () => {
    expect(itemRequest(ORDERS, '', queryOf({ filters: [NO_FILTER] })).input).not.toHaveProperty(
      'FilterExpression',
    )
  })
})
