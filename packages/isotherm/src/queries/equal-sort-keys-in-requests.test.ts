import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import type { Item } from '@isotherm/semantics'
import { describe, expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { isotherm } from '../client/isotherm.js'
import { dynamicShards, fixedShards } from '../scaling/shards.js'

const keys = { partitionKey: 'pk', sortKey: 'at' }
const SHARDS = 5
/** In the key whose shards are drained, the shards above this one are retired. */
const KEPT = 2

/** A key with a random suffix, and items with the sort key 7 in these shards. */
function setUp({ itemsIn, isDrained }: { itemsIn: readonly number[]; isDrained: boolean }) {
  const tables = new FakeTables().create('log', keys).create('log_shard_map', { partitionKey: 'pk' })
  const put = (TableName: string, item: Item) => tables.execute('PutItem', { TableName, Item: item })
  put('log_shard_map', {
    pk: { S: 'k' },
    number_of_shards: { N: String(KEPT) },
    last_updated: { N: '12' },
    shard_history: { SS: [`10:${SHARDS}`, `11:${KEPT}`] },
  })
  const itemOf = (shard: number) => ({
    pk: { S: `k_${shard}` },
    at: { N: '7' },
    origin: { N: String(shard) },
  })
  for (const shard of itemsIn) put('log', itemOf(shard))
  /** Moves an item as a process does that drains its shard. */
  const move = (from: number, to: number) => {
    put('log', { ...itemOf(from), pk: { S: `k_${to}` }, isotherm_moved: { S: `${from}:${to}:1` } })
    tables.remove('log', itemOf(from))
  }
  const shards = isDrained ? dynamicShards() : fixedShards(SHARDS)
  const db = isotherm(bareClient(tables), {
    tables: { log: { ...keys, suffix: 'random', shards, checkItems: false } },
    clock: new VirtualClock(),
    random: new SeededRandom(3),
  })
  const pageAfter = async (shard: number | undefined, more: Partial<QueryCommandInput> = {}) => {
    tables.requests.length = 0
    const start =
      shard === undefined ? {} : { ExclusiveStartKey: { pk: { S: `k_${shard}` }, at: { N: '7' } } }
    const { Items = [], LastEvaluatedKey } = await db.send(
      new QueryCommand({
        TableName: 'log',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'k' } },
        ...start,
        ...more,
      }),
    )
    return { origins: Items.map(({ origin }) => Number(origin?.N)), end: LastEvaluatedKey?.pk?.S }
  }
  /** The shards that were asked for the sort key of the position again. */
  const askedAgain = () =>
    tables.requests
      .filter(({ operation, input }) => operation === 'Query' && input.ExclusiveStartKey === undefined)
      .map(({ input }) => Number(input.ExpressionAttributeValues[':isotherm_partition'].S.slice(2)))
  return { move, pageAfter, askedAgain }
}

describe('a page that begins between items with equal sort keys', () => {
  it('asks only the shards behind its position for that sort key again', async () => {
    const { pageAfter, askedAgain } = setUp({ itemsIn: [1, 2, 3, 4, 5], isDrained: false })
    expect((await pageAfter(2)).origins).toEqual([3, 4, 5])
    expect(askedAgain()).toEqual([3, 4, 5])
  })

  it.each([true, false])(
    'returns an item that was moved from behind its position to before it, forward: %s',
    async (ScanIndexForward) => {
      const { move, pageAfter } = setUp({ itemsIn: [2, 5], isDrained: true })
      expect(await pageAfter(undefined, { Limit: 1, ScanIndexForward })).toEqual({ origins: [2], end: 'k_2' })
      move(5, 1)
      expect((await pageAfter(2, { ScanIndexForward })).origins).toEqual([5])
    },
  )

  it('returns no item again that was moved after its page', async () => {
    const { move, pageAfter } = setUp({ itemsIn: [2, 4, 5], isDrained: true })
    expect(await pageAfter(2, { Limit: 1 })).toEqual({ origins: [4], end: 'k_4' })
    move(4, 1)
    expect((await pageAfter(4)).origins).toEqual([5])
  })

  it('asks the shards to which items are moved for that sort key again, and no retired shard before it', async () => {
    const { pageAfter, askedAgain } = setUp({ itemsIn: [2, 4, 5], isDrained: true })
    expect((await pageAfter(4)).origins).toEqual([5])
    expect(askedAgain()).toEqual([5, 1, 2])
  })

  it('asks no shard for that sort key again if its position is in the last shard', async () => {
    const { pageAfter, askedAgain } = setUp({ itemsIn: [2, 4, 5], isDrained: true })
    expect((await pageAfter(5)).origins).toEqual([])
    expect(askedAgain()).toEqual([])
  })
})
