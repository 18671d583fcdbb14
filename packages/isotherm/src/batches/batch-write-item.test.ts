import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { sdkClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { smallTable } from '../../test/throttling.js'
import { keyOf, type Situation, type StoredItem, TwinTables } from '../../test/twin-tables.js'
import { isotherm } from '../client/isotherm.js'
import { fixedShards } from '../scaling/shards.js'

const RANDOM: Situation = { name: 'random', suffix: 'random', shards: 4 }
const CALCULATED: Situation = { name: 'calculated', suffix: 'calculated', shards: 4 }

const put = (id: number): WriteRequest => ({ PutRequest: { Item: keyOf(id) } })
const del = (id: number): WriteRequest => ({ DeleteRequest: { Key: keyOf(id) } })
const puts = (count: number) => Array.from({ length: count }, (_, id) => put(id))

/** The order's number and its shard, for each put of a request. */
function placesIn(input: object): readonly (readonly [id: number, shard: number])[] {
  const { RequestItems = {} } = input as BatchWriteItemCommandInput
  return (RequestItems.sharded ?? []).map(({ PutRequest, DeleteRequest }) => {
    const attributes: StoredItem = PutRequest?.Item ?? DeleteRequest?.Key ?? {}
    const shard = Number(attributes.customer?.S?.replace(/^.*_/, ''))
    return [Number(attributes.order_id?.S?.replace('order ', '')), shard] as const
  })
}

/** Leaves members of orders with these numbers unprocessed, the given number of times. */
function leavingOut(twins: TwinTables, times: ReadonlyMap<number, number>) {
  const seen: [number, number][] = []
  const left = new Map<number, number>()
  twins.answerInstead = (operation, input) => {
    if (operation !== 'BatchWriteItem') return undefined
    const { RequestItems = {} } = input as BatchWriteItemCommandInput
    const unprocessed = placesIn(input).flatMap(([id, shard], at) => {
      seen.push([id, shard])
      const count = (left.get(id) ?? 0) + 1
      left.set(id, count)
      return count <= (times.get(id) ?? 0) ? (RequestItems.sharded?.slice(at, at + 1) ?? []) : []
    })
    return {
      $metadata: { attempts: 1 },
      UnprocessedItems: unprocessed.length > 0 ? { sharded: unprocessed } : {},
    }
  }
  return seen
}

describe('BatchWriteItem on a sharded table', () => {
  it('rejects what the service rejects, with its text', async () => {
    const twins = new TwinTables(RANDOM)
    const refused = (...requests: readonly WriteRequest[]) =>
      expect(twins.db.send(new BatchWriteItemCommand({ RequestItems: { sharded: [...requests] } }))).rejects
    await twins.run(async () => {
      await refused(...puts(26)).toMatchObject({
        name: 'ValidationException',
        message: expect.stringContaining('Member must have length less than or equal to 25'),
      })
      await refused(put(1), del(1)).toMatchObject({
        message: 'Provided list of item keys contains duplicates',
      })
      await refused({}).toMatchObject({
        message: expect.stringContaining('Supplied AttributeValue is empty'),
      })
      await refused({ PutRequest: { Item: { ...keyOf(1), isotherm_moving: { S: 'x' } } } }).toMatchObject({
        code: 'command.parameter-unsupported',
      })
    })
  })

  it('sends only the unprocessed members to another shard at once', async () => {
    const twins = new TwinTables(RANDOM)
    const seen = leavingOut(twins, new Map([[3, 2]]))
    await twins.run(async () => {
      const output = await twins.db.send(new BatchWriteItemCommand({ RequestItems: { sharded: puts(5) } }))
      expect(output.UnprocessedItems).toEqual({})
      expect(output.$metadata).toMatchObject({ attempts: 3, totalRetryDelay: 0 })
    })
    expect(seen.slice(0, 5).map(([id]) => id)).toEqual([0, 1, 2, 3, 4])
    expect(seen.slice(5).map(([id]) => id)).toEqual([3, 3])
    const shards = seen.filter(([id]) => id === 3).map(([, shard]) => shard)
    expect(new Set(shards).size).toBe(3)
  })

  it('sends a member with one possible shard there again, after a delay', async () => {
    const twins = new TwinTables(CALCULATED)
    const seen = leavingOut(twins, new Map([[2, 2]]))
    await twins.run(async () => {
      const output = await twins.db.send(new BatchWriteItemCommand({ RequestItems: { sharded: puts(3) } }))
      expect(output.UnprocessedItems).toEqual({})
      expect(output.$metadata.totalRetryDelay).toBeGreaterThan(0)
    })
    const shards = seen.filter(([id]) => id === 2).map(([, shard]) => shard)
    expect(shards).toHaveLength(3)
    expect(new Set(shards).size).toBe(1)
  })

  it('returns members under their logical keys that are unprocessed at every attempt', async () => {
    const twins = new TwinTables(RANDOM, { maxAttempts: 5 })
    const seen = leavingOut(twins, new Map([[1, 100]]))
    await twins.run(async () => {
      const output = await twins.db.send(new BatchWriteItemCommand({ RequestItems: { sharded: puts(3) } }))
      expect(output.UnprocessedItems).toEqual({ sharded: [put(1)] })
    })
    expect(seen.filter(([id]) => id === 1)).toHaveLength(5)
  })

  it('ends at its deadline', async () => {
    const twins = new TwinTables(RANDOM, { maxAttempts: 100, retryDeadline: '1s' })
    leavingOut(twins, new Map([[1, 100]]))
    await twins.run(async () => {
      const from = twins.clock.now()
      const output = await twins.db.send(new BatchWriteItemCommand({ RequestItems: { sharded: puts(3) } }))
      expect(output.UnprocessedItems).toEqual({ sharded: [put(1)] })
      expect(twins.clock.now() - from).toBeLessThanOrEqual(1_000)
    })
  })

  it('throws the throttling error when no member was written, without further SDK retries', async () => {
    const tables = new FakeTables().create('sharded', { partitionKey: 'customer', sortKey: 'order_id' })
    let attempts = 0
    const { execute } = tables
    tables.execute = (operation, input) => {
      if (operation !== 'BatchWriteItem') return execute.call(tables, operation, input)
      attempts += 1
      throw smallTable()
    }
    const clock = new VirtualClock()
    const db = isotherm(await sdkClient(tables), {
      tables: {
        sharded: {
          partitionKey: 'customer',
          sortKey: 'order_id',
          suffix: 'random',
          shards: fixedShards(4),
          maxAttempts: 3,
        },
      },
      clock,
    })
    await clock.run(async () => {
      const command = new BatchWriteItemCommand({ RequestItems: { sharded: puts(3) } })
      await expect(db.send(command)).rejects.toMatchObject({
        name: 'ProvisionedThroughputExceededException',
        $metadata: { attempts: 3 },
      })
    })
    expect(attempts).toBe(3)
  })

  it('adds up the capacity of its requests, including members that are written singly', async () => {
    const twins = new TwinTables(RANDOM)
    await twins.run(async () => {
      await twins.seed(keyOf(9), { place: 1, isMarked: false })
      const output = await twins.db.send(
        new BatchWriteItemCommand({
          RequestItems: { sharded: [put(1), put(2), del(9)], other: [put(1)] },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      )
      expect(output.UnprocessedItems).toEqual({})
      const units = new Map(output.ConsumedCapacity?.map((each) => [each.TableName, each.CapacityUnits]))
      // Three writes, and consistent reads of four shards to find the item.
      expect(units).toEqual(
        new Map([
          ['sharded', 3 + 4],
          ['other', 1],
        ]),
      )
    })
  })
})
