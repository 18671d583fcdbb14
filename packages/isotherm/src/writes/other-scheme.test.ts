import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { handSharded, MD5 } from '../../test/hand-sharded.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'
import { handMade } from './hand-made.js'
import type { HandMadeOptions } from './hand-made-options.js'

const get = new GetCommand({
  TableName: 'votes',
  Key: { campaign: 'Campaign#101', voted_at: '2026-01-01T00:00:12' },
})

/** The answer to a process with these changes of the scheme, in a table with items of the other scheme. */
async function answerTo(change: object, checkItems = true): Promise<object> {
  const { client, clock, close } = await handSharded(MD5)
  const suffix = handMade({ ...MD5.options, ...change } as HandMadeOptions)
  const votes = {
    partitionKey: 'campaign',
    sortKey: 'voted_at',
    suffix,
    shards: fixedShards(10),
    checkItems,
  }
  const db = isotherm(DynamoDBDocumentClient.from(client), { tables: { votes }, clock })
  try {
    return await clock.run(() => db.send(get))
  } finally {
    await close()
  }
}

describe('a process whose scheme differs from the one that has stored the items', () => {
  it.each([
    ['its function', { shardOf: (): number => 3 }, /"votes" looks for it in another shard.*checkHandMade/],
    ['its delimiter', { delimiter: '.' }, /"votes" has no shard with that name.*checkItems: false/],
    ['its numbers', { first: 0, shardOf: (): number => 0 }, /would not be found/],
  ])('is refused before its first request: %s', async (_what, change, message) => {
    await expect(answerTo(change)).rejects.toMatchObject({
      code: 'items.elsewhere',
      message: expect.stringMatching(message),
    })
  })

  it('is not compared without checkItems', async () => {
    expect(await answerTo({ shardOf: (): number => 3 }, false)).not.toHaveProperty('Item')
  })
})
