import { describe, expect, it } from 'vitest'
import { commandText } from './command-text.js'
import { commandOf, type QueriedTable } from './commands.js'
import { tokensOf } from './tokens.js'

const LOG: QueriedTable = {
  name: 'log',
  partitionKey: 'pk',
  sortKey: 'sk',
  sortType: 'N',
  indexes: [{ name: 'by_status', partitionKey: 'status', sortKey: 'at' }],
}
const ORDERS: QueriedTable = { ...LOG, name: 'orders', sortType: 'S', indexes: [] }
const TABLES = new Map([LOG, ORDERS].map((table) => [table.name, table]))

function commandIn(text: string) {
  const [word, ...tokens] = tokensOf(text)
  return commandOf(word?.text ?? '', tokens, TABLES)
}

describe('a command that a script writes', () => {
  it.each([
    'put k/1',
    'put k/1 colour=red n=2 text="light red" set={"SS":["a"]} long=x*1500',
    'put orders:"a b"/"c/d" n=1 if attribute_not_exists ( n ) OR n < 5 returning old',
    'get k/1',
    'get orders:k/one consistent',
    'update k/1 SET colour = "red" , n = n + 1 ADD times 1 if colour = "blue" returning new',
    'update k/1 SET `last_of_p1#4` = 7 REMOVE colour',
    'delete k/1 if attribute_exists ( pk )',
    'query k',
    'query orders:k backward consistent limit 3',
    'query k from 5 to 9 after k_4/7',
    'query open index by_status limit 2',
    'batch get k/1; k/2; orders:k/1 consistent',
    'batch write put k/1 n=1; delete k/2',
    'transact get k/1; orders:k/1',
    'transact write token abc put k/1 n=1 if attribute_not_exists ( pk ); update k/2 ADD n 1; check k/3 if n = 1; delete k/4',
    'send Scan {"TableName":"log"}',
  ])('is written again as it was: %s', (text) => {
    const { operation, input } = commandIn(text)
    expect(commandText(operation, input, TABLES)).toBe(text)
  })

  it('is one of the SDK', () => {
    expect(commandIn('update k/1 SET colour = "red" , n = n + 1 if colour = "blue" returning new')).toEqual({
      operation: 'UpdateItem',
      pages: false,
      next: false,
      input: {
        TableName: 'log',
        Key: { pk: { S: 'k' }, sk: { N: '1' } },
        UpdateExpression: 'SET #n0 = :v0 , #n1 = #n1 + :v1',
        ConditionExpression: '#n0 = :v2',
        ReturnValues: 'ALL_NEW',
        ExpressionAttributeNames: { '#n0': 'colour', '#n1': 'n' },
        ExpressionAttributeValues: { ':v0': { S: 'red' }, ':v1': { N: '1' }, ':v2': { S: 'blue' } },
      },
    })
  })

  it('that it has no words for is written as it is', () => {
    const input = { TableName: 'log', Key: { pk: { S: 'k' }, sk: { N: '1' } }, ProjectionExpression: 'n' }
    const text = commandText('GetItem', input, TABLES)
    expect(text).toBe(`send GetItem ${JSON.stringify(input)}`)
    expect(commandIn(text)).toMatchObject({ operation: 'GetItem', input })
  })
})
