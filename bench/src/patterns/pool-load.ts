import {
  BatchWriteItemCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
} from '@aws-sdk/client-dynamodb'
import { SeededRandom } from '@isotherm/runtime'
import { type Pool, pool, poolTable } from 'isotherm/pool'
import { PatternWorld } from './pattern-world.js'

const TABLE = 'vouchers'
const BATCH = 25

/** How unused vouchers are found. */
type PoolDesign = 'status' | 'sparse'

export interface Registration {
  readonly design: PoolDesign
  readonly seed: number
  readonly ids: number
  /** Ids a second that are sent, one batch of 25 after the other. */
  readonly idsPerSecond: number
}

export interface RegistrationResult {
  readonly requests: number
  /** Members that came back in UnprocessedItems, and those of batches that were refused as a whole. */
  readonly unprocessed: number
  /** The metric `WriteThrottleEvents` of the index. */
  readonly indexThrottles: number
}

/** Registers ids by batches, each sent once, in an on-demand table whose index has spent what it saved. */
export async function registerIds({
  design,
  seed,
  ids,
  idsPerSecond,
}: Registration): Promise<RegistrationResult> {
  const world = new PatternWorld({ seed, withSpentIndexes: true, metrics: true })
  const { clock } = world
  const client = world.client(seed)
  let unprocessed = 0
  await clock.run(async () => {
    await world.create(design === 'sparse' ? poolTable(OPTIONS) : STATUS_TABLE)
    const random = new SeededRandom(seed)
    const sending: Promise<void>[] = []
    for (let first = 0; first < ids; first += BATCH) {
      const members = Array.from({ length: BATCH }, (_, at) => ({
        PutRequest: { Item: { code: { S: codeOf(first + at) }, ...unused(design, random) } },
      }))
      const sent = client.send(new BatchWriteItemCommand({ RequestItems: { [TABLE]: members } })).then(
        ({ UnprocessedItems }) => {
          unprocessed += UnprocessedItems?.[TABLE]?.length ?? 0
        },
        () => {
          unprocessed += members.length
        },
      )
      sending.push(sent)
      await clock.sleep((1_000 * BATCH) / idsPerSecond)
    }
    await Promise.all(sending)
  })
  const indexThrottles = await world.indexMetric('WriteThrottleEvents', TABLE, 'unused')
  await world.close()
  return { requests: ids / BATCH, unprocessed, indexThrottles }
}

const OPTIONS = { table: TABLE, partitionKey: 'code' }
const SHARDS = 16

/** The index that many tables have: all unused items under one key. */
const STATUS_TABLE: CreateTableCommandInput = {
  TableName: TABLE,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'code', KeyType: 'HASH' }],
  AttributeDefinitions: [
    { AttributeName: 'code', AttributeType: 'S' },
    { AttributeName: 'status', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'unused',
      KeySchema: [{ AttributeName: 'status', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
}

/** What the items of the design have for the index, as `pool.add` writes it in the sparse one. */
function unused(design: PoolDesign, random: SeededRandom) {
  if (design === 'status') return { status: { S: 'UN_USED' } }
  const shard = 1 + Math.floor(random.next() * SHARDS)
  return { unused: { S: `pool#${shard}` }, place: { N: String(Math.floor(random.next() * 2 ** 32)) } }
}

function codeOf(at: number): string {
  return `code-${at}`
}

export interface Claiming {
  readonly seed: number
  readonly ids: number
  readonly claimers: number
  readonly lostReplies: number
}

export interface ClaimingResult {
  readonly claimed: number
  /** Of those claimed, how many different ones. */
  readonly different: number
  readonly seconds: number
  /** Entries of the index before and after. */
  readonly entriesBefore: number
  readonly entriesAfter: number
}

/** Adds ids with `add`, and lets claimers claim and use all of them. */
export async function claimAll({ seed, ids, claimers, lostReplies }: Claiming): Promise<ClaimingResult> {
  const world = new PatternWorld({ seed, lostReplies })
  const { clock } = world
  const open = (process: number): Pool =>
    pool(world.client(seed + process), {
      ...OPTIONS,
      clock,
      random: new SeededRandom(1_000 * seed + process),
      timeout: '60s',
    })
  const entries = async () => {
    const { output } = await world.lane.execute(DescribeTableCommand.name.slice(0, -'Command'.length), {
      TableName: TABLE,
    })
    const { GlobalSecondaryIndexes } = output.Table as { GlobalSecondaryIndexes: { ItemCount: number }[] }
    return GlobalSecondaryIndexes[0]?.ItemCount ?? 0
  }
  const result = await clock.run(async () => {
    await world.create({ ...poolTable(OPTIONS), WarmThroughput: WARM })
    await open(0).add(Array.from({ length: ids }, (_, at) => codeOf(at)))
    const entriesBefore = await entries()
    const claimed: string[] = []
    const from = clock.now()
    await Promise.all(
      Array.from({ length: claimers }, (_, index) => claimUntilEmpty(open(index + 1), claimed)),
    )
    const seconds = (clock.now() - from) / 1_000
    return {
      claimed: claimed.length,
      different: new Set(claimed).size,
      seconds,
      entriesBefore,
      entriesAfter: await entries(),
    }
  })
  await world.close()
  return result
}

const WARM = { ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 40_000 }
const CLAIMED_AT_A_TIME = 25

async function claimUntilEmpty(vouchers: Pool, claimed: string[]): Promise<void> {
  for (;;) {
    const claims = await vouchers.claim(CLAIMED_AT_A_TIME)
    if (claims.length === 0) return
    claimed.push(...claims.map(({ id }) => id))
    await Promise.all(claims.map((claim) => vouchers.use(claim)))
  }
}
