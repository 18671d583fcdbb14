import { describe, expect, it } from 'vitest'
import { openedStream, planOf, positionOf, tableOf } from '../../test/opened-stream.js'
import type { KnownIndex } from '../indexes/index-options.js'
import { fixedShards } from '../scaling/shards.js'
import type { StoredKey } from './query-source.js'
import { restAfter } from './shard-query.js'

describe('the rest of a shard without sort keys, after the last item of a page', () => {
  const byStatus: KnownIndex = {
    kind: 'sharded',
    name: 'by_status',
    partitionKey: 'status',
    sortKey: undefined,
    shards: fixedShards(3),
    shard: { in: 'shadow-key', attribute: 'status_shard' },
  }
  const inIndex = {
    IndexName: 'by_status',
    KeyConditionExpression: '#s = :s',
    ExpressionAttributeNames: { '#s': 'status' },
    ExpressionAttributeValues: { ':s': { S: 'open' } },
  }
  const key: StoredKey = { pk: { S: 'k_9' }, at: { N: '5' }, status_shard: { S: 'open_2' } }
  const place = { sort: undefined, shard: 2, key }

  it('continues after that item in its shard of an index, and is everything in later shards', () => {
    const { table } = tableOf({ indexes: [byStatus] })
    const plan = planOf(table, inIndex)
    const { range } = plan
    expect(restAfter(plan, 1, place, false)).toBeUndefined()
    expect(restAfter(plan, 2, place, false)).toEqual({ range, startKey: key })
    expect(restAfter(plan, 3, place, false)).toEqual({ range, startKey: undefined })
  })

  it('is nothing in its shard of the table, which has at most one item', () => {
    const { table } = tableOf({ sortKey: undefined })
    const plan = planOf(table)
    const { range } = plan
    expect(restAfter(plan, 1, place, false)).toBeUndefined()
    expect(restAfter(plan, 2, place, false)).toBeUndefined()
    expect(restAfter(plan, 3, place, false)).toEqual({ range, startKey: undefined })
  })
})

describe('the request to a shard', () => {
  const after = (at: number) => ({ ...positionOf(at, 1), key: {} })

  it("has the query's own condition, so that the service evaluates no other items", async () => {
    const { stream, requests } = openedStream({
      input: {
        KeyConditionExpression: 'pk = :k AND begins_with(#at, :p)',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':p': { S: '2026-' } },
      },
      shard: 3,
    })
    await stream.fetch(10, undefined)
    expect(requests).toEqual([
      {
        TableName: 'log',
        KeyConditionExpression:
          '#isotherm_partition = :isotherm_partition AND begins_with(#isotherm_sort, :isotherm_low)',
        ExpressionAttributeNames: { '#isotherm_partition': 'pk', '#isotherm_sort': 'at' },
        ExpressionAttributeValues: { ':isotherm_partition': { S: 'k_3' }, ':isotherm_low': { S: '2026-' } },
        Limit: 10,
        ReturnConsumedCapacity: 'TOTAL',
      },
    ])
  })

  it.each([
    [true, '>='],
    [false, '<='],
  ])('has a condition of its own for the rest of its items: ascending %s', async (forward, operator) => {
    const { stream, requests } = openedStream({
      input: { ScanIndexForward: forward },
      shard: 3,
      restOf: (plan) => restAfter(plan, 3, after(5), false),
    })
    await stream.fetch(undefined, undefined)
    const [{ KeyConditionExpression, ExpressionAttributeValues = {} } = {}] = requests
    expect(KeyConditionExpression).toBe(
      `#isotherm_partition = :isotherm_partition AND #isotherm_sort ${operator} :isotherm_low`,
    )
    expect(ExpressionAttributeValues[':isotherm_low']).toEqual({ N: '5' })
  })
})
