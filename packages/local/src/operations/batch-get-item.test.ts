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
