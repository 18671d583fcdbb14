import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom, VirtualClock } from '@isotherm/runtime'
import { expect, it } from 'vitest'
import { bareClient } from '../../test/fake-client.js'
import { FakeTables } from '../../test/fake-tables.js'
import { hotPartition } from '../../test/throttling.js'
import { isotherm } from '../client/isotherm.js'
import { dynamicShards } from './shards.js'

const PROCESSES = 10
/** Less than a count takes to settle. */
const LIFE_MILLISECONDS = 4_000
/** What a partition takes a second. Each shard has its own. */
const LIMIT = 10

it('a key that only processes of a few seconds write grows again when its load grows', async () => {
  const clock = new VirtualClock()
  const random = new SeededRandom(1)
  const tables = new FakeTables()
    .create('log', { partitionKey: 'pk', sortKey: 'at' })
    .create('log_shard_map', { partitionKey: 'pk' })
  const used = new Map<string, number>()
  tables.beforeWrite = (table, { pk }) => {
    if (table !== 'log') return
    const second = `${Math.floor(clock.now() / 1_000)} ${pk !== undefined && 'S' in pk ? pk.S : ''}`
    const units = (used.get(second) ?? 0) + 1
    if (units > LIMIT) throw hotPartition()
    used.set(second, units)
  }
  const counts: number[] = []
  const begun = (endsAt: number) => ({
    endsAt,
    db: isotherm<DynamoDBClient>(bareClient(tables), {
      tables: {
        log: {
          partitionKey: 'pk',
          sortKey: 'at',
          suffix: 'random',
          shards: dynamicShards({ partitionUnitsPerSecond: LIMIT }),
        },
      },
      clock,
      random,
      onEvent: (event) => event.type === 'scaled' && counts.push(event.to),
    }),
  })
  const fleet = Array.from({ length: PROCESSES }, (_, index) =>
    begun(clock.now() + (LIFE_MILLISECONDS * (1 + index)) / PROCESSES),
  )
  let at = 0
  const write = async (perSecond: number, seconds: number) => {
    for (let sent = 0; sent < perSecond * seconds; sent++) {
      await clock.sleep(((0.5 + random.next()) * 1_000) / perSecond)
      const index = Math.floor(random.next() * PROCESSES)
      const process = fleet[index]
      if (process === undefined) throw new Error('No such process.')
      const { db, endsAt } = process
      if (clock.now() >= endsAt) {
        db.destroy()
        fleet[index] = begun(endsAt + LIFE_MILLISECONDS)
      }
      const Item = { pk: { S: 'hot' }, at: { N: String(at++) } }
      fleet[index]?.db.send(new PutItemCommand({ TableName: 'log', Item })).catch(() => {})
    }
  }
  await clock.run(async () => {
    await write(30, 10)
    expect(counts).toHaveLength(1)
    await write(150, 15)
  })
  expect(counts.at(-1)).toBeGreaterThanOrEqual(15)
})
