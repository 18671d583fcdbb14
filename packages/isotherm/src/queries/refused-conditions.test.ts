import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

/** The error of a query of a sharded table, that of the same query of any other table, and the number of requests to the sharded table. */
async function refusals(sortKey: string | undefined, asked: Partial<QueryCommandInput>) {
  const keys = { partitionKey: 'pk', ...(sortKey === undefined ? {} : { sortKey }) }
  const tables = new FakeTables().create('log', keys).create('plain', keys)
  const client = bareClient(tables)
  const db = isotherm(client, {
    tables: { log: { ...keys, suffix: 'random', shards: fixedShards(2), checkItems: false } },
  })
  const refused = (to: typeof client, TableName: string) =>
    to.send(new QueryCommand({ ...asked, TableName })).then(
      () => 'It was not refused.',
      ({ name, message }: Error) => ({ name, message }),
    )
  const sharded = await refused(db, 'log')
  const sent = tables.requests.length
  return { sharded, plain: await refused(client, 'plain'), sent }
}

const pk = { S: 'k' }

describe('a key condition that DynamoDB refuses', () => {
  it.each([
    ['a table without a sort key, with a second condition', undefined, 'pk = :k AND at > :n', { N: '1' }],
    ['a table without a sort key, with another condition only', undefined, 'at = :n AND pk > :k', { N: '1' }],
    [
      'a table with a sort key, with a condition on something else',
      'at',
      'pk = :k AND rank > :n',
      { N: '1' },
    ],
    [
      'a table with a sort key, with two conditions on it',
      'at',
      'pk = :k AND at > :n AND at < :n',
      { N: '1' },
    ],
  ])('is refused in the same words for %s', async (_what, sortKey, KeyConditionExpression, n) => {
    const { sharded, plain, sent } = await refusals(sortKey, {
      KeyConditionExpression,
      ExpressionAttributeValues: { ':k': pk, ':n': n },
    })
    expect(plain).toMatchObject({ message: expect.stringContaining('key') })
    expect(sharded).toEqual({ ...(plain as object), name: 'ValidationException' })
    expect(sent).toBe(0)
  })

  it.each(['at = :n', 'at < :n', 'at >= :n', 'at BETWEEN :n AND :n'])(
    'is refused before anything is sent, with a number that is none: %s',
    async (condition) => {
      const { sharded, sent } = await refusals('at', {
        KeyConditionExpression: `pk = :k AND ${condition}`,
        ExpressionAttributeValues: { ':k': pk, ':n': { N: 'one' } },
      })
      expect(sharded).toMatchObject({
        name: 'ValidationException',
        message: expect.stringMatching(/numeric value/),
      })
      expect(sent).toBe(0)
    },
  )
})
