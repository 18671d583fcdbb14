import { type AttributeValue, BatchWriteItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { ScriptedClient, serviceError } from '../../test/scripted-client.js'
import type { LogicalKey, SuffixableKey } from '../keys/key.js'
import type { IndexCounts } from './index-counts.js'
import { IndexWrite, noteIndexWrite } from './index-write.js'
import { sensingClient } from './sensing-client.js'

const KEY = { S: 'open' } as SuffixableKey as LogicalKey
const RESOURCE = 'arn:aws:dynamodb:us-east-1:123456789012:table/files/index/by_status'

/** The counts of an index of the table, which keep what they are told. */
function countsOf(table: string) {
  const told: string[] = []
  const counts = {
    table,
    names: ['by_status'],
    offered: () => told.push('offered'),
    accepted: () => told.push('accepted'),
    tell: () => {},
    throttled: (_key: LogicalKey, _units: number, isFirst: boolean) =>
      told.push(isFirst ? 'throttled' : 'throttled again'),
  }
  return { told, counts: counts as unknown as IndexCounts }
}

/** An item with an entry under the value `open` in shard 1. */
function itemOf(counts: IndexCounts, id: string) {
  const status: AttributeValue = { S: 'open_1' }
  const stored = { status }
  const units = 1
  noteIndexWrite(status, new IndexWrite({ counts, key: KEY, shard: 1, stored, units, attemptsBefore: 0 }))
  return { id: { S: id }, status }
}

const batchOf = (items: Readonly<Record<string, readonly object[]>>) =>
  new BatchWriteItemCommand({
    RequestItems: Object.fromEntries(
      Object.entries(items).map(([table, list]) => [table, list.map((Item) => ({ PutRequest: { Item } }))]),
    ) as never,
  })

/** As the service returns them: other objects with the same values. */
const unprocessed = (table: string, ...items: readonly object[]) => ({
  UnprocessedItems: { [table]: items.map((Item) => ({ PutRequest: { Item: structuredClone(Item) } })) },
})

const indexThrottle = () =>
  serviceError('ThrottlingException', {
    throttlingReasons: [{ reason: 'IndexWriteKeyRangeThroughputExceeded', resource: RESOURCE }],
  })

describe('a batch that leaves members unprocessed', () => {
  it('has written the other members, also those with the same entry in the index', async () => {
    const { told, counts } = countsOf('files')
    const items = ['a', 'b', 'c'].map((id) => itemOf(counts, id))
    const { client } = new ScriptedClient(unprocessed('files', items[1] ?? {}))
    await sensingClient(client).send(batchOf({ files: items }))
    expect(told).toEqual(['offered', 'offered', 'offered', 'accepted', 'accepted'])
  })

  it('has written the members of other tables', async () => {
    const [one, other] = [countsOf('files'), countsOf('folders')]
    const items = { files: [itemOf(one.counts, 'a')], folders: [itemOf(other.counts, 'b')] }
    const { client } = new ScriptedClient(unprocessed('files', items.files[0] ?? {}))
    await sensingClient(client).send(batchOf(items))
    expect([one.told, other.told]).toEqual([['offered'], ['offered', 'accepted']])
  })

  it('has no reason for them, so the reason of their next attempt counts, once', async () => {
    const { told, counts } = countsOf('files')
    const item = itemOf(counts, 'a')
    const { client } = new ScriptedClient(unprocessed('files', item), indexThrottle(), indexThrottle())
    const sensing = sensingClient(client)
    await sensing.send(batchOf({ files: [item] }))
    await expect(sensing.send(batchOf({ files: [item] }))).rejects.toThrow()
    await expect(sensing.send(batchOf({ files: [item] }))).rejects.toThrow()
    expect(told).toEqual(['offered', 'throttled', 'throttled again'])
  })
})
