import { table } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'

const KEY = { who: { S: 'ada' } }

/** The attributes that an update returns. */
function returned(ReturnValues: string, before?: object): object | undefined {
  const fixture = new EngineFixture()
  fixture.ask('CreateTable', table('people', ['who']))
  if (before !== undefined) fixture.ask('PutItem', { TableName: 'people', Item: { ...KEY, ...before } })
  return fixture.ask('UpdateItem', {
    TableName: 'people',
    Key: KEY,
    UpdateExpression: 'SET score = :score ADD visits :one',
    ExpressionAttributeValues: { ':score': { N: '7' }, ':one': { N: '1' } },
    ReturnValues,
  }).Attributes
}

const NEW = { score: { N: '7' }, visits: { N: '1' } }

describe('an update returns', () => {
  it.each([
    ['NONE', undefined],
    ['ALL_OLD', undefined],
    ['UPDATED_OLD', undefined],
    ['ALL_NEW', { ...KEY, ...NEW }],
    ['UPDATED_NEW', NEW],
  ])('with %s, of an item that it creates, %j', (wanted, attributes) => {
    expect(returned(wanted)).toEqual(attributes)
  })

  it.each([
    ['NONE', undefined],
    ['ALL_OLD', { ...KEY, visits: { N: '4' }, city: { S: 'x' } }],
    ['UPDATED_OLD', { visits: { N: '4' } }],
    ['ALL_NEW', { ...KEY, ...NEW, visits: { N: '5' }, city: { S: 'x' } }],
    ['UPDATED_NEW', { ...NEW, visits: { N: '5' } }],
  ])('with %s, of an item that exists, %j', (wanted, attributes) => {
    expect(returned(wanted, { visits: { N: '4' }, city: { S: 'x' } })).toEqual(attributes)
  })

  it('with UPDATED_OLD, nothing of attributes that the item did not have', () => {
    expect(returned('UPDATED_OLD', { city: { S: 'x' } })).toBeUndefined()
  })
})

describe('an update of an item that does not exist', () => {
  const SETS = { ':x': { SS: ['x'] } }
  const request = (UpdateExpression: string) => ({
    TableName: 'people',
    Key: KEY,
    UpdateExpression,
    ...(UpdateExpression.includes(':x') ? { ExpressionAttributeValues: SETS } : {}),
  })

  function fixtureWithTable(): EngineFixture {
    const fixture = new EngineFixture({ transactionMilliseconds: 0 })
    fixture.ask('CreateTable', table('people', ['who']))
    return fixture
  }

  it.each(['REMOVE a', 'REMOVE a.b, c[3]', 'DELETE a :x', 'DELETE a.b :x', 'REMOVE a DELETE b :x'])(
    'does nothing with "%s", alone and in a transaction, and is charged one unit',
    (expression) => {
      const fixture = fixtureWithTable()
      const alone = fixture.ask('UpdateItem', {
        ...request(expression),
        ReturnValues: 'ALL_NEW',
        ReturnConsumedCapacity: 'TOTAL',
      })
      expect(alone).toEqual({ ConsumedCapacity: { TableName: 'people', CapacityUnits: 1 } })
      fixture.ask('TransactWriteItems', { TransactItems: [{ Update: request(expression) }] })
      expect(fixture.ask('Scan', { TableName: 'people' })).toMatchObject({ Items: [], Count: 0 })
    },
  )

  it('does nothing when AttributeUpdates only delete', () => {
    const fixture = fixtureWithTable()
    fixture.ask('UpdateItem', {
      TableName: 'people',
      Key: KEY,
      AttributeUpdates: { a: { Action: 'DELETE' }, b: { Action: 'DELETE', Value: { SS: ['x'] } } },
    })
    expect(fixture.ask('Scan', { TableName: 'people' })).toMatchObject({ Items: [] })
  })

  it.each(['REMOVE a.b ADD c :x', 'SET c = :x REMOVE a[1]'])('creates it with "%s"', (expression) => {
    const fixture = fixtureWithTable()
    fixture.ask('UpdateItem', request(expression))
    expect(fixture.ask('Scan', { TableName: 'people' }).Items).toEqual([{ ...KEY, c: SETS[':x'] }])
  })

  it('creates it, with its key alone, without any action', () => {
    const fixture = fixtureWithTable()
    fixture.ask('UpdateItem', { TableName: 'people', Key: KEY })
    expect(fixture.ask('Scan', { TableName: 'people' }).Items).toEqual([KEY])
  })
})
