import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { type ShardedEngine, scanned, shardedEngine } from '../../test/sharded-engine.js'
import { isotherm } from '../client/isotherm.js'
import type { IsothermEvent } from '../events/event.js'
import type { AnyCommand } from '../sdk/physical-client.js'
import { dynamicShards } from './shards.js'

const ITEMS = 8
const CALCULATED = {
  suffix: 'calculated',
  shards: dynamicShards({ quiet: false, drainUnitsPerSecond: 1_000 }),
  cacheTtl: '2s',
  lateRequests: '1s',
} as const

interface Process {
  readonly db: ReturnType<typeof isotherm<DynamoDBClient>>
  readonly events: IsothermEvent[]
  /** The number of requests that the process has sent. */
  readonly sent: () => number
}

/** A process that crashes before or after its nth request takes effect. */
function processOf(
  { client, clock }: ShardedEngine,
  { dies = Number.POSITIVE_INFINITY, isAnswerLost = false, seed = 1 } = {},
): Process {
  const events: IsothermEvent[] = []
  let sent = 0
  const mortal = Object.create(client, {
    send: {
      value: async (command: AnyCommand, options: object) => {
        sent += 1
        if (sent > dies || (sent === dies && !isAnswerLost)) return new Promise(() => {})
        const output = await client.send(command as never, options as never)
        return sent === dies ? new Promise(() => {}) : output
      },
    },
  })
  const db = isotherm<DynamoDBClient>(mortal, {
    tables: { log: { partitionKey: 'pk', sortKey: 'sk', ...CALCULATED } },
    clock,
    random: new SeededRandom(seed),
    onEvent: (event) => events.push(event),
  })
  return { db, events, sent: () => sent }
}

const increment = (sk: number) =>
  new UpdateItemCommand({
    TableName: 'log',
    Key: { pk: { S: 'k' }, sk: { N: String(sk) } },
    UpdateExpression: 'ADD times :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  })

async function copies(client: DynamoDBClient): Promise<readonly number[]> {
  const items = await scanned(client, 'log')
  return items.map(({ sk }) => Number(sk?.N)).sort((a, b) => a - b)
}

/** Changes the count while others write. The process that changes it crashes at its nth request, and another resumes. */
async function changeWithCrash(
  from: number,
  to: number,
  crash: { readonly dies: number; readonly isAnswerLost: boolean; readonly seed: number },
) {
  const engine = await shardedEngine(CALCULATED, { seed: crash.seed, latencyMilliseconds: 30 })
  const { clock, client } = engine
  const written = new Map<number, number>()
  const first = processOf(engine, crash)
  const second = processOf(engine, { seed: crash.seed + 1 })
  const writers = [3, 4].map((seed) => processOf(engine, { seed: crash.seed + seed }))
  let isOver = false
  await clock.run(async () => {
    const [writer] = writers
    await second.db.shards('log', 'k').set(from)
    await second.db.shards('log', 'k').drain()
    for (let sk = 0; sk < ITEMS; sk++) await writer?.db.send(increment(sk))
    for (let sk = 0; sk < ITEMS; sk++) written.set(sk, 1)
    const writing = writers.map(async ({ db }, index) => {
      const random = new SeededRandom(crash.seed * 7 + index)
      while (!isOver) {
        const sk = Math.floor(random.next() * (ITEMS + 4))
        await db.send(increment(sk))
        written.set(sk, (written.get(sk) ?? 0) + 1)
        await clock.sleep(random.next() * 600)
      }
    })
    const watching = async () => {
      while (!isOver) {
        const known = await copies(client)
        expect(known).toEqual([...new Set(known)])
        for (let sk = 0; sk < ITEMS; sk++) expect(known).toContain(sk)
        await clock.sleep(211)
      }
    }
    const changing = async () => {
      first.db
        .shards('log', 'k')
        .set(to)
        .catch(() => {})
      await clock.sleep(1_000 * new SeededRandom(crash.seed).next() * 12)
      const state = await second.db.shards('log', 'k').read()
      if (state?.phase === 'settled' && state.shards === from) await second.db.shards('log', 'k').set(to)
      expect(await second.db.shards('log', 'k').drain()).toBe('settled')
      await clock.sleep(3_000)
      isOver = true
    }
    await Promise.all([...writing, watching(), changing()])
    const state = await second.db.shards('log', 'k').read()
    expect(state).toMatchObject({ shards: to, readableShards: to, phase: 'settled' })
    for (const [sk, times] of written) {
      const { Item } = await second.db.send(
        new GetItemCommand({ TableName: 'log', Key: { pk: { S: 'k' }, sk: { N: String(sk) } } }),
      )
      expect(Item).toEqual({ pk: { S: 'k' }, sk: { N: String(sk) }, times: { N: String(times) } })
    }
    const shards = (await scanned(client, 'log')).map(({ pk }) => Number(pk?.S?.split('_')[1]))
    expect(Math.max(...shards)).toBeLessThanOrEqual(to)
  })
  await engine.close()
  return first.sent()
}

describe('the change of a calculated count', () => {
  it('keeps one copy of each item, whichever step its process dies at', async () => {
    const steps = await changeWithCrash(1, 3, { dies: 1_000, isAnswerLost: false, seed: 1 })
    expect(steps).toBeGreaterThan(8)
    for (let dies = 1; dies <= steps; dies += 2) {
      await changeWithCrash(1, 3, { dies, isAnswerLost: dies % 4 === 1, seed: dies })
    }
  }, 120_000)

  it.each([
    [4, 2, 9],
    [4, 2, 14],
    [2, 8, 7],
    [2, 8, 12],
  ])(
    'keeps it from %i to %i too, when its process dies at request %i',
    async (from, to, dies) => {
      await changeWithCrash(from, to, { dies, isAnswerLost: dies % 2 === 0, seed: dies })
    },
    120_000,
  )
})
