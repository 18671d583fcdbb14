import { beforeEach, describe, expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'
import { itemsAhead } from './items-ahead.js'

const things = { pk: { S: 'a' }, n: { N: '1.0' }, b: { B: 'AA==' }, s: { SS: ['b', 'a'] } }
const put = (Item: object) => ({ RequestItems: { things: [{ PutRequest: { Item } }] } })

const insert = () => ({
  Statement: "INSERT INTO things VALUE {'pk': ?, 'n': ?, 'b': ?, 's': ?}",
  Parameters: [things.pk, things.n, things.b, things.s],
})

/** Executes a request whose items have been decoded ahead. */
function ask(fixture: EngineFixture, operation: string, input: object): unknown {
  const steps = [...itemsAhead(operation, input)]
  expect(steps.length).toBeGreaterThan(0)
  return fixture.ask(operation, input)
}

describe('items that were decoded ahead', () => {
  let fixture: EngineFixture
  beforeEach(() => {
    fixture = new EngineFixture({ throttle: false, transactionMilliseconds: 0 })
    fixture.ask('CreateTable', {
      TableName: 'things',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    })
  })
  const stored = () => fixture.ask('GetItem', { TableName: 'things', Key: { pk: { S: 'a' } } })

  it.each([
    ['PutItem', { TableName: 'things', Item: things }],
    ['BatchWriteItem', put(things)],
    ['TransactWriteItems', { TransactItems: [{ Put: { TableName: 'things', Item: things } }] }],
    ['BatchExecuteStatement', { Statements: [insert()] }],
    ['ExecuteTransaction', { TransactStatements: [insert()] }],
  ])('are those that %s writes', async (operation, input) => {
    await ask(fixture, operation, input)
    expect(JSON.parse(JSON.stringify(stored()))).toEqual({
      Item: { ...things, n: { N: '1' }, s: { SS: ['a', 'b'] } },
    })
  })

  it('are the same to a client: a refused write is returned as it was sent', () => {
    const input = put({ ...things })
    for (const _ of itemsAhead('BatchWriteItem', input));
    expect(JSON.stringify(input)).toBe(JSON.stringify(put(things)))
    expect(Object.keys(input.RequestItems.things[0]?.PutRequest.Item ?? {})).toEqual(Object.keys(things))
  })

  it('are used once, so that a second request with the same object gets an item of its own', () => {
    const input = put({ ...things })
    ask(fixture, 'BatchWriteItem', input)
    const first = stored()
    fixture.ask('BatchWriteItem', input)
    expect(stored()).toEqual(first)
  })

  it('are used once by statements, too', async () => {
    const input = { Statements: [insert()] }
    await ask(fixture, 'BatchExecuteStatement', input)
    const [first] = input.Statements
    first?.Parameters.splice(1, 1, { N: '2' })
    const update = { Statement: 'UPDATE things SET n = ? WHERE pk = ?', Parameters: [{ N: '2' }, things.pk] }
    await ask(fixture, 'BatchExecuteStatement', { Statements: [update] })
    update.Parameters[0] = { N: '3' }
    fixture.ask('BatchExecuteStatement', { Statements: [update] })
    expect(stored()).toMatchObject({ Item: { n: { N: '3' } } })
  })

  const update = (value: object) => ({
    TransactItems: [
      {
        Update: {
          TableName: 'things',
          Key: { pk: things.pk },
          UpdateExpression: 'SET n = :n',
          ExpressionAttributeValues: { ':n': value },
        },
      },
    ],
  })

  it.each(['1.0', '2'])('are the values of placeholders in a transaction, too: %s', async (text) => {
    const input = update({ N: text })
    await ask(fixture, 'TransactWriteItems', input)
    expect(stored()).toEqual({ Item: { pk: things.pk, n: { N: String(Number(text)) } } })
    const [action] = input.TransactItems
    if (action !== undefined) action.Update.ExpressionAttributeValues[':n'] = { N: '3' }
    await fixture.ask('TransactWriteItems', input)
    expect(stored()).toMatchObject({ Item: { n: { N: '3' } } })
  })

  it('leave bad values of placeholders to the operation', () => {
    expect(() => ask(fixture, 'TransactWriteItems', update({ N: 'x' }))).toThrow(
      'cannot be converted to a numeric value',
    )
    const many = Object.fromEntries(Array.from({ length: 7_000 }, (_, n) => [`:${n}`, { N: '1' }]))
    const [action] = update({ N: '1' }).TransactItems
    const odd = { ...action?.Update, ExpressionAttributeValues: many }
    const input = { TransactItems: [{ Update: odd }, { Update: null }, null, 1] }
    expect([...itemsAhead('TransactWriteItems', input)].length).toBeLessThan(20)
  })

  it('leave bad parameters to the operation', async () => {
    const bad = { Statement: 'SELECT * FROM things WHERE pk = ?', Parameters: [{ N: 'x' }] }
    for (const odd of [{ Statements: [bad, null, {}] }, { Statements: 1 }, {}]) {
      expect(() => [...itemsAhead('BatchExecuteStatement', odd)]).not.toThrow()
    }
    const { Responses } = (await fixture.ask('BatchExecuteStatement', { Statements: [bad] })) as {
      readonly Responses: readonly unknown[]
    }
    expect(Responses).toMatchObject([{ Error: { Code: 'ValidationError' } }])
  })

  it('leave errors to the operation', () => {
    const input = put({ pk: { S: 'a' }, n: { N: 'x' } })
    expect(() => ask(fixture, 'BatchWriteItem', input)).toThrow('cannot be converted to a numeric value')
    for (const odd of [null, {}, { RequestItems: 1 }, { RequestItems: { things: [null, 1, {}] } }]) {
      expect(() => [...itemsAhead('BatchWriteItem', odd)]).not.toThrow()
    }
  })
})
