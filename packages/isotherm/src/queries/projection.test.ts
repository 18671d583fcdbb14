import { describe, expect, it } from 'vitest'
import { fetchedAttributes } from './projection.js'

const NEEDED = ['at', 'moved']

describe('the attributes that are requested from shards', () => {
  it('are whole items if the application asks for whole items', () => {
    expect(fetchedAttributes({ TableName: 'log' }, NEEDED)).toEqual({
      request: {},
      names: {},
      hidden: [],
      isWhole: true,
    })
    expect(fetchedAttributes({ TableName: 'log', Select: 'ALL_ATTRIBUTES' }, NEEDED)).toMatchObject({
      request: { Select: 'ALL_ATTRIBUTES' },
      isWhole: true,
    })
  })

  it('are only those that are needed, for a count', () => {
    expect(fetchedAttributes({ TableName: 'log', Select: 'COUNT' }, NEEDED)).toEqual({
      request: { ProjectionExpression: '#isotherm_fetched0, #isotherm_fetched1' },
      names: { '#isotherm_fetched0': 'at', '#isotherm_fetched1': 'moved' },
      hidden: NEEDED,
      isWhole: false,
    })
  })

  it('are in addition those that are needed and not requested', () => {
    const input = {
      TableName: 'log',
      ProjectionExpression: 'colour, #a',
      ExpressionAttributeNames: { '#a': 'at' },
    }
    expect(fetchedAttributes(input, NEEDED)).toEqual({
      request: { ProjectionExpression: 'colour, #a, #isotherm_fetched0' },
      names: { '#isotherm_fetched0': 'moved' },
      hidden: ['moved'],
      isWhole: false,
    })
  })

  it('keep the Select of the application beside its projection, also one that the service rejects', () => {
    const input = { TableName: 'log', ProjectionExpression: 'at, moved' }
    expect(fetchedAttributes({ ...input, Select: 'SPECIFIC_ATTRIBUTES' }, NEEDED).request).toEqual({
      ProjectionExpression: 'at, moved',
      Select: 'SPECIFIC_ATTRIBUTES',
    })
    expect(fetchedAttributes({ ...input, Select: 'COUNT' }, NEEDED).request.Select).toBe('COUNT')
  })

  it('are a whole key attribute instead of a path into it', () => {
    expect(
      fetchedAttributes({ TableName: 'log', ProjectionExpression: 'colour, moved.deeper, at' }, NEEDED)
        .request,
    ).toEqual({ ProjectionExpression: 'colour, at, #isotherm_fetched0' })
    expect(
      fetchedAttributes({ TableName: 'log', ProjectionExpression: 'moved.deeper' }, ['moved']).request,
    ).toEqual({ ProjectionExpression: '#isotherm_fetched0' })
  })
})
