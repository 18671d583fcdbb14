import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import { fixedShards, isotherm } from 'isotherm'
import { inLocalWorld, type LocalWorld } from './local-world.js'
import { type LoadOutcome, offerLoad } from './offered-load.js'
import type { PatternReport, PatternSettings } from './pattern-report.js'
import { plainTable } from './tables.js'
import { withAttempts } from './with-attempts.js'

const TABLE = 'posts'
const CELEBRITY = 'author#1'
const POSTS = 200
/** Chosen beforehand: the author is known to be one, and four partitions could take the reads. A growth by reads would take effect after the peak. */
const SHARDS = 8
/** More than 4 KB, so that a consistent read of one costs 2 units. */
const TEXT_BYTES = 4_500
const READS_PER_SECOND = 2_000
const [SECONDS, LATE_SECONDS] = [12, 4]

/** Posts of one author are read one by one, more often than one partition serves. */
export async function runCelebrity({ seed, scale = 1, watch }: PatternSettings): Promise<PatternReport> {
  const perSecond = Math.ceil(READS_PER_SECOND * scale)
  const plain = await play(seed, perSecond, watch, ({ client }) => client)
  const sharded = await play(seed, perSecond, watch, shardedPosts)
  const row = (name: string, key: keyof LoadOutcome) => ({
    name,
    values: [plain[key], sharded[key]] as const,
  })
  return {
    title: `${perSecond} reads a second of ${POSTS} posts of one author, 2 units each, for ${SECONDS} s`,
    seed,
    columns: ['one key per author', `${SHARDS} shards`],
    rows: [
      row('reads that were sent', 'offered'),
      row('reads that were answered', 'acknowledged'),
      row('reads that failed after all attempts', 'failed'),
      row(`of them in the last ${LATE_SECONDS} seconds`, 'failedLate'),
      { name: 'shards of the author', values: [1, SHARDS] },
    ],
    isGood: sharded.failedLate === 0,
  }
}

function play(
  seed: number,
  readsPerSecond: number,
  watch: PatternSettings['watch'],
  open: (world: LocalWorld) => DynamoDBClient,
): Promise<LoadOutcome> {
  return inLocalWorld({ seed, throttle: true, watch }, async (world) => {
    const { client, clock, random } = world
    await client.send(
      plainTable(TABLE, 'author', {
        KeySchema: [
          { AttributeName: 'author', KeyType: 'HASH' },
          { AttributeName: 'post', KeyType: 'RANGE' },
        ],
        AttributeDefinitions: ['author', 'post'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
      }),
    )
    const db = open(world)
    const text = { S: 'x'.repeat(TEXT_BYTES) }
    const keyOf = (post: number) => ({ author: { S: CELEBRITY }, post: { S: `post#${post}` } })
    for (let post = 0; post < POSTS; post++) {
      const Item = { ...keyOf(post), text }
      await withAttempts(clock, () => db.send(new PutItemCommand({ TableName: TABLE, Item })))
      await clock.sleep(50)
    }
    const read = async () => {
      const Key = keyOf(randomInteger(random, 0, POSTS - 1))
      const { Item } = await withAttempts(clock, () =>
        db.send(new GetItemCommand({ TableName: TABLE, Key, ConsistentRead: true })),
      )
      if (Item === undefined) throw new Error('A post was not found.')
    }
    const perSecond = Array.from({ length: SECONDS }, () => readsPerSecond)
    return offerLoad(clock, { perSecond, lateSeconds: LATE_SECONDS, request: read })
  })
}

/** The suffix is calculated from the sort key, so that a read of one post asks one shard. */
function shardedPosts({ client, clock, random }: LocalWorld): DynamoDBClient {
  const shards = fixedShards(SHARDS)
  const options = { partitionKey: 'author', sortKey: 'post', suffix: 'calculated', shards } as const
  return isotherm(client, { clock, random, tables: { [TABLE]: options } })
}
