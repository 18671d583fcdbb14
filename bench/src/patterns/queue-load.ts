import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { type Operation, type Queue, queue, queueTable } from 'isotherm/queue'
import { PatternWorld } from './pattern-world.js'

const OPTIONS = { table: 'jobs', partitionKey: 'id' }
const LEDGER = 'ledger'
const WARM = { ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 40_000 }

interface Job {
  readonly n: number
}

export interface QueueLoad {
  readonly seed: number
  readonly operations: number
  readonly workers: number
  readonly concurrency: number
  readonly lostReplies: number
  /** The mean time after which a worker is killed, and another takes its place; infinite for never. */
  readonly killMilliseconds: number
  /** Of the index. */
  readonly shards: number
  /** How long a handler works. */
  readonly handlerMilliseconds: number
}

export interface QueueLoadResult {
  readonly operations: number
  /** Effects in the ledger, and of them those of operations that took effect more than once. */
  readonly effects: number
  readonly twice: number
  readonly killed: number
  readonly seconds: number
  readonly perSecond: number
}

/** Works operations off that each count in an item of their own, with workers that are killed at random moments. */
export async function workOffQueue(load: QueueLoad): Promise<QueueLoadResult> {
  const {
    seed,
    operations,
    workers,
    concurrency,
    lostReplies,
    killMilliseconds,
    handlerMilliseconds,
    shards,
  } = load
  const world = new PatternWorld({ seed, lostReplies })
  const { clock } = world
  const random = new SeededRandom(seed + 7)
  let [processes, killed, isOver] = [0, 0, false]
  const open = (client: DynamoDBClient): Queue<Job> => {
    processes += 1
    return queue(client, {
      ...OPTIONS,
      shards,
      clock,
      random: new SeededRandom(1_000 * seed + processes),
      maxAttempts: 1_000,
      lease: '5s',
    })
  }
  const handler = async ({ payload: { n } }: Operation<Job>) => {
    await clock.sleep(handlerMilliseconds * 2 * random.next())
    return [effect(n)]
  }
  /** One worker after the other: when one is killed, nothing is heard of it any more. */
  const place = async () => {
    while (!isOver) {
      const fate = { isDead: false }
      const stop = new AbortController()
      const work = open(mortal(world.client(seed + processes), fate)).work(handler, {
        concurrency,
        signal: stop.signal,
        pollInterval: '200ms',
      })
      work.catch(() => {})
      const until = clock.now() + killMilliseconds * 2 * random.next()
      while (!isOver && clock.now() < until) await clock.sleep(100)
      if (isOver) {
        stop.abort()
        await work
      } else {
        fate.isDead = true
        killed += 1
      }
    }
  }
  const seconds = await clock.run(async () => {
    await world.create(warmTable())
    await world.create({
      TableName: LEDGER,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'entry', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'entry', AttributeType: 'S' }],
      WarmThroughput: WARM,
    })
    const enqueuer = open(world.client(seed))
    for (let n = 0; n < operations; n += 100)
      await Promise.all(
        Array.from({ length: Math.min(100, operations - n) }, (_, at) => untilStored(enqueuer, n + at)),
      )
    const from = clock.now()
    const places = Array.from({ length: workers }, place)
    const watcher = open(world.client(seed))
    for (;;) {
      await clock.sleep(500)
      const { due, later } = await watcher.stats()
      if (due + later === 0) break
    }
    const took = (clock.now() - from) / 1_000
    isOver = true
    await Promise.all(places)
    return took
  })
  const applied = await clock.run(() => appliedTimes(world))
  await world.close()
  return {
    operations,
    effects: applied.length,
    twice: applied.filter((times) => times !== 1).length,
    killed,
    seconds,
    perSecond: operations / seconds,
  }
}

function warmTable(): CreateTableCommandInput {
  const { GlobalSecondaryIndexes = [], ...table } = queueTable(OPTIONS)
  const indexes = GlobalSecondaryIndexes.map((index) => ({ ...index, WarmThroughput: WARM }))
  return { ...table, WarmThroughput: WARM, GlobalSecondaryIndexes: indexes }
}

async function untilStored(jobs: Queue<Job>, n: number): Promise<void> {
  for (;;) {
    try {
      await jobs.enqueue({ n }, { key: `job-${n}` })
      return
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
    }
  }
}

function effect(n: number) {
  return {
    Update: {
      TableName: LEDGER,
      Key: { entry: { S: `job-${n}` } },
      UpdateExpression: 'ADD applied :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  }
}

/** A client of a process that may be killed: its requests go out before, and its answers reach nobody after. */
function mortal(client: DynamoDBClient, fate: { readonly isDead: boolean }): DynamoDBClient {
  const never = new Promise<never>(() => {})
  const send = async (command: never) => {
    if (fate.isDead) return never
    try {
      const output = await client.send(command)
      return fate.isDead ? never : output
    } catch (error) {
      if (fate.isDead) return never
      throw error
    }
  }
  return Object.create(client, { send: { value: send } })
}

async function appliedTimes({ lane }: PatternWorld): Promise<readonly number[]> {
  const times: number[] = []
  let from: unknown
  do {
    const input = {
      TableName: LEDGER,
      ConsistentRead: true,
      ...(from === undefined ? {} : { ExclusiveStartKey: from }),
    }
    const { output } = await lane.execute('Scan', input)
    times.push(...(output.Items as { applied: { N: string } }[]).map(({ applied }) => Number(applied.N)))
    from = output.LastEvaluatedKey
  } while (from !== undefined)
  return times
}
