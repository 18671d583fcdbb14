import {
  CreateTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { patternEngine } from '../../../test/pattern-engine.js'
import { type Counter, type CounterOptions, counter } from './index.js'

const options = { table: 'counters', partitionKey: 'id', key: 'Campaign#101' }
const table = createTable('counters', ['id'])
const ofHead = { TableName: 'counters', Key: { id: { S: 'Campaign#101' } } }

async function makeAgain(client: DynamoDBClient) {
  await client.send(new DeleteTableCommand({ TableName: 'counters' }))
  await client.send(new CreateTableCommand(table.input))
}

async function addMany(votes: Counter, count: number) {
  for (let added = 0; added < count; added++) await votes.add(1)
}

async function engineWith() {
  const engine = await patternEngine([table], { throttle: false })
  const { clock, client } = engine
  const open = async (seed: number, given: Partial<CounterOptions> = {}) => {
    // A client knows the shards of its counters.
    const own = engine.network(seed, 0)
    return counter(own, { ...options, clock, random: new SeededRandom(seed), ...given })
  }
  return { clock, client, open }
}

describe('a counter whose table was made again', () => {
  it('has all counts since then, of processes with an old number of shards, too', async () => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      const votes = await open(1, { initial: 8 })
      await addMany(votes, 20)
      await makeAgain(client)
      await addMany(votes, 20)
      await clock.sleep(600_000)
      await addMany(votes, 20)
      expect(await votes.value()).toBe(40)
      const reader = await open(2)
      expect(await reader.value()).toBe(40)
      expect(await reader.estimate(1)).toMatchObject({ shards: 8 })
      await votes.rollUp({ shards: 1 })
      await addMany(votes, 20)
      expect(await reader.value()).toBe(60)
    })
  })

  it.each([{ initial: 1 }, { initial: 3 }])(
    'has them, although a process that knew nothing began it first, with %o',
    async ({ initial }) => {
      const { clock, client, open } = await engineWith()
      await clock.run(async () => {
        const large = await open(1, { initial: 40 })
        await large.add(1)
        await large.rollUp({ shards: 20 })
        const old = await open(2)
        await addMany(old, 5)
        await makeAgain(client)
        await addMany(await open(3, { initial }), 10)
        await addMany(old, 30)
        await clock.sleep(600_000)
        await addMany(old, 1)
        expect(await (await open(4)).value()).toBe(41)
      })
    },
  )

  it.each([8, 3])(
    'has them, although its generation is the same as before, with %i shards',
    async (initial) => {
      const { clock, client, open } = await engineWith()
      await clock.run(async () => {
        const old = await open(1, { initial: 8 })
        await addMany(old, 5)
        await makeAgain(client)
        await addMany(await open(2, { initial }), 10)
        await addMany(old, 30)
        await clock.sleep(600_000)
        await old.add(1)
        expect(await (await open(3)).value()).toBe(41)
      })
    },
  )

  it('has them, although its generation is higher than before', async () => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      const old = await open(1, { initial: 40 })
      await old.add(1)
      await client.send(new DeleteItemCommand(ofHead))
      const fresh = await open(2, { initial: 8 })
      await fresh.add(1)
      await fresh.rollUp({ shards: 2 })
      const before = await fresh.value()
      await addMany(old, 40)
      await clock.sleep(600_000)
      await old.add(1)
      const reader = await open(3)
      expect((await reader.value()) - before).toBe(41)
      await reader.rollUp()
      expect((await reader.value()) - before).toBe(41)
    })
  })

  it('has those of processes that restore it at the same time and knew different numbers', async () => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      const operator = await open(1, { initial: 40 })
      const fleet: Counter[] = []
      for (const shards of [40, 20, 10, 5]) {
        if (shards < 40) await operator.rollUp({ shards })
        const votes = await open(1 + shards, { initial: 40 })
        await votes.add(1)
        fleet.push(votes)
      }
      await makeAgain(client)
      await (await open(2, { initial: 4 })).add(1)
      for (const votes of fleet) await addMany(votes, 30)
      await clock.sleep(600_000)
      await Promise.all(fleet.map((votes) => votes.add(1)))
      expect(await (await open(3)).value()).toBe(1 + fleet.length * 31)
    })
  })

  it('takes counts again after its first item alone was deleted, and shards were closed', async () => {
    const { clock, client, open } = await engineWith()
    await clock.run(async () => {
      const votes = await open(1, { initial: 8 })
      await addMany(votes, 20)
      await votes.reset()
      await votes.rollUp({ shards: 2 })
      await client.send(new DeleteItemCommand(ofHead))
      await clock.sleep(600_000)
      const before = await votes.value()
      await addMany(votes, 20)
      expect((await votes.value()) - before).toBe(20)
      await votes.rollUp({ shards: 1 })
      expect((await votes.value()) - before).toBe(20)
    })
  })
})
