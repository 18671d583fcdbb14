import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  type DynamoDBClient,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { pool, poolTable } from 'isotherm/pool'
import { farClient } from './far-client.js'
import { inLocalWorld, type LocalWorld } from './local-world.js'
import type { PatternReport, PatternSettings } from './pattern-report.js'
import { plainTable } from './tables.js'

const IDS = 4_000
const IDS_PER_SECOND = 2_600
const BATCH = 25
const CLAIMERS = 8
const CLAIMED_AT_A_TIME = 25

const TABLE = 'vouchers'
const INDEX = 'unused'

interface Outcome {
  unprocessed: number
  throttled: number
  claimed: number
  different: number
  refused: number
  seconds: number
}

/** A way to register voucher codes, and to hand them out. */
interface Vouchers {
  create(client: DynamoDBClient): Promise<void>
  /** What an unused item has besides its code. */
  item(code: string, random: SeededRandom): Record<string, AttributeValue>
  /** Hands out codes until there are none. @returns how many claims were refused because somebody else was faster */
  claimAll(world: LocalWorld, seed: number, take: (code: string) => void): Promise<number>
}

/** Voucher codes are registered in bulk, and handed out to many at a time: found by their status, or by a sparse index. */
export async function runPool({ seed, scale = 1, watch }: PatternSettings): Promise<PatternReport> {
  const ids = Math.ceil((IDS * scale) / BATCH) * BATCH
  const byStatus = await play(seed, ids, STATUS, watch)
  const sparse = await play(seed, ids, SPARSE, watch)
  const row = (name: string, key: keyof Outcome) => ({ name, values: [byStatus[key], sparse[key]] as const })
  return {
    title: `${ids} codes by batches of 25, ${IDS_PER_SECOND} a second, into an index that has spent what it saved; then ${CLAIMERS} claimers`,
    seed,
    columns: ['index on status', 'isotherm/pool'],
    rows: [
      row('members that came back unprocessed', 'unprocessed'),
      row('writes that the index refused', 'throttled'),
      row('codes that were handed out', 'claimed'),
      row('of them different ones', 'different'),
      row('claims that somebody else was faster with', 'refused'),
      row('seconds until all were handed out', 'seconds'),
    ],
    isGood: sparse.unprocessed === 0 && sparse.claimed === ids && sparse.different === ids,
  }
}

function play(
  seed: number,
  ids: number,
  vouchers: Vouchers,
  watch: PatternSettings['watch'],
): Promise<Outcome> {
  return inLocalWorld({ seed, throttle: true, withSpentIndexes: true, watch }, async (world) => {
    const { client, clock } = world
    await vouchers.create(client)
    const random = new SeededRandom(seed + 2)
    let left = Array.from({ length: ids }, (_, at) => `code-${at}`)
    let unprocessed = 0
    while (left.length > 0) {
      const returned: string[] = []
      for (let first = 0; first < left.length; first += BATCH) {
        const codes = left.slice(first, first + BATCH)
        const members = codes.map((code) => ({ PutRequest: { Item: vouchers.item(code, random) } }))
        const sent = await client
          .send(new BatchWriteItemCommand({ RequestItems: { [TABLE]: members } }))
          .catch(() => undefined)
        const back = sent === undefined ? members : (sent.UnprocessedItems?.[TABLE] ?? [])
        returned.push(...back.map(({ PutRequest }) => PutRequest?.Item?.code?.S ?? ''))
        await clock.sleep((1_000 * BATCH) / IDS_PER_SECOND)
      }
      unprocessed += returned.length
      left = returned
    }
    const throttled = world.indexThrottles(TABLE, INDEX)
    // The index has everything by then.
    await clock.sleep(60_000)
    const taken: string[] = []
    const from = clock.now()
    const refused = await vouchers.claimAll(world, seed, (code) => taken.push(code))
    const seconds = Math.round((clock.now() - from) / 1_000)
    return { unprocessed, throttled, claimed: taken.length, different: new Set(taken).size, refused, seconds }
  })
}

/** All unused codes under one key of the index, which claimers read from its beginning. */
const STATUS: Vouchers = {
  create: async (client) => {
    await client.send(
      plainTable(TABLE, 'code', {
        AttributeDefinitions: ['code', 'status'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        GlobalSecondaryIndexes: [
          {
            IndexName: INDEX,
            KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        ],
      }),
    )
  },
  item: (code) => ({ code: { S: code }, status: { S: 'UNUSED' } }),
  claimAll: async ({ client, clock }, seed, take) => {
    let refused = 0
    const claimer = async (process: number) => {
      const far = farClient(client, { clock, random: new SeededRandom(seed + process), endings: 0 })
      for (let idle = 0; idle < 20; ) {
        const codes = await unusedCodes(far).catch(() => [])
        for (const code of codes) {
          if (await isTaken(far, code)) take(code)
          else refused += 1
        }
        idle = codes.length === 0 ? idle + 1 : 0
        if (codes.length === 0) await clock.sleep(100)
      }
    }
    await Promise.all(Array.from({ length: CLAIMERS }, (_, process) => claimer(process)))
    return refused
  },
}

async function unusedCodes(client: DynamoDBClient): Promise<readonly string[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: TABLE,
      IndexName: INDEX,
      KeyConditionExpression: '#status = :unused',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':unused': { S: 'UNUSED' } },
      Limit: CLAIMED_AT_A_TIME,
    }),
  )
  return Items.flatMap(({ code }) => (code?.S === undefined ? [] : [code.S]))
}

async function isTaken(client: DynamoDBClient, code: string): Promise<boolean> {
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: TABLE,
        Key: { code: { S: code } },
        UpdateExpression: 'SET #status = :used',
        ConditionExpression: '#status = :unused',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':used': { S: 'USED' }, ':unused': { S: 'UNUSED' } },
      }),
    )
    return true
  } catch {
    return false
  }
}

const POOL = { table: TABLE, partitionKey: 'code', index: INDEX }
const SHARDS = 16

const SPARSE: Vouchers = {
  create: async (client) => {
    await client.send(new CreateTableCommand(poolTable(POOL)))
  },
  item: (code, random) => ({
    code: { S: code },
    unused: { S: `pool#${1 + Math.floor(random.next() * SHARDS)}` },
    place: { N: String(Math.floor(random.next() * 2 ** 32)) },
  }),
  claimAll: async ({ client, clock }, seed, take) => {
    const claimer = async (process: number) => {
      const random = new SeededRandom(seed + process)
      const vouchers = pool(farClient(client, { clock, random, endings: 0 }), { ...POOL, clock, random })
      for (;;) {
        const claims = await vouchers.claim(CLAIMED_AT_A_TIME)
        if (claims.length === 0) return
        for (const claim of claims) {
          await vouchers.use(claim)
          take(claim.id)
        }
      }
    }
    await Promise.all(Array.from({ length: CLAIMERS }, (_, process) => claimer(process)))
    return 0
  },
}
