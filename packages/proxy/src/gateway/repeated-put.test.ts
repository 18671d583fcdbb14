import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, SystemClock } from '@isotherm/runtime'
import { fixedShards } from 'isotherm'
import { describe, expect, inject, it } from 'vitest'
import { Gateway } from './gateway.js'

const ITEMS = 40
const never = new AbortController().signal

/** How many items are stored after a caller has put each of them twice, as SDKs do when the first answer is lost. */
async function storedAfterTwo(suffix: 'random' | 'calculated', condition: object): Promise<number> {
  const local = createLocal({ throttle: false })
  const client = local.client()
  await client.send(createTable('log', ['doc', 'seq:N']))
  const gateway = new Gateway({
    client: new DynamoDBClient(local.connection()),
    options: {
      tables: { log: { partitionKey: 'doc', sortKey: 'seq', suffix, shards: fixedShards(8) } },
      random: new SeededRandom(inject('seed')),
    },
    clock: new SystemClock(),
  })
  for (let at = 0; at < ITEMS; at++) {
    const input = { TableName: 'log', Item: { doc: { S: 'a' }, seq: { N: `${at}` } }, ...condition }
    const body = Buffer.from(JSON.stringify(input))
    const request = { target: 'DynamoDB_20120810.PutItem', headers: {}, body, text: body }
    const [first] = [await gateway.execute(request, never), await gateway.execute(request, never)]
    expect(first.answer.status).toBe(200)
  }
  let stored = 0
  for await (const { Items = [] } of paginateScan({ client }, { TableName: 'log' })) {
    stored += Items.filter(({ seq }) => Number(seq?.N) >= 0).length
  }
  gateway.destroy()
  await local.close()
  return stored
}

describe('a put that a caller repeats because its answer was lost', () => {
  it('can store an item with a random suffix twice', async () => {
    expect(await storedAfterTwo('random', {})).toBeGreaterThan(ITEMS)
  })

  it.each([
    ['a calculated suffix', 'calculated', {}],
    [
      'a random suffix and a condition that the item is new',
      'random',
      { ConditionExpression: 'attribute_not_exists(seq)' },
    ],
  ] as const)('stores it once with %s', async (_, suffix, condition) => {
    expect(await storedAfterTwo(suffix, condition)).toBe(ITEMS)
  })
})
