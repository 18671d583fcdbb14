import { ScanCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { answerWith, ScriptedClient } from '../../../test/scripted-client.js'
import { Suffix } from '../../keys/suffix.js'
import type { ShardedTable } from '../../options/sharded-table.js'
import { requireItems, type Sample, SMALL_SAMPLE } from './require-items.js'

const TABLE = { name: 'log', partitionKey: 'pk', sortKey: 'sk', suffix: 'random' } as ShardedTable
const KEYS = { '#first': 'pk', '#second': 'sk' }
const Items = [{ pk: { S: 'k_1' }, sk: { N: '1' } }]
const LastEvaluatedKey = Items[0]

/** A page of the table that took this many read units. */
const page = (CapacityUnits: number, more: object = {}) =>
  answerWith({ Items, ConsumedCapacity: { TableName: 'log', CapacityUnits }, ...more })

interface Setting {
  readonly options?: ShardedTable
  readonly sample?: Sample
  readonly random?: number
}

/** Reads a sample of a table that answers like this, and the scans that were sent for it. */
async function sampled(answers: readonly object[], { options = TABLE, sample, random = 0 }: Setting = {}) {
  const scripted = new ScriptedClient(...answers)
  const compared = await requireItems(
    {
      options,
      client: scripted.client,
      random: { next: () => random },
      suffix: new Suffix('log', '_', false),
    },
    { shards: 'fixedShards', count: 1 },
    sample,
  )
  const scans = scripted.requests.filter(({ command }) => command instanceof ScanCommand)
  return { compared, requests: scans.map(({ input }) => input) }
}

describe('the sample of a small table', () => {
  const request = { TableName: 'log', ReturnConsumedCapacity: 'TOTAL', Limit: 100 }

  it('is one page of the primary keys', async () => {
    expect(await sampled([answerWith({ Items })])).toEqual({
      compared: 1,
      requests: [{ ...request, ProjectionExpression: '#first, #second', ExpressionAttributeNames: KEYS }],
    })
  })

  it('asks for no sort key where the table has none', async () => {
    const options = { ...TABLE, sortKey: undefined }
    const { requests } = await sampled([answerWith({ Items })], { options })
    expect(requests).toEqual([
      { ...request, ProjectionExpression: '#first', ExpressionAttributeNames: { '#first': 'pk' } },
    ])
  })

  it('is empty where the page has no items', async () => {
    expect(await sampled([answerWith()])).toMatchObject({ compared: 0, requests: [{}] })
  })
})

describe('the sample of a large table', () => {
  const segmentsOf = (requests: readonly object[]) =>
    requests.slice(1).map((input) => (input as { readonly Segment?: number }).Segment)

  it('has the first items of each part of the hash space', async () => {
    const { compared, requests } = await sampled([page(1, { LastEvaluatedKey })], { random: 0.5 })
    expect(segmentsOf(requests)).toEqual(Array.from({ length: 24 }, (_, at) => at))
    expect(requests[1]).toEqual({
      TableName: 'log',
      ProjectionExpression: '#first, #second',
      ExpressionAttributeNames: KEYS,
      ReturnConsumedCapacity: 'TOTAL',
      TotalSegments: 24,
      Segment: 0,
      Limit: 20,
    })
    expect(compared).toBe(25)
  })

  it.each([
    [0, [0, 8, 16]],
    [0.999, [23, 7, 15]],
  ])('has parts at equal distances if it is small, from a random one on (%d)', async (random, segments) => {
    const { requests } = await sampled([page(1, { LastEvaluatedKey })], { sample: SMALL_SAMPLE, random })
    expect(segmentsOf(requests)).toEqual(segments)
    expect(requests.map(({ Limit }) => Limit)).toEqual([25, 5, 5, 5])
  })

  it.each([
    [256, 25],
    [256.5, 1],
  ])('ends with the first page if that took more than 256 read units: %d', async (units, requests) => {
    const sample = await sampled([page(units, { LastEvaluatedKey }), page(0)])
    expect(sample.requests).toHaveLength(requests)
  })

  it('ends with the parts that are being read once they took more than 256 read units', async () => {
    // Four parts at a time: the fifth to the eighth follow, because the first four took exactly 256.
    const { requests } = await sampled([page(0, { LastEvaluatedKey }), page(64)])
    expect(requests).toHaveLength(1 + 8)
  })

  it('is read as a whole where the engine does not say how many units it took', async () => {
    const { compared } = await sampled([answerWith({ Items, LastEvaluatedKey }), answerWith({ Items })])
    expect(compared).toBe(25)
  })
})
