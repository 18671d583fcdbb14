import {
  CreateTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { type Clock, SeededRandom } from '@isotherm/runtime'
import { type Queue, queue, queueTable } from 'isotherm/queue'
import { farClient } from './far-client.js'
import { inLocalWorld, type LocalWorld } from './local-world.js'
import type { PatternReport, PatternSettings } from './pattern-report.js'
import { plainTable } from './tables.js'

const OPERATIONS = 600
const WORKERS = 8
/** A worker ends with about so many of its requests. */
const ENDINGS = 0.01
const HANDLER_MILLISECONDS = 20
/** By hand, an operation that was begun so long ago is begun again. */
const AGAIN_MILLISECONDS = 10_000
const LONGEST_MILLISECONDS = 15 * 60_000

const LEDGER = 'ledger'
const JOBS = 'jobs'

interface Outcome {
  once: number
  never: number
  twice: number
  ended: number
  seconds: number
}

/** A way to store operations, and to work them off until its process ends. */
interface Jobs {
  create(client: DynamoDBClient): Promise<void>
  enqueue(client: DynamoDBClient, clock: Clock, n: number): Promise<void>
  /** Returns when nothing is left. Throws when the process has ended. */
  work(client: DynamoDBClient, clock: Clock, seed: number): Promise<void>
}

/** Operations change balances, while workers end at any moment: with a status by hand, and with `isotherm/queue`. */
export async function runQueue({ seed, scale = 1, watch }: PatternSettings): Promise<PatternReport> {
  const operations = Math.ceil(OPERATIONS * scale)
  const byHand = await play(seed, operations, BY_STATUS, watch)
  const pattern = await play(seed, operations, WITH_QUEUE, watch)
  const row = (name: string, key: keyof Outcome) => ({ name, values: [byHand[key], pattern[key]] as const })
  return {
    title: `${operations} operations, ${WORKERS} workers that end with every hundredth request`,
    seed,
    columns: ['a status by hand', 'isotherm/queue'],
    rows: [
      row('operations that took effect once', 'once'),
      row('operations that took effect more than once', 'twice'),
      row('operations that never took effect', 'never'),
      row('workers that ended, and were replaced', 'ended'),
      row('seconds', 'seconds'),
    ],
    isGood: pattern.once === operations,
  }
}

function play(
  seed: number,
  operations: number,
  jobs: Jobs,
  watch: PatternSettings['watch'],
): Promise<Outcome> {
  return inLocalWorld({ seed, throttle: true, watch }, async (world) => {
    const { client, clock } = world
    await jobs.create(client)
    await client.send(plainTable(LEDGER, 'entry'))
    for (let n = 0; n < operations; n++) await jobs.enqueue(client, clock, n)
    // The index has everything by then.
    await clock.sleep(10_000)
    const from = clock.now()
    const until = from + LONGEST_MILLISECONDS
    let ended = 0
    let processes = 0
    const place = async () => {
      while (clock.now() < until) {
        processes += 1
        const random = new SeededRandom(1_000 * seed + processes)
        const far = farClient(client, { clock, random, endings: ENDINGS })
        try {
          await jobs.work(far, clock, 1_000 * seed + processes)
          return
        } catch {
          ended += 1
          // Another process takes its place.
          await clock.sleep(500)
        }
      }
    }
    await Promise.all(Array.from({ length: WORKERS }, place))
    const times = await effects(world)
    const count = (passes: (applied: number) => boolean) => times.filter(passes).length
    return {
      once: count((applied) => applied === 1),
      twice: count((applied) => applied > 1),
      never: operations - times.length,
      ended,
      seconds: Math.round((clock.now() - from) / 1_000),
    }
  })
}

/** How often each operation that took effect did so. */
async function effects({ client }: LocalWorld): Promise<readonly number[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: LEDGER, ConsistentRead: true }))
  return Items.map(({ applied }) => Number(applied?.N))
}

const effectOf = (n: string) => ({
  TableName: LEDGER,
  Key: { entry: { S: n } },
  UpdateExpression: 'ADD applied :one',
  ExpressionAttributeValues: { ':one': { N: '1' } },
})

/** Claimed under a condition, worked on, marked as done. What was begun long ago is begun again: nobody knows how far it came. */
const BY_STATUS: Jobs = {
  create: async (client) => {
    await client.send(
      plainTable(JOBS, 'id', {
        AttributeDefinitions: ['id', 'status'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        GlobalSecondaryIndexes: [
          {
            IndexName: 'by_status',
            KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'ALL' },
          },
        ],
      }),
    )
  },
  enqueue: async (client, _clock, n) => {
    const Item = { id: { S: String(n) }, status: { S: 'PENDING' }, begun: { N: '0' } }
    await client.send(new PutItemCommand({ TableName: JOBS, Item }))
  },
  work: async (client, clock, seed) => {
    const random = new SeededRandom(seed)
    for (let idle = 0; idle < 30; ) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: JOBS,
          IndexName: 'by_status',
          KeyConditionExpression: '#status = :pending',
          FilterExpression: 'begun < :before',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: {
            ':pending': { S: 'PENDING' },
            ':before': { N: String(clock.now() - AGAIN_MILLISECONDS) },
          },
          Limit: 200,
        }),
      )
      const item = Items[Math.floor(random.next() * Items.length)]
      idle = item === undefined ? idle + 1 : 0
      if (item?.id?.S === undefined || item.begun?.N === undefined) await clock.sleep(1_000)
      else if (await isBegun(client, clock, item.id.S, item.begun.N)) await finish(client, clock, item.id.S)
    }
  },
}

async function isBegun(client: DynamoDBClient, clock: Clock, id: string, seen: string): Promise<boolean> {
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: JOBS,
        Key: { id: { S: id } },
        UpdateExpression: 'SET begun = :now',
        ConditionExpression: 'begun = :seen AND #status = :pending',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':now': { N: String(clock.now()) },
          ':seen': { N: seen },
          ':pending': { S: 'PENDING' },
        },
      }),
    )
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false
    throw error
  }
}

async function finish(client: DynamoDBClient, clock: Clock, id: string): Promise<void> {
  await clock.sleep(HANDLER_MILLISECONDS)
  await client.send(new UpdateItemCommand(effectOf(id)))
  await client.send(
    new UpdateItemCommand({
      TableName: JOBS,
      Key: { id: { S: id } },
      UpdateExpression: 'SET #status = :done',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':done': { S: 'DONE' } },
    }),
  )
}

const QUEUE = { table: JOBS, partitionKey: 'id' }

const WITH_QUEUE: Jobs = {
  create: async (client) => {
    await client.send(new CreateTableCommand(queueTable(QUEUE)))
  },
  enqueue: async (client, clock, n) => {
    await open(client, clock, n).enqueue({ n }, { key: `job-${n}` })
  },
  work: async (client, clock, seed) => {
    const jobs = open(client, clock, seed)
    const hasEnded = new AbortController()
    const work = jobs.work(
      async ({ payload: { n } }) => {
        await clock.sleep(HANDLER_MILLISECONDS)
        return [{ Update: effectOf(String(n)) }]
      },
      { signal: hasEnded.signal, pollInterval: '500ms', stopTimeout: '1s' },
    )
    try {
      // A worker continues when requests fail, so this loop has to notice that its process has ended.
      for (;;) {
        await clock.sleep(1_000)
        const { due, later } = await jobs.stats()
        if (due + later === 0) return
      }
    } finally {
      hasEnded.abort()
      await work.catch(() => {})
    }
  },
}

function open(client: DynamoDBClient, clock: Clock, seed: number): Queue<{ readonly n: number }> {
  return queue(client, { ...QUEUE, clock, random: new SeededRandom(seed), lease: '5s', maxAttempts: 100 })
}
