import { BatchGetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { describe, expect, it } from 'vitest'
import { createLocal } from '../local.js'

describe('a batch of reads', () => {
  it('treats two spellings of a number as two keys, returns the item twice, and reports a mistake before a missing table', async () => {
    const local = createLocal()
    const client = local.client({ maxAttempts: 1 })
    await client.send(createTable('numbers', ['pk:N']))
    await client.send(new PutItemCommand({ TableName: 'numbers', Item: { pk: { N: '10' } } }))
    const read = (...numbers: string[]) =>
      client.send(
        new BatchGetItemCommand({
          RequestItems: { numbers: { Keys: numbers.map((N) => ({ pk: { N } })) } },
        }),
      )
    expect((await read('10', '1e1')).Responses?.numbers).toEqual([{ pk: { N: '10' } }, { pk: { N: '10' } }])
    await expect(read('10', '10')).rejects.toThrow('Provided list of item keys contains duplicates')
    const mistaken = new BatchGetItemCommand({
      RequestItems: {
        nowhere: { Keys: [{ pk: { N: '1' } }] },
        numbers: { Keys: [{ pk: { N: '1' } }], ProjectionExpression: 'a b' },
      },
    })
    await expect(client.send(mistaken)).rejects.toThrow('Invalid ProjectionExpression')
    await local.close()
  })

  it('returns no more than 16 MB, and charges no item that it leaves', async () => {
    const local = createLocal({ throttle: false })
    const client = local.client({ maxAttempts: 1 })
    await client.send(createTable('documents', ['pk']))
    const keys = Array.from({ length: 60 }, (_, n) => ({ pk: { S: `${n}`.padStart(2, '0') } }))
    const put = (key: { readonly pk: { readonly S: string } }, bytes: number) =>
      client.send(
        new PutItemCommand({ TableName: 'documents', Item: { ...key, t: { S: 'x'.repeat(bytes - 5) } } }),
      )
    for (const key of keys) await put(key, 307_200)
    const read = async () => {
      const { Responses, UnprocessedKeys, ConsumedCapacity } = await client.send(
        new BatchGetItemCommand({
          RequestItems: { documents: { Keys: keys } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      )
      return [
        Responses?.documents,
        UnprocessedKeys?.documents?.Keys,
        ConsumedCapacity?.[0]?.CapacityUnits,
      ] as const
    }
    const [found, left, units] = await read()
    expect([found?.length, left, units]).toEqual([54, keys.slice(54), (54 * 75) / 2])
    // An item that would fit behind one that does not is left as well, and one that fills the answer to the byte is returned.
    for (const key of keys.slice(55)) await put(key, 100)
    expect((await read())[0]).toHaveLength(54)
    await put({ pk: { S: '54' } }, 16_777_216 - 54 * 307_200)
    expect((await read())[0]).toHaveLength(55)
    await put({ pk: { S: '54' } }, 16_777_216 - 54 * 307_200 - 100)
    expect((await read())[0]).toHaveLength(56)
    await local.close()
  })

  it('treats keys as equal in any order of their attributes', async () => {
    const local = createLocal()
    const [pk, sk] = [{ S: 'a' }, { B: new Uint8Array([1, 2]) }]
    const twice = new BatchGetItemCommand({
      RequestItems: {
        nowhere: {
          Keys: [
            { pk, sk },
            { sk, pk },
          ],
        },
      },
    })
    await expect(local.client({ maxAttempts: 1 }).send(twice)).rejects.toThrow(
      'Provided list of item keys contains duplicates',
    )
    await local.close()
  })
})
