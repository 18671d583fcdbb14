import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { warmedUp } from '../../test/warmed-up.js'
import { isotherm } from '../client/isotherm.js'
import { ensureShardMap } from '../protocol/index.js'
import { dynamicShards } from '../scaling/shards.js'

const ARN = 'arn:aws:dynamodb:us-east-1:000000000000:table/'

/** Leaves the last members of the first batch unprocessed, and names their table as given. */
function leaveOut(client: DynamoDBClient, members: number, table: string): void {
  let isLeft = false
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'BatchWriteItemCommand' || isLeft) return next(args)
        isLeft = true
        const { RequestItems } = args.input as { RequestItems: Record<string, WriteRequest[]> }
        const [[name = '', requests = []] = []] = Object.entries(RequestItems)
        const input = { RequestItems: { [name]: requests.slice(0, -members) } }
        const result = await next({ ...args, input: input as never })
        return {
          ...result,
          output: { ...result.output, UnprocessedItems: { [table]: requests.slice(-members) } },
        }
      },
    { step: 'initialize', priority: 'high', name: 'leaveOut' },
  )
}

describe('a batch to a table with a dynamic index that leaves members unprocessed', () => {
  it.each([
    ['the name of a property that every object has', 'constructor', 'constructor', 'constructor'],
    ['its ARN, and the response its name', 'files', `${ARN}files`, 'files'],
    ['its name, and the response its ARN', 'files', 'files', `${ARN}files`],
  ])('writes them all where the request has %s', async (_name, table, asked, answered) => {
    const clock = new VirtualClock()
    const local = createLocal({ clock, random: new SeededRandom(1), throttle: false })
    const client = await warmedUp(local.client({ region: 'us-east-1' }))
    await clock.run(async () => {
      await client.send(createTable(table, ['id'], { global: { by_status: ['isotherm_by_status'] } }))
      await ensureShardMap(client, { table, clock })
      const indexes = { by_status: { partitionKey: 'status', shards: dynamicShards() } }
      const db = isotherm(client, {
        tables: { [table]: { partitionKey: 'id', indexes } },
        clock,
        random: new SeededRandom(2),
      })
      const items = ['a', 'b', 'c', 'd'].map((id) => ({ id: { S: id }, status: { S: 'open' } }))
      leaveOut(client, 3, answered)
      const requests = items.map((Item) => ({ PutRequest: { Item } }))
      const { UnprocessedItems } = await db.send(
        new BatchWriteItemCommand({ RequestItems: { [asked]: requests } }),
      )
      expect(UnprocessedItems).toEqual({})
      const { Count } = await client.send(new ScanCommand({ TableName: table }))
      expect(Count).toBe(items.length)
      db.destroy()
    })
    await local.close()
  })
})
