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
