import { table } from '@isotherm/fixtures'
import { expect, it } from 'vitest'
import { EngineFixture } from '../engine/engine.fixture.js'
import { answerLarge } from './aws-json.js'

it('prints the items that a batch returns over many turns of the event loop', async () => {
  const fixture = new EngineFixture()
  fixture.ask('CreateTable', {
    ...table('small', ['pk']),
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
  })
  const writes = Array.from({ length: 25 }, (_, number) => ({
    PutRequest: {
      Item: { pk: { S: `${number}` }, v: { L: Array.from({ length: 20_000 }, () => ({ NULL: true })) } },
    },
  }))
  const { body } = await answerLarge(
    fixture.engine,
    {
      target: 'DynamoDB_20120810.BatchWriteItem',
      authorization: undefined,
      host: undefined,
      body: Buffer.from(JSON.stringify({ RequestItems: { small: writes } })),
    },
    'eu-central-1',
    (error) => {
      throw error
    },
  )
  // A body that is printed at once is one text.
  if (!Array.isArray(body)) throw new Error('The body was printed at once.')
  const { UnprocessedItems } = JSON.parse(Buffer.concat(body).toString())
  expect(UnprocessedItems.small.length).toBeGreaterThan(20)
  expect(UnprocessedItems.small.at(-1)).toEqual(writes.at(-1))
})
