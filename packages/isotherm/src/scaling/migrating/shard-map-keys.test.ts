import { describe, expect, it } from 'vitest'
import type { MoveSender } from '../../attempts/move-sender.js'
import type { LogicalKey } from '../../keys/key.js'
import type { MovingTable } from '../../protocol/index.js'
import { shardMapKeys } from './shard-map-keys.js'

type Item = Readonly<Record<string, unknown>>

async function keysOf(pages: readonly (readonly Item[])[]) {
  const inputs: { readonly ExclusiveStartKey?: unknown }[] = []
  const sender = {
    scanPage: async (input: object) => {
      const Items = pages[inputs.length]
      inputs.push(input)
      return {
        Items,
        ...(inputs.length < pages.length ? { LastEvaluatedKey: { page: { N: String(inputs.length) } } } : {}),
      }
    },
  } as unknown as MoveSender
  const table = { options: { shardMap: 'log_shard_map', partitionKey: 'pk' } } as MovingTable
  const found: (readonly LogicalKey[])[] = []
  for await (const keys of shardMapKeys(table, sender, new AbortController().signal)) found.push(keys)
  return { found, inputs }
}

describe('the keys that have an item in the shard map', () => {
  it('are those of its items, without the card and the counts of indexes', async () => {
    const { found, inputs } = await keysOf([
      [{ pk: { S: 'isotherm:card' } }, { pk: { S: 'a' } }, { pk: { S: 'isotherm:index:by_day' } }],
      [{ pk: { S: 'b' } }],
    ])
    expect(found).toEqual([[{ S: 'a' }], [{ S: 'b' }]])
    expect(inputs).toEqual([
      expect.objectContaining({ TableName: 'log_shard_map', ConsistentRead: true, Limit: 1_000 }),
      expect.objectContaining({ ExclusiveStartKey: { page: { N: '1' } } }),
    ])
  })

  it('may be of bytes', async () => {
    const bytes = (text: string) => ({ pk: { B: Buffer.from(text) } })
    const { found } = await keysOf([[bytes('isotherm:card'), bytes('a')]])
    expect(found).toEqual([[{ B: Buffer.from('a') }]])
  })
})
