import { table } from '@isotherm/fixtures'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EngineFixture } from './engine.fixture.js'

const TableName = 'things'
const numbers = Array.from({ length: 40 }, (_, number) => number)

/** The keys of a scan, and of the index entries whose keys are equal, after items were written in some order. */
function orderAfter(order: readonly number[]): readonly unknown[] {
  const fixture = new EngineFixture({ throttle: false })
  fixture.ask('CreateTable', table(TableName, ['id'], { global: { by_kind: ['kind'] } }))
  for (const number of order) {
    fixture.ask('PutItem', {
      TableName,
      Item: { id: { S: `thing-${number}` }, kind: { S: `${number % 2}` } },
    })
  }
  const query = {
    TableName,
    IndexName: 'by_kind',
    KeyConditionExpression: 'kind = :k',
    ExpressionAttributeValues: { ':k': { S: '1' } },
  }
  return [fixture.ask('Scan', { TableName }), fixture.ask('Query', query)].map(({ Items }) => Items)
}

it('the order of a scan, and of index entries with equal keys, does not depend on the order of writes', () => {
  const expected = orderAfter(numbers)
  fc.assert(
    fc.property(fc.shuffledSubarray(numbers, { minLength: numbers.length }), (order) => {
      expect(orderAfter(order)).toEqual(expected)
    }),
    { numRuns: 20 },
  )
})
