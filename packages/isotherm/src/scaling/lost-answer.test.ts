import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import { dynamicShards } from './shards.js'

/** Both waits of a change, the pass, and the wait for the replicas, with the defaults and without a takeover. */
const WITHOUT_WAITING_SECONDS = 75

/** The SDK's reaction to the lost response: it sends the request again, or gives up. */
type Loss = 'sent again' | 'given up'

/** A client that never receives the response to the nth change of the shard map, although the change takes effect. */
function losing(client: DynamoDBClient, nth: number, loss: Loss): DynamoDBClient {
  let changes = 0
  const send = async (command: AnyCommand, options: object) => {
    const output = await client.send(command as never, options as never)
    const { TableName, UpdateExpression = '' } = command.input as Record<string, string>
    const isChange = TableName === 'log_shard_map' && UpdateExpression.includes('#numberOfShards')
    if (!isChange || ++changes !== nth) return output
    if (loss === 'sent again') return client.send(command as never, options as never)
    throw Object.assign(new Error('No answer came.'), { name: 'TimeoutError' })
  }
  return Object.create(client, { send: { value: send } })
}

function processOf({ clock }: ShardedEngine, client: DynamoDBClient, suffix: 'random' | 'calculated') {
  const events: IsothermEvent[] = []
  const db = isotherm<DynamoDBClient>(client, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', suffix, shards: dynamicShards({ quiet: false }) } },
    clock,
    random: new SeededRandom(1),
    onEvent: (event) => events.push(event),
  })
  return { db, events }
}

/** @returns the seconds until the change has settled, and the events of the process that made it */
async function changed(suffix: 'random' | 'calculated', nth: number, loss: Loss) {
  const engine = await shardedEngine({ suffix, shards: dynamicShards() }, { latencyMilliseconds: 20 })
  const { clock, client } = engine
  const user = processOf(engine, client, suffix)
  const driver = processOf(engine, losing(client, nth, loss), suffix)
  let seconds = 0
  await clock.run(async () => {
    await user.db.shards('log', 'k').set(4)
    await user.db.shards('log', 'k').drain()
    const from = clock.now()
    await driver.db.shards('log', 'k').set(2)
    for (;;) {
      // Another process uses the key meanwhile, and would take over the change if its driver stopped.
      await user.db.send(new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' }, sk: { N: '1' } } }))
      await clock.sleep(500)
      const state = await user.db.shards('log', 'k').read()
      if (state?.phase === 'settled' && state.shards === 2) break
    }
    seconds = (clock.now() - from) / 1_000
  })
  await engine.close()
  return { seconds, told: driver.events.map(({ type }) => type) }
}

describe.each(['sent again', 'given up'] as const)(
  'a change of a count whose answer is lost and %s',
  (loss) => {
    it.each([
      ['announced', 1],
      ['moved', 2],
      ['settled', 3],
    ])('goes on at once when a calculated key was to be %s', async (_step, nth) => {
      const { seconds, told } = await changed('calculated', nth, loss)
      expect(seconds).toBeLessThan(WITHOUT_WAITING_SECONDS)
      expect(told).toEqual(['announced', 'scaled', 'drained', 'settled'])
    })

    it.each([
      ['retired', 1],
      ['settled', 2],
    ])('goes on at once when shards of a random key were to be %s', async (_step, nth) => {
      const { seconds, told } = await changed('random', nth, loss)
      expect(seconds).toBeLessThan(WITHOUT_WAITING_SECONDS)
      expect(told).toEqual(['scaled', 'drained', 'settled'])
    })
  },
)
