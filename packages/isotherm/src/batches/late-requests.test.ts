import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  PutItemCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { keyOf, type Situation, TwinTables } from '../../test/twin-tables.js'
import { atRest } from '../protocol/states/shard-state.js'

const RANDOM: Situation = {
  name: 'random',
  suffix: 'random',
  shards: 3,
  state: atRest({ shards: 3, lastUpdated: 1, history: ['1:3'] }),
}
const CALCULATED: Situation = { ...RANDOM, name: 'calculated', suffix: 'calculated' }

/** Twins whose first request of the operation is delayed before it is sent, and the number of such requests. */
function holdingUp(situation: Situation, held: string, milliseconds: number) {
  const twins = new TwinTables(situation, { cacheTtl: '10s', lateRequests: '20s' })
  const seen: string[] = []
  twins.beforeRequest = async (operation) => {
    seen.push(operation)
    if (operation === held && seen.filter((name) => name === held).length === 1) {
      await twins.clock.sleep(milliseconds)
    }
  }
  return { twins, seen: (name: string) => seen.filter((operation) => operation === name).length }
}

describe('a request that is delayed for longer than its view of the shard map is valid', () => {
  it('is not sent, and a batch of writes is placed again', async () => {
    const { twins, seen } = holdingUp(RANDOM, 'BatchWriteItem', 10_000)
    await twins.run(async () => {
      const members = [1, 2, 3].map((id) => ({ PutRequest: { Item: keyOf(id) } }))
      const output = await twins.db.send(new BatchWriteItemCommand({ RequestItems: { sharded: members } }))
      expect(output.UnprocessedItems).toEqual({})
      expect(output.$metadata.attempts).toBe(1)
      expect((await twins.contents()).sharded).toHaveLength(3)
    })
    expect(seen('BatchWriteItem')).toBe(2)
  })

  describe.each([
    ['first', 1],
    ['last', 2],
  ] as const)('and whose %s member has the older of two views', (_place, older) => {
    const newer = older === 1 ? 2 : 1
    const of = (customer: number, id: number) => ({ ...keyOf(id), customer: { S: `c_${customer}` } })
    const put = (customer: number, id: number) =>
      new PutItemCommand({ TableName: 'sharded', Item: of(customer, id) })
    const members = [of(1, 3), of(2, 4)]

    /** Caches the two views, 4.5 seconds apart. The request is then delayed until only the older one has ended. */
    async function cacheBoth({ db, clock }: TwinTables): Promise<void> {
      await db.send(put(older, 1))
      await clock.sleep(4_500)
      await db.send(put(newer, 2))
    }

    it('is not sent as a batch', async () => {
      const { twins, seen } = holdingUp(RANDOM, 'BatchWriteItem', 6_000)
      await twins.run(async () => {
        await cacheBoth(twins)
        const requests = members.map((Item) => ({ PutRequest: { Item } }))
        const output = await twins.db.send(new BatchWriteItemCommand({ RequestItems: { sharded: requests } }))
        expect(output.UnprocessedItems).toEqual({})
        expect((await twins.contents()).sharded).toHaveLength(4)
      })
      expect(seen('BatchWriteItem')).toBe(2)
    })

    it('is not sent as a transaction', async () => {
      const { twins, seen } = holdingUp(CALCULATED, 'TransactWriteItems', 6_000)
      await twins.run(async () => {
        await cacheBoth(twins)
        const TransactItems = members.map((Item) => ({ Put: { TableName: 'sharded', Item } }))
        await twins.db.send(new TransactWriteItemsCommand({ TransactItems }))
        expect((await twins.contents()).sharded).toHaveLength(4)
      })
      expect(seen('TransactWriteItems')).toBe(2)
    })
  })

  it('is not sent, and a transaction is placed again', async () => {
    const { twins, seen } = holdingUp(CALCULATED, 'TransactWriteItems', 10_000)
    await twins.run(async () => {
      const TransactItems = [1, 2, 3].map((id) => ({ Put: { TableName: 'sharded', Item: keyOf(id) } }))
      const output = await twins.db.send(new TransactWriteItemsCommand({ TransactItems }))
      expect(output.$metadata.attempts).toBe(1)
      expect((await twins.contents()).sharded).toHaveLength(3)
    })
    expect(seen('TransactWriteItems')).toBe(2)
  })

  it('is not sent, and an update is decided again, which counts as one attempt', async () => {
    const { twins, seen } = holdingUp(CALCULATED, 'UpdateItem', 10_000)
    await twins.run(async () => {
      const output = await twins.db.send(
        new UpdateItemCommand({
          TableName: 'sharded',
          Key: keyOf(1),
          UpdateExpression: 'SET seen = :seen',
          ExpressionAttributeValues: { ':seen': { N: '1' } },
        }),
      )
      expect(output.$metadata.attempts).toBe(1)
    })
    expect(seen('UpdateItem')).toBeGreaterThan(1)
  })

  it('proves nothing if it reads nothing, and is repeated', async () => {
    for (const [late, requests] of [
      [29_000, 1],
      [30_000, 2],
    ] as const) {
      const { twins, seen } = holdingUp(CALCULATED, 'BatchGetItem', late)
      await twins.run(async () => {
        const { Responses } = await twins.db.send(
          new BatchGetItemCommand({ RequestItems: { sharded: { Keys: [keyOf(1)] } } }),
        )
        expect(Responses).toEqual({ sharded: [] })
      })
      expect(seen('BatchGetItem')).toBe(requests)
    }
    const { twins, seen } = holdingUp(CALCULATED, 'TransactGetItems', 30_000)
    await twins.run(async () => {
      const TransactItems = [{ Get: { TableName: 'sharded', Key: keyOf(1) } }]
      const { Responses } = await twins.db.send(new TransactGetItemsCommand({ TransactItems }))
      expect(Responses).toEqual([{}])
    })
    expect(seen('TransactGetItems')).toBe(2)
  })
})
