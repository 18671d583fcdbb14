import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import type { PhysicalClient } from '../sdk/physical-client.js'
import { indexMapClient } from './index-map-client.js'

const AT = { shardMap: 'files_shard_map', partitionKey: 'folder' }
const read = () => new GetItemCommand({ TableName: AT.shardMap, Key: { folder: { S: 'isotherm:index:x' } } })

/** A shard map that takes keys of these types only. */
function mapOf(...types: readonly ('S' | 'B')[]) {
  const asked: unknown[] = []
  const send = async ({ input }: GetItemCommand) => {
    const key = input.Key?.[AT.partitionKey] ?? {}
    asked.push(key)
    if (types.some((type) => type in key)) return {}
    throw Object.assign(new Error('The provided key element does not match the schema'), {
      name: 'ValidationException',
    })
  }
  return { asked, client: indexMapClient({ send } as unknown as PhysicalClient, AT) }
}

describe('the counts of an index in the shard map', () => {
  it('have keys of text', async () => {
    const { asked, client } = mapOf('S')
    await client.send(read() as never)
    expect(asked).toEqual([{ S: 'isotherm:index:x' }])
  })

  it('have keys of bytes where the shard map has them, which is found out once', async () => {
    const { asked, client } = mapOf('B')
    await client.send(read() as never)
    await client.send(read() as never)
    const bytes = { B: Buffer.from('isotherm:index:x') }
    expect(asked).toEqual([{ S: 'isotherm:index:x' }, bytes, bytes])
  })

  it('are refused where the shard map has another key, whose name or type nobody knows here', async () => {
    const { client } = mapOf()
    await expect(client.send(read() as never)).rejects.toMatchObject({
      code: 'shard-map.schema',
      message: expect.stringContaining('takes neither text nor bytes as its key folder'),
    })
  })
})
